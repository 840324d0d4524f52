// The menu, with a shortcut for each screen. On Windows and Linux it is in the window; on a Mac at the top of the display.
import { app, Menu, type MenuItemConstructorOptions, shell } from 'electron';

export type MenuCommands = {
  openWindow: () => void;
  showScreen: (hash: string) => void;
  quit: () => void;
};

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
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(commands, dataFolder, process.platform === 'darwin')));
}

function menuTemplate(commands: MenuCommands, dataFolder: string, isMac: boolean): MenuItemConstructorOptions[] {
  const settings = { label: 'Settings', accelerator: 'CmdOrCtrl+,', click: () => commands.showScreen('#/settings') };
  const quit = { label: `Quit ${app.name}`, accelerator: 'CmdOrCtrl+Q', click: commands.quit };
  return [
    ...(isMac ? [macMenu(settings, quit)] : []),
    {
      label: '&File',
      submenu: [
        { label: 'New Window', accelerator: 'CmdOrCtrl+Shift+N', click: commands.openWindow },
        { type: 'separator' },
        ...(isMac ? [] : [settings, { type: 'separator' } as const]),
        { role: 'close' },
        ...(isMac ? [] : [quit]),
      ],
    },
    { role: 'editMenu' },
    {
      label: '&Go',
      submenu: screens.map(([label, hash], index) => ({
        label,
        accelerator: `CmdOrCtrl+${index + 1}`,
        click: () => commands.showScreen(hash),
      })),
    },
    viewMenu,
    { role: 'windowMenu' },
    { role: 'help', submenu: [{ label: 'Open Data Folder', click: () => void shell.openPath(dataFolder) }] },
  ];
}

const viewMenu: MenuItemConstructorOptions = {
  label: '&View',
  submenu: [
    { role: 'reload' },
    { role: 'toggleDevTools' },
    { type: 'separator' },
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { type: 'separator' },
    { role: 'togglefullscreen' },
  ],
};

function macMenu(settings: MenuItemConstructorOptions, quit: MenuItemConstructorOptions): MenuItemConstructorOptions {
  return {
    label: app.name,
    submenu: [
      { role: 'about' },
      { type: 'separator' },
      settings,
      { type: 'separator' },
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      { type: 'separator' },
      quit,
    ],
  };
}
