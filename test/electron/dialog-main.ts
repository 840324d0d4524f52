// A main process that does nothing but offer the OAuth window to a test (on the double only, which runs TypeScript).
import { app } from 'electron';
import { systemClock } from '#contract/clock.ts';
import { openOAuthWindow } from '#electron/oauth-window.ts';
import { denyByDefault } from '#electron/window-guard.ts';

denyByDefault();
// The dialog is the only window, and the process stays for the next one.
app.on('window-all-closed', () => {});

export type DialogQuestion = { authorizationUrl: string; redirectUri: string; limitMs: number };

const stop = new AbortController();

Object.assign(globalThis, {
  openDialog: ({ authorizationUrl, ...question }: DialogQuestion) =>
    openOAuthWindow(
      { ...question, authorizationUrl: () => authorizationUrl, title: 'Sign in to Sandbox', signal: stop.signal },
      systemClock,
    ),
  stopDialog: () => stop.abort(),
});
