// Offers to reload a window whose page stopped working: its renderer crashed or ran out of memory. Core keeps running.
import { type BrowserWindow, dialog } from 'electron';
import type { Log } from '@rainbell/core';

export function reloadAfterCrash(window: BrowserWindow, log: Log): void {
  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    log.error({ reason, exitCode }, 'a window’s page stopped working');
    promptToReload(window).catch((error: unknown) =>
      log.error({ err: error }, 'the prompt to reload a stopped window could not be shown'),
    );
  });
  window.on('unresponsive', () => log.warn('a window’s page is not responding'));
  window.on('responsive', () => log.warn('a window’s page is responding again'));
}

async function promptToReload(window: BrowserWindow): Promise<void> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'warning',
    title: 'Rainbell',
    message: 'The page in this window stopped working.',
    detail:
      process.platform === 'darwin'
        ? 'Callbacks are still being received, but unsaved changes in the window were lost. Reload the page, or close the window and open it later from the Dock or the menu bar.'
        : 'Callbacks are still being received, but unsaved changes in the window were lost. Reload the page, or close the window and open it later from the tray.',
    buttons: ['Reload', 'Close the window'],
    defaultId: 0,
    cancelId: 1,
    noLink: true,
  });
  if (window.isDestroyed()) return;
  if (response === 0) window.webContents.reload();
  else window.destroy();
}
