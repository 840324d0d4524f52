// A main process that does nothing but offer the OAuth window to a test (on the double only, which runs TypeScript).
import { app } from 'electron';
import { systemClock } from '#shared/time/clock.ts';
import type { DialogRequest } from '#core/ports/host.ts';
import { registerAppScheme } from '#electron/windows/app-scheme.ts';
import { clearBrowserSession } from '#electron/sign-in/dialog-session.ts';
import { openOAuthWindow } from '#electron/sign-in/oauth-window.ts';
import { denyByDefault } from '#electron/screens/window-guard.ts';

registerAppScheme();
denyByDefault();
// The dialog is the only window, and the process stays for the next one.
app.on('window-all-closed', () => {});

export type DialogQuestion = {
  authorizationUrl: string;
  redirectUri: string;
  limitMs: number;
  browserSession?: DialogRequest['browserSession'];
  transport?: DialogRequest['transport'];
};

let stop = new AbortController();
/** Whether each redirect was prevented, read after all listeners have run. */
const redirects: { url: string; prevented: boolean }[] = [];

app.on('web-contents-created', (_event, contents) => {
  contents.on('will-redirect', (event) => {
    queueMicrotask(() => redirects.push({ url: event.url, prevented: event.defaultPrevented }));
  });
});

Object.assign(globalThis, {
  openDialog({ authorizationUrl, ...question }: DialogQuestion) {
    stop = new AbortController();
    const request: DialogRequest = {
      browserSession: { connectionId: 'sandbox', isSaved: false, isFresh: false },
      transport: { caPem: null, proxyUrl: null },
      ...question,
      authorizationUrl: () => authorizationUrl,
      title: 'Sign in to Sandbox',
      signal: stop.signal,
    };
    return openOAuthWindow(request, systemClock);
  },
  clearBrowserSession,
  stopDialog: () => stop.abort(),
  redirects,
});
