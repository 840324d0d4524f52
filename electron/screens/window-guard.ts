// What a page may not do, whatever it contains: leave the app, open windows, embed other pages, use a device or a permission,
// download, check spelling. Links open in the user's own browser. Only the screens get more: they may write to the clipboard and save files.
import { join } from 'node:path';
import { app, type DownloadItem, type Session, shell, type WebContents } from 'electron';
import type { Log } from '@rainbell/core';
import { isScreensAddress, screensAddress } from '../windows/app-scheme.ts';
import { giveNoClientCertificate } from '../windows/client-certificates.ts';
import { turnSpellingOff } from '../windows/spelling.ts';

/** Sessions and windows with more rights get them afterwards. Call it before the first access to any session, which creates it. */
export function denyByDefault(): void {
  app.on('web-contents-created', (_event, contents) => {
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
    contents.on('will-attach-webview', (event) => event.preventDefault());
    giveNoClientCertificate(contents);
  });
  app.on('session-created', (session) => {
    denyPermissions(session);
    turnSpellingOff(session);
  });
}

/** Denies every permission, device, and download of a session. Notifications come from the main process. */
export function denyPermissions(session: Session): void {
  grantOnly(session, () => false);
  decideDownloads(session, (event) => event.preventDefault());
}

/** The session of the screens: as `denyPermissions`, except for what the screens do and where their files are saved. */
export function grantScreensPermissions(session: Session): void {
  grantOnly(session, (permission, address) => screenPermissions.has(permission) && isScreensAddress(address));
  decideDownloads(session, offerDownload);
}

const screenPermissions: ReadonlySet<string> = new Set([
  // `navigator.clipboard.writeText`, for every Copy button.
  'clipboard-sanitized-write',
]);

function grantOnly(session: Session, isGranted: (permission: string, address: string) => boolean): void {
  session.setPermissionRequestHandler((_contents, permission, decide, { requestingUrl }) => {
    decide(isGranted(permission, requestingUrl));
  });
  session.setPermissionCheckHandler((_contents, permission, origin) => isGranted(permission, origin));
  session.setDevicePermissionHandler(() => false);
}

type DownloadDecision = (event: { preventDefault: () => void }, item: DownloadItem) => void;

/** One decision per session: a prevented download is canceled, whatever other listeners do. */
function decideDownloads(session: Session, decide: DownloadDecision): void {
  session.removeAllListeners('will-download');
  session.on('will-download', decide);
}

/** Lets a download of one of our own pages through, and cancels every other one. Electron asks where to save it. */
export function offerDownload(event: { preventDefault: () => void }, item: DownloadItem): void {
  if (!item.getURL().startsWith(`blob:${screensAddress}`)) {
    event.preventDefault();
    return;
  }
  const name = item.getFilename();
  const [, ending = ''] = /\.([a-z0-9]{1,8})$/i.exec(name) ?? [];
  item.setSaveDialogOptions({
    title: 'Save as',
    defaultPath: join(app.getPath('downloads'), name),
    ...(ending === '' ? {} : { filters: [{ name: ending.toUpperCase(), extensions: [ending] }] }),
    properties: ['createDirectory', 'showOverwriteConfirmation'],
  });
}

/** Keeps a window on the screens; a link elsewhere opens in the system's browser. */
export function restrictNavigation(contents: WebContents, log: Log): void {
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

/** Opens an http or https URL in the user's browser; refuses every other scheme. */
export function openOutside(address: string, log: Log): void {
  const url = URL.parse(address);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    log.warn({ scheme: url?.protocol }, 'refused to open a URL whose scheme is not allowed');
    return;
  }
  shell.openExternal(url.href).catch((error: unknown) => log.warn({ err: error }, 'the browser could not be opened'));
}
