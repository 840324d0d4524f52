// The application menu, with a shortcut for each screen. On Windows and Linux it is in the window; on a Mac at the top of the
// display. Labels of roles come from Electron, in the system's order.
import { app, BrowserWindow, Menu, type MenuItemConstructorOptions, shell } from 'electron';
import { projectPage } from '#shared/project.ts';
import type { FindBar } from '#electron/windows/find-bar.ts';

export type MenuCommands = {
  openWindow: () => void;
  showScreen: (hash: string) => void;
  checkForUpdates: () => void;
  /** The find bar of a window; undefined if the window is not one of the app's screens. */
  findBar: (window: BrowserWindow) => FindBar | undefined;
  quit: () => void;
};

const separator: MenuItemConstructorOptions = { type: 'separator' };

const screens = [
  ['Forecast', '#/forecast'],
  ['Monitors', '#/monitors'],
  ['Callbacks', '#/callbacks'],
  ['Access', '#/access'],
  ['Traffic', '#/traffic'],
  ['Sandbox', '#/sandbox'],
  ['Connections', '#/connections'],
] as const;

export function installMenu(commands: MenuCommands, dataFolder: string): void {
  const isMac = process.platform === 'darwin';
  const settings = { label: 'Settings…', accelerator: 'CmdOrCtrl+,', click: () => commands.showScreen('#/settings') };
  const quit = { label: `Quit ${app.name}`, accelerator: 'CmdOrCtrl+Q', click: commands.quit };
  const update = { label: 'Check for Updates…', click: commands.checkForUpdates };
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...(isMac ? [macMenu(settings, update, quit)] : []),
      {
        label: '&File',
        submenu: [
          { label: 'New Window', accelerator: 'CmdOrCtrl+Shift+N', click: commands.openWindow },
          separator,
          { label: 'Print…', accelerator: 'CmdOrCtrl+P', click: onWindow((window) => window.webContents.print()) },
          separator,
          ...(isMac ? [] : [settings, separator]),
          { role: 'close' },
          ...(isMac ? [] : [quit]),
        ],
      },
      editMenu(commands, isMac),
      {
        label: '&Go',
        submenu: screens.map(([label, hash], index) => ({
          label,
          accelerator: `CmdOrCtrl+${index + 1}`,
          click: () => commands.showScreen(hash),
        })),
      },
      viewMenu,
      // Electron's own window menu closes a window too, which the File menu does already.
      {
        role: 'window',
        submenu: [{ role: 'minimize' }, { role: 'zoom' }, ...(isMac ? [separator, { role: 'front' } as const] : [])],
      },
      helpMenu(dataFolder, isMac ? [] : [separator, update, { role: 'about' }]),
    ]),
  );
}

/** A click names the window it is meant for; on a Mac there may be none. */
function onWindow(run: (window: BrowserWindow) => void): NonNullable<MenuItemConstructorOptions['click']> {
  return (_item, window) => {
    if (window instanceof BrowserWindow) run(window);
  };
}

function editMenu({ findBar }: MenuCommands, isMac: boolean): MenuItemConstructorOptions {
  return {
    label: '&Edit',
    submenu: [
      { role: 'undo' },
      { role: 'redo' },
      separator,
      { role: 'cut' },
      { role: 'copy' },
      { role: 'paste' },
      { role: 'pasteAndMatchStyle' },
      { role: 'delete' },
      { role: 'selectAll' },
      separator,
      { label: 'Find…', accelerator: 'CmdOrCtrl+F', click: onWindow((window) => findBar(window)?.open()) },
      {
        label: 'Find Next',
        accelerator: isMac ? 'Cmd+G' : 'F3',
        click: onWindow((window) => findBar(window)?.step(true)),
      },
      {
        label: 'Find Previous',
        accelerator: isMac ? 'Cmd+Shift+G' : 'Shift+F3',
        click: onWindow((window) => findBar(window)?.step(false)),
      },
    ],
  };
}

const viewMenu: MenuItemConstructorOptions = {
  label: '&View',
  submenu: [
    { role: 'reload' },
    { role: 'toggleDevTools' },
    separator,
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    // The role's own accelerator is Ctrl+Plus, which needs Shift on most layouts; the second one is the key itself.
    { role: 'zoomIn', accelerator: 'CmdOrCtrl+=', visible: false, acceleratorWorksWhenHidden: true },
    { role: 'zoomOut' },
    separator,
    { role: 'togglefullscreen' },
  ],
};

function macMenu(
  settings: MenuItemConstructorOptions,
  update: MenuItemConstructorOptions,
  quit: MenuItemConstructorOptions,
): MenuItemConstructorOptions {
  return {
    label: app.name,
    submenu: [
      { role: 'about' },
      update,
      separator,
      settings,
      separator,
      { role: 'services' },
      separator,
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      separator,
      quit,
    ],
  };
}

function helpMenu(dataFolder: string, rest: MenuItemConstructorOptions[]): MenuItemConstructorOptions {
  const open = (url: string) => () => void shell.openExternal(url);
  return {
    role: 'help',
    submenu: [
      { label: 'User Guide', click: open(`${projectPage}/blob/main/docs/user-guide.md`) },
      { label: 'Report a Problem…', click: open(`${projectPage}/issues/new`) },
      separator,
      { label: 'Open Data Folder', click: () => void shell.openPath(dataFolder) },
      { label: 'Open Log Folder', click: () => void shell.openPath(`${dataFolder}/logs`) },
      ...rest,
    ],
  };
}
