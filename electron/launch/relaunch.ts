// Starts the app again after it has quit.
import { spawn } from 'node:child_process';
import { app } from 'electron';
import { appImageOf } from '../system/app-image.ts';

/** Call it before `app.quit` or `app.exit`. */
export function relaunch(): void {
  const appImage = appImageOf();
  if (appImage === undefined) {
    app.relaunch();
    return;
  }
  // Electron's own way waits in a helper process from the AppImage's mount, which ends with this process. Everything is closed when
  // `quit` is emitted, and Electron gives up its lock right after it (shell/browser/api/electron_api_app.cc, OnQuit).
  app.once('quit', () => spawn(appImage, process.argv.slice(1), { detached: true, stdio: 'ignore' }).unref());
}
