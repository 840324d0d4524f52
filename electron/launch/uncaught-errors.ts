// Uncaught errors in Electron's main process. Without these listeners Electron shows the stack in a dialog, and nothing is logged.
import { app, dialog } from 'electron';
import type { Log } from '@rainbell/core';
import { relaunch } from './relaunch.ts';

/** Logs every uncaught error and every crash of a helper process; shows one error at a time to the user. */
export function reportUncaughtErrors({ log, logFile }: { log: Log; logFile: string }): void {
  let isShown = false;
  const report = (error: unknown) => {
    log.error({ err: error }, 'uncaught error in the main process');
    console.error(error);
    if (isShown || !app.isReady()) return;
    isShown = true;
    show(error, logFile)
      .catch((failure: unknown) => log.error({ err: failure }, 'an uncaught error could not be shown'))
      .finally(() => (isShown = false));
  };
  process.on('uncaughtException', report);
  process.on('unhandledRejection', report);
  app.on('child-process-gone', (_event, { type, reason, exitCode, name, serviceName }) => {
    if (reason !== 'clean-exit') {
      log.error({ type, reason, exitCode, name, serviceName }, 'a helper process stopped working');
    }
  });
}

async function show(error: unknown, logFile: string): Promise<void> {
  const { response } = await dialog.showMessageBox({
    type: 'error',
    title: 'Rainbell',
    message: 'Rainbell ran into an unexpected error.',
    detail: `${error instanceof Error ? error.message : String(error)}\n\nThe app is still running. If something no longer works, restart it. The log has the details: ${logFile}`,
    buttons: ['Continue', 'Restart Rainbell'],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  });
  if (response !== 1) return;
  relaunch();
  app.quit();
}
