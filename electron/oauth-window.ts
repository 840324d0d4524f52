// The authorization dialog (§4.1) in a window of its own, as RFC 8252 §8.12 bids to be careful with: the host stands in the
// title, the session is the connection's own and forgotten in the end unless the person keeps it, and the redirect is caught
// before anything is loaded from it, so a redirect address on a dead port or with a private scheme works as well.
import { BrowserWindow, type BrowserWindowConstructorOptions, type Session, type WebContents } from 'electron';
import type { Clock } from '#contract/clock.ts';
import type { DialogOutcome, DialogRequest } from '#core/host.ts';
import { offerClientCertificates } from './client-certificates.ts';
import { showContextMenu } from './context-menu.ts';
import { allowDeveloperTools } from './developer-tools.ts';
import { answerLogins } from './credentials-prompt.ts';
import { forgetUnlessKept, openDialogSession } from './dialog-session.ts';
import { isAnswerTo, mayLoad } from './redirect-match.ts';

/** An error that Chromium reports for a navigation that was prevented; the prevention has its own reason. */
const aborted = -3;

type Settle = (outcome: DialogOutcome) => void;

/** Resolves once, with how it ended; the window and what it stored are gone by then. */
export async function openOAuthWindow(request: DialogRequest, clock: Clock): Promise<DialogOutcome> {
  const address = request.authorizationUrl(request.redirectUri);
  if (!mayLoad(address)) return refusal(address);
  if (request.signal.aborted) return { kind: 'closed' };
  const partition = await openDialogSession(request, clock);
  if (request.signal.aborted) return { kind: 'closed' };
  const window = new BrowserWindow(windowOptions(request.title, partition));
  try {
    return await new Promise<DialogOutcome>((resolve) => {
      guard(window, request, partition, { popups: new Set(), settle: resolve });
      watchFailures(window.webContents, resolve);
      window.once('closed', () => resolve({ kind: 'closed' }));
      request.signal.addEventListener('abort', () => resolve({ kind: 'closed' }), { once: true });
      const cancelLimit = clock.after(request.limitMs, () => resolve({ kind: 'timed-out' }));
      window.once('closed', cancelLimit);
      window.once('ready-to-show', () => window.show());
      // What goes wrong arrives by did-fail-load; the rejection says the same once more.
      window.loadURL(address).catch(() => {});
    });
  } finally {
    if (!window.isDestroyed()) window.destroy();
    await forgetUnlessKept(partition, request.browserSession);
  }
}

function windowOptions(title: string, partition: Session): BrowserWindowConstructorOptions {
  return {
    title,
    width: 520,
    height: 720,
    show: false,
    autoHideMenuBar: true,
    webPreferences: {
      session: partition,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
    },
  };
}

type Dialog = { popups: Set<BrowserWindow>; settle: Settle };

/** A sign-in page that needs more is not a sign-in page. */
const mostPopups = 4;

/**
 * What holds for the window and for each popup of its pages: redirects are caught, the host is in the title, logins and certificates
 * are asked about. Popups share the session, so that a login by a third party works, and end with the window.
 */
function guard(window: BrowserWindow, request: DialogRequest, partition: Session, dialog: Dialog): void {
  const { popups, settle } = dialog;
  const isPopup = popups.has(window);
  // No menu, so that a page can't hide behind ours; developers still inspect what the sign-in page does.
  window.removeMenu();
  showContextMenu(window.webContents);
  allowDeveloperTools(window.webContents);
  offerClientCertificates(window);
  answerLogins(window);
  showWhere(window, request.title);
  const contents = window.webContents;
  contents.setWindowOpenHandler(({ url }) => {
    if (popups.size >= mostPopups || (url !== 'about:blank' && !mayLoad(url))) return { action: 'deny' };
    const options = { ...windowOptions(request.title, partition), show: true };
    return { action: 'allow', overrideBrowserWindowOptions: options };
  });
  contents.on('did-create-window', (popup) => {
    popups.add(popup);
    popup.once('closed', () => popups.delete(popup));
    guard(popup, request, partition, dialog);
  });
  const look = (event: { preventDefault: () => void }, url: string) => {
    if (isAnswerTo(request.redirectUri, url)) {
      event.preventDefault();
      settle({ kind: 'redirected', url });
    } else if (!mayLoad(url)) {
      event.preventDefault();
      // A popup that goes astray is stopped; the sign-in goes on in its window.
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
    const host = URL.canParse(url) ? new URL(url).host : url;
    settle({ kind: 'failed', message: `The sign-in page of ${host} could not be loaded (${description || code}).` });
  });
  contents.on('render-process-gone', () => {
    settle({ kind: 'failed', message: 'The sign-in page stopped working. Try again.' });
  });
}

/** The host that the person is about to tell a password stands in the title bar, and the page cannot change that. */
function showWhere(window: BrowserWindow, title: string): void {
  window.on('page-title-updated', (event) => event.preventDefault());
  window.webContents.on('did-navigate', (_event, url) => {
    if (URL.canParse(url)) window.setTitle(`${new URL(url).host} – ${title}`);
  });
}

function refusal(address: string): DialogOutcome {
  const where = URL.canParse(address)
    ? `${new URL(address).protocol}//${new URL(address).host}`
    : 'an unreadable address';
  return {
    kind: 'failed',
    message: `The sign-in wanted to go to ${where}, which is neither https nor on this machine. It was stopped; check the connection's dialog address and redirect address.`,
  };
}
