// What holds for every page that Rainbell shows, and for the windows of a sign-in.
import type { BrowserWindow, BrowserWindowConstructorOptions, Session, WebContents } from 'electron';

/** Sandboxed, without Node, webviews, or opening of dropped files. */
export const isolatedPage = {
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  webviewTag: false,
  navigateOnDragDrop: false,
} as const;

/** Options of a sign-in window. Typed passwords are not spell-checked. */
export function signInWindowOptions(title: string, session: Session): BrowserWindowConstructorOptions {
  return {
    title,
    autoHideMenuBar: true,
    webPreferences: { ...isolatedPage, session, spellcheck: false },
  };
}

/** Removes the menu, so that a page can't imitate one, and keeps the page from changing the title. */
export function keepTitle(window: BrowserWindow): void {
  window.removeMenu();
  window.on('page-title-updated', (event) => event.preventDefault());
}

/** Opens developer tools by their usual keys in a window without a menu. */
export function allowDeveloperTools(contents: WebContents): void {
  contents.on('before-input-event', (event, { type, code, control, shift, meta, alt }) => {
    if (type !== 'keyDown') return;
    const isShortcut =
      code === 'F12' || (code === 'KeyI' && (process.platform === 'darwin' ? meta && alt : control && shift));
    if (!isShortcut) return;
    event.preventDefault();
    contents.toggleDevTools();
  });
}
