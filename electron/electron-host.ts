// The Electron host's ports: settings through electron-store (the same file as the headless host's), secrets through the
// system's keyring, notifications and links through the system, waking up through powerMonitor.
import { Notification, powerMonitor } from 'electron';
import Store from 'electron-store';
import type { Clock } from '#contract/clock.ts';
import type { Host } from '#core/host.ts';
import type { Log } from '#core/log.ts';
import { openSettingsFile } from '#core/settings/settings-file.ts';
import { forgetBrowserSession } from './dialog-session.ts';
import { openOAuthWindow } from './oauth-window.ts';
import { openSealedSecrets } from './sealed-secrets.ts';
import { openOutside } from './window-guard.ts';

type Options = { dataFolder: string; clock: Clock; log: Log; onNotificationClick: () => void };

/** Electron must be ready. */
export async function createElectronHost({ dataFolder, clock, log, onNotificationClick }: Options): Promise<Host> {
  const settings = openSettingsFile(
    dataFolder,
    clock,
    (name) => new Store({ cwd: dataFolder, name, accessPropertiesByDotNotation: false }),
  );
  const { secrets, notices } = await openSealedSecrets({ folder: dataFolder, clock, log });
  // A notification that nobody refers to is collected, and its click is lost.
  const shown = new Set<Notification>();
  return {
    kind: 'electron',
    notices: [...settings.notices, ...notices],
    secrets,
    settings: settings.port,
    openDialog: (request) => openOAuthWindow(request, clock),
    forgetBrowserSession,
    notify({ title, body, onClick }) {
      if (!Notification.isSupported()) return;
      const notification = new Notification({ title, body });
      shown.add(notification);
      notification.on('click', () => {
        onNotificationClick();
        onClick?.();
      });
      notification.on('close', () => shown.delete(notification));
      notification.show();
    },
    openExternal: async (url) => openOutside(url, log),
    onResume(run) {
      powerMonitor.on('resume', run);
      return () => powerMonitor.off('resume', run);
    },
  };
}
