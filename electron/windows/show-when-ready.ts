// Shows a window that was created hidden, so that the first thing the user sees of it is its page.
import type { BrowserWindow } from 'electron';
import type { Clock } from '@rainbell/shared';

/** How long the first paint of a page may take once its document has loaded. */
const paintLimitMs = 500;

/**
 * Shows it once: at the first paint, or soon after the document is there or failed to load. A hidden window may never paint under
 * Wayland, so `ready-to-show` is not enough: https://github.com/electron/electron/issues/48859. `did-finish-load` would wait for the
 * last image, which may never arrive.
 */
export function showWhenReady(window: BrowserWindow, clock: Clock): void {
  let isShown = false;
  const showOnce = () => {
    if (isShown || window.isDestroyed()) return;
    isShown = true;
    window.show();
  };
  const showSoon = () => void clock.after(paintLimitMs, showOnce);
  window.once('ready-to-show', showOnce);
  window.webContents.once('dom-ready', showSoon);
  window.webContents.on('did-fail-load', (_event, _code, _description, _url, isMainFrame) => {
    if (isMainFrame) showSoon();
  });
}
