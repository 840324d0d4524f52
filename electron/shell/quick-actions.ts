// Actions on the app's icon, without its window: the Dock menu on macOS and the Jump List on Windows. Linux has
// none: they would be in the package's desktop file, and an AppImage has no fixed path.
import { app, Menu } from 'electron';
import { deepLinkScheme } from '#core/hosting/deep-link.ts';

type Commands = { openWindow: () => void; showScreen: (hash: string) => void };

const screens = ['Forecast', 'Monitors', 'Callbacks'] as const;

/** The Jump List starts the program with a link, so only an installed app gets one. */
export function showQuickActions({ openWindow, showScreen }: Commands, dataFolder: string): void {
  app.dock?.setMenu(
    Menu.buildFromTemplate([
      { label: 'New Window', click: openWindow },
      ...screens.map((label) => ({ label, click: () => showScreen(`#/${label.toLowerCase()}`) })),
    ]),
  );
  if (process.platform !== 'win32' || !app.isPackaged) return;
  app.setUserTasks(
    screens.map((title) => ({
      program: process.execPath,
      arguments: `--data "${dataFolder}" ${deepLinkScheme}://${title.toLowerCase()}`,
      title,
      description: `Open ${title} in Rainbell`,
      iconPath: process.execPath,
      iconIndex: 0,
    })),
  );
}
