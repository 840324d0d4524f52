// Electron's main process: one instance per data folder, then the app. `startApp` does the composing; here stands only
// what must happen before Electron is ready, and how the program ends.
import { join } from 'node:path';
import { app, dialog } from 'electron';
import { systemClock } from '#contract/clock.ts';
import { AppFailure } from '#core/app-failure.ts';
import { requireWritableFolder } from '#core/database/app-database.ts';
import { registerAppScheme } from './app-scheme.ts';
import { readLaunch } from './launch.ts';
import { type RunningApp, startApp } from './start-app.ts';

/** `scripts/start.mjs` takes this exit code for "Electron runs, but Rainbell refused to start", and does not fall back. */
const refusedExitCode = 3;
const builtFolder = import.meta.dirname;
const args = process.argv.slice(process.defaultApp ? 2 : 1);
const { dataFolder } = readLaunch(args, process.cwd());
const profileFolder = join(dataFolder, 'electron');

try {
  requireWritableFolder(profileFolder);
  app.setPath('userData', profileFolder);
  app.enableSandbox();
  registerAppScheme();
  if (app.requestSingleInstanceLock()) {
    // Not awaited: Electron becomes ready only after this module has been evaluated.
    app.whenReady().then(run).catch(refuse);
  } else {
    console.log('Rainbell is already open with this data folder; its window comes to the front.');
    app.quit();
  }
} catch (error) {
  refuse(error);
}

async function run(): Promise<void> {
  const screensFolder = join(builtFolder, '..', 'renderer');
  const running = await startApp({ dataFolder, profileFolder, builtFolder, screensFolder, clock: systemClock });
  app.on('second-instance', running.windows.show);
  app.on('activate', running.windows.show);
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  closeBeforeQuit(running);
  await running.windows.open();
  console.log('Rainbell is open in Electron.');
}

/** Holds the end of the program until what is being written is written. */
function closeBeforeQuit(running: RunningApp): void {
  let isClosing = false;
  app.on('will-quit', (event) => {
    event.preventDefault();
    if (isClosing) return;
    isClosing = true;
    running.close().then(
      () => app.exit(0),
      (error: unknown) => {
        console.error(error);
        app.exit(1);
      },
    );
  });
}

function refuse(error: unknown): void {
  const sentence = error instanceof AppFailure ? error.message : `Rainbell could not start: ${String(error)}`;
  console.error(sentence);
  if (app.isReady()) dialog.showErrorBox('Rainbell could not start', sentence);
  app.exit(refusedExitCode);
}
