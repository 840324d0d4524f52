// The composition root of the Electron host: ports, core, the service in its process, the scheme of the screens, windows
// and menu. Everything that may fail for a reason that the user can fix throws a sentence before a window opens.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { app, session } from 'electron';
import { setProxyResolver } from '@rainbell/shared/node';
import type { Clock } from '@rainbell/shared';
import { createCore, type Log } from '@rainbell/core';
import { installMenu } from './shell/install-menu.ts';
import { closingNotice, showTray } from './shell/app-tray.ts';
import { serveAppScheme } from './windows/app-scheme.ts';
import { createDesktopIntegration, type DesktopIntegration } from './shell/desktop-settings.ts';
import { createElectronHost } from './host/electron-host.ts';
import { createHostNotices } from './system/host-notices.ts';
import { createNotifications } from './system/notifications.ts';
import { resolveSystemProxy } from './system/system-proxy.ts';
import { serveScreenPorts } from './screens/screen-port.ts';
import { createScreenWindows, type ScreenWindows } from './screens/screen-windows.ts';
import { startServiceProcess } from './host/start-service-process.ts';
import { createUnreadBadge } from './shell/unread-badge.ts';
import { denyByDefault, grantScreensPermissions } from './screens/window-guard.ts';

export type AppOptions = {
  dataFolder: string;
  /** Chromium's own files, and the windows' places. */
  profileFolder: string;
  /** Holds the preload and the entries of processes and threads. */
  builtFolder: string;
  screensFolder: string;
  iconsFolder: string;
  clock: Clock;
  log: Log;
  /** Where `log` writes; the service's process writes there too. */
  logFile: string;
};

export type RunningApp = { windows: ScreenWindows; desktop: DesktopIntegration; close: () => Promise<void> };

const preferredServicePort = 8420;

/** Call it when Electron is ready. Throws AppFailure STORAGE if the data folder can't be used. */
export async function startApp(parts: AppOptions): Promise<RunningApp> {
  const { dataFolder, builtFolder, iconsFolder, clock, log, logFile } = parts;
  denyByDefault();
  grantScreensPermissions(session.defaultSession);
  serveAppScheme(session.defaultSession, parts.screensFolder);
  setProxyResolver(resolveSystemProxy);
  const notices = createHostNotices();
  const notifications = createNotifications({ notices, onClick: () => windows.show(), log });
  const windows = createScreenWindows({
    builtFolder,
    profileFolder: parts.profileFolder,
    iconsFolder,
    clock,
    log,
  });
  const desktop = createDesktopIntegration({ screensSession: session.defaultSession, log });
  const host = createElectronHost({ dataFolder, clock, log, notices, notifications, desktop });
  const core = await createCore({
    dataFolder,
    clock,
    log,
    host,
    version: app.getVersion(),
    workers: {
      receiver: worker(builtFolder, 'receiver-worker.js'),
      places: worker(builtFolder, 'places-worker.js'),
      json: worker(builtFolder, 'json-worker.js'),
    },
    releases: { isInstalled: app.isPackaged },
  });
  const service = startServiceProcess({
    builtFolder,
    data: { dataFolder, port: preferredServicePort, logFile, environment: core.serviceEnvironment() },
    clock,
    log,
    onReady: core.connectSandbox,
    onFailed: core.sandboxFailed,
  });
  serveScreenPorts({
    isScreenWindow: windows.has,
    serve: core.serveMessagePort,
    log,
  });
  const quit = () => app.quit();
  const commands = { openWindow: windows.openAnother, showScreen: windows.show };
  const checkForUpdates = () => {
    windows.show('#/settings/privacy');
    core.checkForUpdates();
  };
  installMenu({ ...commands, runCommand: windows.run, checkForUpdates, quit }, dataFolder);
  const tray = showTray({
    iconsFolder,
    status: core.status,
    watch: core.watch,
    isPaused: core.isReceiverPaused,
    showWindow: () => windows.show(),
    showScreen: windows.show,
    showUnread: createUnreadBadge(iconsFolder),
    quit,
  });
  app.on('window-all-closed', () => {
    if (desktop.shouldQuitWithLastWindow()) app.quit();
    else if (windows.shouldExplainClosing()) notifications.show(closingNotice(process.platform));
  });
  return {
    windows,
    desktop,
    close: async () => {
      tray.disable();
      // Core may still have something for the sandbox: a delete that was pending, the code of a sign-in.
      await core.close();
      await service.close();
      tray.close();
    },
  };
}

function worker(builtFolder: string, name: string): URL {
  return pathToFileURL(join(builtFolder, name));
}
