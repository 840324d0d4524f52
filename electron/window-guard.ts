// What a page may not do, whatever is in it: leave the app, open windows, embed other pages, ask for permissions, download.
// Links go to the person's own browser. One permission is given, to the screens alone: showing pictures from this network,
// since weather icons come from the connected service, and that one often runs on this machine.
import { app, type Session, shell, type WebContents } from 'electron';
import type { Log } from '#core/log.ts';
import { isScreensAddress } from './app-scheme.ts';
import { giveNoClientCertificate } from './client-certificates.ts';

/** Refuses for every page and session what no window of ours needs; windows with more rights grant them themselves. */
export function denyByDefault(): void {
  app.on('web-contents-created', (_event, contents) => {
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
    contents.on('will-attach-webview', (event) => event.preventDefault());
    giveNoClientCertificate(contents);
  });
  app.on('session-created', denyPermissions);
}

/** Refuses every permission of one session (notifications come from the main process), and every download. */
export function denyPermissions(session: Session): void {
  grantOnly(session, () => false);
  // A kept session comes here at each sign-in.
  session.removeAllListeners('will-download');
  session.on('will-download', (event) => event.preventDefault());
}

/** The session of the screens: as `denyPermissions`, but for Chromium's Local Network Access. */
export function grantScreensPermissions(session: Session): void {
  grantOnly(session, (permission, address) => networkPermissions.has(permission) && isScreensAddress(address));
}

/** What Chromium asks for before a page may load anything from a private address; the policy of the page allows pictures. */
const networkPermissions: ReadonlySet<string> = new Set(['local-network-access', 'local-network', 'loopback-network']);

function grantOnly(session: Session, isGranted: (permission: string, address: string) => boolean): void {
  session.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl }) => {
    answer(isGranted(permission, requestingUrl));
  });
  session.setPermissionCheckHandler((_contents, permission, origin) => isGranted(permission, origin));
  session.setDevicePermissionHandler(() => false);
}

/** Keeps a window on the screens; a link elsewhere opens in the system's browser. */
export function keepOnScreens(contents: WebContents, log: Log): void {
  contents.setWindowOpenHandler(({ url }) => {
    openOutside(url, log);
    return { action: 'deny' };
  });
  contents.on('will-frame-navigate', (event) => {
    if (event.isMainFrame && isScreensAddress(event.url)) return;
    event.preventDefault();
    if (event.isMainFrame) openOutside(event.url, log);
  });
  contents.on('will-redirect', (event) => event.preventDefault());
}

/** Opens an http or https address in the person's own browser; refuses every other scheme. */
export function openOutside(address: string, log: Log): void {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    log.warn({ scheme: url?.protocol }, 'an address of a scheme that is never opened was refused');
    return;
  }
  shell.openExternal(url.href).catch((error: unknown) => log.warn({ err: error }, 'the browser could not be opened'));
}
