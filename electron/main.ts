// Electron's main process: one instance per data folder, then the app. `startApp` does the composing; here stands only
// what must happen before Electron is ready, and how the program ends.
import { join } from 'node:path';
import { app, dialog } from 'electron';
import { systemClock } from '#contract/clock.ts';
import { AppFailure } from '#core/app-failure.ts';
import { requireWritableFolder } from '#core/database/app-database.ts';
import { registerAppScheme } from './app-scheme.ts';
import { explainClosing } from './app-tray.ts';
import { screenHashOf } from './deep-link.ts';
import { deepLinkScheme, readLaunch } from './launch.ts';
import { startApp } from './start-app.ts';

/** `scripts/start.mjs` takes this exit code for "Electron runs, but Rainbell refused to start", and does not fall back. */
const refusedExitCode = 3;
const builtFolder = import.meta.dirname;
const args = process.argv.slice(process.defaultApp ? 2 : 1);
const { dataFolder, deepLink } = readLaunch(args, process.cwd());
const profileFolder = join(dataFolder, 'electron');

try {
  requireWritableFolder(profileFolder);
  app.setPath('userData', profileFolder);
  app.enableSandbox();
  // Windows shows notifications only of programs that have a name of their own.
  app.setAppUserModelId('org.rainbell.app');
  // From a checkout the scheme would be registered for Electron itself, with this folder as its argument.
  if (app.isPackaged) app.setAsDefaultProtocolClient(deepLinkScheme);
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
  const project = join(builtFolder, '..', '..');
  const { windows, close } = await startApp({
    dataFolder,
    profileFolder,
    builtFolder,
    screensFolder: join(project, 'dist', 'renderer'),
    iconsFolder: join(project, 'electron', 'icons'),
    clock: systemClock,
  });
  app.on('second-instance', (_event, theirArgs, workingFolder) => {
    windows.show(hashOf(readLaunch(theirArgs, workingFolder).deepLink));
  });
  app.on('open-url', (event, url) => {
    event.preventDefault();
    windows.show(hashOf(url));
  });
  app.on('activate', () => windows.show());
  app.on('window-all-closed', () => {
    if (windows.shouldExplainClosing()) explainClosing();
  });
  closeBeforeQuit(close);
  if (await windows.open(hashOf(deepLink))) console.log('Rainbell is open in Electron.');
}

function hashOf(link: string | undefined): string | undefined {
  return link === undefined ? undefined : screenHashOf(link);
}

/** Holds the end of the program until what is being written is written. */
function closeBeforeQuit(close: () => Promise<void>): void {
  let isClosing = false;
  app.on('will-quit', (event) => {
    event.preventDefault();
    if (isClosing) return;
    isClosing = true;
    close().then(
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
