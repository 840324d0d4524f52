// Reloads a window whose page stopped working (its renderer crashed or ran out of memory), once and with a notice; core keeps
// running. If the page stops again soon, it is not reloaded in a loop: the user decides.
import { type BrowserWindow, dialog } from 'electron';
import type { Clock } from '@rainbell/shared';
import type { Log } from '@rainbell/core';
import type { Notifications } from '../system/notifications.ts';

const soonMs = 60_000;

type Options = { clock: Clock; log: Log; notifications: Notifications };

export function reloadAfterCrash(window: BrowserWindow, { clock, log, notifications }: Options): void {
  let recoveredAt = Number.NEGATIVE_INFINITY;
  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    log.error({ reason, exitCode }, 'a window’s page stopped working');
    const isAgain = clock.elapsed() - recoveredAt < soonMs;
    recoveredAt = clock.elapsed();
    if (isAgain) {
      promptToReload(window).catch((error: unknown) =>
        log.error({ err: error }, 'the prompt to reload a stopped window could not be shown'),
      );
      return;
    }
    window.webContents.reload();
    notifications.show(reloadedNotice);
  });
  window.on('unresponsive', () => log.warn('a window’s page is not responding'));
  window.on('responsive', () => log.warn('a window’s page is responding again'));
}

const reloadedNotice = {
  title: 'Rainbell’s window was reloaded',
  body: 'Its page stopped working. Callbacks were still being received, but unsaved changes in the window were lost.',
};

async function promptToReload(window: BrowserWindow): Promise<void> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'warning',
    title: 'Rainbell',
    message: 'The page in this window stopped working again.',
    detail:
      process.platform === 'darwin'
        ? 'Callbacks are still being received. Reload the page, or close the window and open it later from the Dock or the menu bar.'
        : 'Callbacks are still being received. Reload the page, or close the window and open it later from the tray.',
    buttons: ['Reload', 'Close the window'],
    defaultId: 0,
    cancelId: 1,
    noLink: true,
  });
  if (window.isDestroyed()) return;
  if (response === 0) window.webContents.reload();
  else window.destroy();
}
