// The composition root of the Electron host: ports, core, the service in its process, the scheme of the screens, windows
// and menu. Everything that may fail for a reason of the person's throws a sentence before a window opens.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { app, session } from 'electron';
import type { Clock } from '#contract/clock.ts';
import { createCore } from '#core/create-core.ts';
import { openLog } from '#core/hosting/log-file.ts';
import { installMenu } from './app-menu.ts';
import { showTray } from './app-tray.ts';
import { serveAppScheme } from './app-scheme.ts';
import { createElectronHost } from './electron-host.ts';
import { serveScreenPorts } from './screen-port.ts';
import { offerDownloads } from './screen-downloads.ts';
import { createScreenWindows, type ScreenWindows } from './screen-windows.ts';
import { startServiceProcess } from './service-host.ts';
import { denyByDefault, grantScreensPermissions } from './window-guard.ts';

export type AppParts = {
  dataFolder: string;
  /** Chromium's own files, and the windows' places. */
  profileFolder: string;
  /** Where preload and the entries of processes and threads lie. */
  builtFolder: string;
  /** The built screens. */
  screensFolder: string;
  iconsFolder: string;
  clock: Clock;
};

export type RunningApp = { windows: ScreenWindows; close: () => Promise<void> };

const preferredServicePort = 8420;

/** Call it when Electron is ready. Throws AppFailure STORAGE where the data folder cannot be used. */
export async function startApp(parts: AppParts): Promise<RunningApp> {
  const { dataFolder, builtFolder, clock } = parts;
  const logFile = join(dataFolder, 'logs', 'rainbell.log');
  const log = openLog(logFile, 'app');
  denyByDefault();
  grantScreensPermissions(session.defaultSession);
  offerDownloads(session.defaultSession);
  serveAppScheme(session.defaultSession, parts.screensFolder);
  const windows = createScreenWindows({ builtFolder, profileFolder: parts.profileFolder, clock, log });
  const host = await createElectronHost({ dataFolder, clock, log, onNotificationClick: () => windows.show() });
  const core = await createCore({
    dataFolder,
    clock,
    log,
    host,
    version: app.getVersion(),
    sandbox: undefined,
    workers: { receiver: worker(builtFolder, 'receiver-worker.js'), places: worker(builtFolder, 'places-worker.js') },
  });
  const service = startServiceProcess({
    builtFolder,
    data: { dataFolder, port: preferredServicePort, logFile },
    clock,
    onReady: core.connectSandbox,
    onFailed: core.sandboxFailed,
  });
  serveScreenPorts({ isScreenWindow: windows.has, serve: core.serveMessagePort, log });
  const quit = () => app.quit();
  installMenu({ openWindow: windows.openAnother, showScreen: windows.show, quit }, dataFolder);
  const tray = showTray({
    iconsFolder: parts.iconsFolder,
    status: core.status,
    watch: core.watch,
    pause: core.receiverPause,
    setPause: core.pauseReceiver,
    showWindow: () => windows.show(),
    showScreen: windows.show,
    quit,
  });
  return {
    windows,
    close: async () => {
      tray.close();
      await Promise.all([core.close(), service.close()]);
    },
  };
}

function worker(builtFolder: string, name: string): URL {
  return pathToFileURL(join(builtFolder, name));
}
