// The Electron host's ports: electron-store (the headless host's file), the system's keyring, notifications, links, and powerMonitor.
import { app, powerMonitor } from 'electron';
import Store from 'electron-store';
import type { Clock } from '@rainbell/shared';
import { type Host, type Log, openSettingsFile } from '@rainbell/core';
import { privateFileMode } from '@rainbell/shared/node';
import { relaunch } from '../launch/relaunch.ts';
import type { DesktopIntegration } from '../shell/desktop-settings.ts';
import { clearBrowserSession } from '../sign-in/dialog-session.ts';
import type { HostNotices } from '../system/host-notices.ts';
import type { Notifications } from '../system/notifications.ts';
import { openOAuthWindow } from '../sign-in/oauth-window.ts';
import { openSealedSecrets } from './sealed-secrets.ts';
import { openOutside } from '../screens/window-guard.ts';

type Options = {
  dataFolder: string;
  clock: Clock;
  log: Log;
  notices: HostNotices;
  notifications: Notifications;
  desktop: DesktopIntegration;
};

/** Electron must be ready. Waits for nothing: `notices` reports a keyring that does not open. */
export function createElectronHost(options: Options): Host {
  const { dataFolder, clock, log, notices, notifications, desktop } = options;
  const settings = openSettingsFile(
    dataFolder,
    clock,
    (name) =>
      new Store({ cwd: dataFolder, name, accessPropertiesByDotNotation: false, configFileMode: privateFileMode }),
  );
  return {
    kind: 'electron',
    notices: () => [...settings.notices, ...notices.list()],
    onNotices: notices.onChange,
    secrets: openSealedSecrets({ folder: dataFolder, clock, log, notices }),
    settings: settings.port,
    applySettings: desktop.apply,
    desktop: desktop.state,
    openDialog: (request) => openOAuthWindow(request, clock),
    clearBrowserSession,
    notify: notifications.show,
    restart() {
      relaunch();
      app.quit();
    },
    openExternal: async (url) => openOutside(url, log),
    onResume(run) {
      powerMonitor.on('resume', run);
      return () => powerMonitor.off('resume', run);
    },
  };
}
