// Electron's main process: one instance per data folder, what must happen before Electron is ready, and how the program ends.
import { join } from 'node:path';
import { app, dialog, powerMonitor, shell } from 'electron';
import { systemClock } from '@rainbell/shared';
import {
  deepLinkScheme,
  describeStartFailure,
  FolderInUse,
  hashOfDeepLink,
  type Log,
  openLog,
  requestNewAddress,
  requireWritableFolder,
} from '@rainbell/core';
import { registerAppScheme } from './windows/app-scheme.ts';
import { readCommand, runCommand } from './launch/command-mode.ts';
import { readLaunch } from './system/launch.ts';
import { followLaunches, type LaunchData, type Launches } from './launch/launches.ts';
import { type RunningApp, startApp } from './start-app.ts';
import { reportUncaughtErrors } from './launch/uncaught-errors.ts';

/** `scripts/start.mjs` reads this exit code as "Electron runs, but Rainbell refused to start", and does not fall back. */
const refusedExitCode = 3;
const builtFolder = import.meta.dirname;
// A closed terminal or pipe, or a full disk, must not end this program.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
const args = process.argv.slice(process.defaultApp ? 2 : 1);
const command = readCommand(args);
// Holds Electron back until the command has ended the process; windows and the lock are for the app only.
if (command !== undefined) await runCommand(command, builtFolder);
const { dataFolder, deepLink, isHidden } = readLaunch(args, process.cwd());
const profileFolder = join(dataFolder, 'electron');
const logFile = join(dataFolder, 'logs', 'rainbell.log');

try {
  requireWritableFolder(profileFolder);
  app.setPath('userData', profileFolder);
  // It would remove --no-sandbox from the command line, even if the user or the AppImage's launcher set it.
  if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
  // Windows shows notifications only of a program with an ID. From a checkout it is Electron's own program: with Rainbell's ID,
  // Electron would leave a shortcut in the Start menu that opens an empty Electron as Rainbell.
  app.setAppUserModelId(app.isPackaged ? 'org.rainbell.app' : process.execPath);
  // From a checkout the scheme would be registered for Electron itself, with this folder as its argument.
  if (app.isPackaged) app.setAsDefaultProtocolClient(deepLinkScheme);
  registerAppScheme();
  quitWithParent();
  if (app.requestSingleInstanceLock({ deepLink: deepLink ?? null } satisfies LaunchData)) {
    const log = openLog(logFile, 'app');
    reportUncaughtErrors({ log, logFile });
    const launches = followLaunches(deepLink);
    // Not awaited: Electron becomes ready only after this module has been evaluated.
    const running = app.whenReady().then(() => run(launches, log));
    closeBeforeQuit(running, launches, log);
    running.catch(openRunning);
  } else {
    console.log('Rainbell is already open with this data folder; bringing its window to the front.');
    app.quit();
  }
} catch (error) {
  refuse(error);
}

async function run(launches: Launches, log: Log): Promise<RunningApp> {
  quitWithSession();
  const project = join(builtFolder, '..', '..');
  const running = await startApp({
    dataFolder,
    profileFolder,
    builtFolder,
    screensFolder: join(project, 'dist', 'renderer'),
    iconsFolder: join(project, 'electron', 'icons'),
    clock: systemClock,
    log,
    logFile,
  });
  const firstHash = launches.lead(running.windows);
  if (firstHash === undefined && running.desktop.startsHidden(isHidden)) {
    console.log('Rainbell is running in the tray.');
    return running;
  }
  running.windows
    .open(firstHash)
    .then((isOpen) => {
      if (!isOpen) return;
      console.log('Rainbell is open in Electron.');
      log.info({ ms: Math.round(performance.now()) }, 'the first window is open');
    })
    .catch(refuse);
  return running;
}

/** scripts/start.mjs sends `quit`: on Windows a signal would end the process at once. The channel also closes with the start script. */
function quitWithParent(): void {
  process.on('message', (message) => {
    if (message === 'quit') app.quit();
  });
  process.on('disconnect', () => app.quit());
}

/** Delays the end of the program until everything is written, whatever state the app is in. */
function closeBeforeQuit(running: Promise<RunningApp>, launches: Launches, log: Log): void {
  let isClosing = false;
  const closeAll = async () => {
    try {
      await (await running).close();
      return 0;
    } catch (error) {
      log.error({ err: error }, 'the app did not shut down cleanly');
      return 1;
    }
  };
  app.on('will-quit', (event) => {
    // There is nothing to close yet, and Electron may never become ready.
    if (!app.isReady()) return;
    event.preventDefault();
    if (isClosing) return;
    isClosing = true;
    launches.end();
    void closeAll().then((code) => app.exit(code));
  });
}

/** Quits in order when the user logs out or the machine shuts down. */
function quitWithSession(): void {
  // Linux and macOS wait for an app that prevents the default (electron.d.ts leaves the event out).
  const quitInTime = (event: { preventDefault: () => void }) => {
    event.preventDefault();
    app.quit();
  };
  powerMonitor.on('shutdown', quitInTime as unknown as () => void);
  // Windows notifies only windows, and gives the app some seconds.
  app.on('browser-window-created', (_event, window) => window.on('session-end', () => app.quit()));
}

/** If Rainbell serves this folder to a browser, opens a fresh address of it in place of a window. */
async function openRunning(error: unknown): Promise<void> {
  const hash = deepLink === undefined ? undefined : hashOfDeepLink(deepLink);
  const url = error instanceof FolderInUse ? await requestNewAddress(dataFolder, hash) : undefined;
  if (url === undefined) return refuse(error);
  console.log(
    `Rainbell is already running in browser mode. Open this URL; it works once and expires after 2 minutes:\n\n  ${url}\n`,
  );
  await shell.openExternal(url).catch(() => {});
  app.exit(0);
}

function refuse(error: unknown): void {
  const sentence = describeStartFailure(error, dataFolder);
  console.error(sentence);
  if (app.isReady()) dialog.showErrorBox('Rainbell could not start', sentence);
  app.exit(refusedExitCode);
}
