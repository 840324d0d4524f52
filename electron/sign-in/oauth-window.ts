// The service's authorization page in a window of the app. RFC 8252, section 8.12, warns of such windows, so the title shows the host,
// each connection has its own session, which is cleared in the end unless the user keeps it, and the redirect is caught before
// anything loads from it. A redirect URL on a dead port or with a private scheme therefore works too.
import { BrowserWindow, type BrowserWindowConstructorOptions, type Session, type WebContents } from 'electron';
import type { Clock } from '@rainbell/shared';
import type { DialogOutcome, DialogRequest } from '@rainbell/core';
import { offerClientCertificates } from '../windows/client-certificates.ts';
import { showWhenReady } from '../windows/show-when-ready.ts';
import { showContextMenu } from '../windows/context-menu.ts';
import { handleLogins } from './handle-logins.ts';
import { clearUnlessPersistent, openDialogSession } from './dialog-session.ts';
import { isRedirectTo, mayLoad } from './redirect-match.ts';
import { allowDeveloperTools, keepTitle, signInWindowOptions } from '../windows/web-preferences.ts';

/** Chromium's net::ERR_ABORTED, for a navigation that the app prevented and handled. */
const aborted = -3;

type Settle = (outcome: DialogOutcome) => void;

/** Resolves once, with how the sign-in ended; the window is closed and its session cleared by then. */
export async function openOAuthWindow(request: DialogRequest, clock: Clock): Promise<DialogOutcome> {
  const address = request.authorizationUrl(request.redirectUri);
  if (!mayLoad(address)) return refusal(address);
  if (request.signal.aborted) return { kind: 'closed' };
  const partition = await openDialogSession(request, clock);
  try {
    return request.signal.aborted ? { kind: 'closed' } : await showDialog(request, address, partition, clock);
  } finally {
    await clearUnlessPersistent(partition, request.browserSession);
  }
}

async function showDialog(
  request: DialogRequest,
  address: string,
  partition: Session,
  clock: Clock,
): Promise<DialogOutcome> {
  const window = new BrowserWindow(windowOptions(request.title, partition));
  try {
    return await new Promise<DialogOutcome>((resolve) => {
      guard(window, request, partition, { popups: new Set(), settle: resolve });
      watchFailures(window.webContents, resolve);
      window.once('closed', () => resolve({ kind: 'closed' }));
      request.signal.addEventListener('abort', () => resolve({ kind: 'closed' }), { once: true });
      const cancelLimit = clock.after(request.limitMs, () => resolve({ kind: 'timed-out' }));
      window.once('closed', cancelLimit);
      showWhenReady(window, clock);
      // did-fail-load reports the same failure.
      window.loadURL(address).catch(() => {});
    });
  } finally {
    if (!window.isDestroyed()) window.destroy();
  }
}

function windowOptions(title: string, partition: Session): BrowserWindowConstructorOptions {
  return { ...signInWindowOptions(title, partition), width: 520, height: 720, show: false };
}

type Dialog = { popups: Set<BrowserWindow>; settle: Settle };

/** More than any sign-in page needs. */
const maximumPopups = 4;

/** Guards the window and its pages' popups, which share the session, so that a third party's login works, and close with the window. */
function guard(window: BrowserWindow, request: DialogRequest, partition: Session, dialog: Dialog): void {
  const { popups, settle } = dialog;
  const isPopup = popups.has(window);
  keepTitle(window);
  showContextMenu(window.webContents);
  allowDeveloperTools(window.webContents);
  offerClientCertificates(window);
  handleLogins(window);
  showHost(window, request.title);
  const contents = window.webContents;
  contents.setWindowOpenHandler(({ url }) => {
    if (popups.size >= maximumPopups || (url !== 'about:blank' && !mayLoad(url))) return { action: 'deny' };
    // Its first page may be empty, and an empty page is never ready to be shown.
    const options = { ...windowOptions(request.title, partition), show: true };
    return { action: 'allow', overrideBrowserWindowOptions: options };
  });
  contents.on('did-create-window', (popup) => {
    popups.add(popup);
    popup.once('closed', () => popups.delete(popup));
    guard(popup, request, partition, dialog);
  });
  const look = (event: { preventDefault: () => void }, url: string) => {
    if (isRedirectTo(request.redirectUri, url)) {
      event.preventDefault();
      settle({ kind: 'redirected', url });
    } else if (!mayLoad(url)) {
      event.preventDefault();
      // The popup is stopped; the sign-in continues in its window.
      if (!isPopup) settle(refusal(url));
    }
  };
  contents.on('will-redirect', (event) => {
    if (event.isMainFrame) look(event, event.url);
  });
  contents.on('will-navigate', (event) => look(event, event.url));
}

function watchFailures(contents: WebContents, settle: Settle): void {
  contents.on('did-fail-load', (_event, code, description, url, isMainFrame) => {
    if (!isMainFrame || code === aborted) return;
    const host = URL.parse(url)?.host ?? url;
    settle({ kind: 'failed', message: `The sign-in page of ${host} could not be loaded (${description || code}).` });
  });
  contents.on('render-process-gone', () => {
    settle({ kind: 'failed', message: 'The sign-in page stopped working. Try again.' });
  });
}

/** Shows in the title bar which host gets what the user types. */
function showHost(window: BrowserWindow, title: string): void {
  window.webContents.on('did-navigate', (_event, url) => {
    const host = URL.parse(url)?.host;
    if (host !== undefined) window.setTitle(`${host} – ${title}`);
  });
}

function refusal(address: string): DialogOutcome {
  const url = URL.parse(address);
  const where = url ? `${url.protocol}//${url.host}` : 'an invalid URL';
  return {
    kind: 'failed',
    message: `Rainbell blocked ${where}: the sign-in can open only https URLs and URLs on this computer. Check the connection’s sign-in URL and redirect URL.`,
  };
}
