// The application menu, with a shortcut for each screen. On Windows and Linux it is in the window; on a Mac at the top of the
// display. Labels of roles come from Electron, in the system's order.
import { app, Menu, type MenuItemConstructorOptions, shell } from 'electron';
import { type CommandId, commandIds, commandOf, projectPage } from '@rainbell/shared';

export type MenuCommands = {
  openWindow: () => void;
  showScreen: (hash: string) => void;
  runCommand: (command: CommandId) => void;
  checkForUpdates: () => void;
  quit: () => void;
};

const separator: MenuItemConstructorOptions = { type: 'separator' };

/** Those of the Go menu, as the table of commands has them. */
const screens = commandIds.filter((id) => /^go\.(?!settings|help)/.test(id));

export function installMenu(commands: MenuCommands, dataFolder: string): void {
  const isMac = process.platform === 'darwin';
  const settings = {
    label: 'Settings…',
    ...acceleratorOf('go.settings'),
    click: () => commands.showScreen('#/settings'),
  };
  const quit = { label: `Quit ${app.name}`, accelerator: 'CmdOrCtrl+Q', click: commands.quit };
  const about = { label: `About ${app.name}`, click: () => commands.showScreen('#/help/about') };
  const update = { label: 'Check for Updates…', click: commands.checkForUpdates };
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...(isMac ? [macMenu(about, settings, update, quit)] : []),
      {
        label: '&File',
        submenu: [
          { label: 'New Window', accelerator: 'CmdOrCtrl+Shift+N', click: commands.openWindow },
          commandItem(commands, 'monitors.new'),
          commandItem(commands, 'forecast.fetch'),
          separator,
          ...(isMac ? [] : [settings, separator]),
          { role: 'close' },
          ...(isMac ? [] : [quit]),
        ],
      },
      { role: 'editMenu', label: '&Edit' },
      {
        label: '&Go',
        submenu: [
          ...screens.map((id) => ({
            label: commandOf(id).title.replace('Go to ', ''),
            ...acceleratorOf(id),
            click: () => commands.showScreen(id.replace('go.', '#/')),
          })),
          separator,
          commandItem(commands, 'palette.open'),
        ],
      },
      viewMenu,
      // Electron's own window menu closes a window too, which the File menu does already.
      {
        role: 'window',
        submenu: [{ role: 'minimize' }, { role: 'zoom' }, ...(isMac ? [separator, { role: 'front' } as const] : [])],
      },
      helpMenu(commands, dataFolder, isMac ? [] : [separator, update, about]),
    ]),
  );
}

/** With its accelerator, which only shows: the screens read the keys themselves, also in a browser. */
function commandItem({ runCommand }: MenuCommands, id: CommandId): MenuItemConstructorOptions {
  const { title } = commandOf(id);
  return { label: title, ...acceleratorOf(id), registerAccelerator: false, click: () => runCommand(id) };
}

function acceleratorOf(id: CommandId): { accelerator?: string } {
  const { accelerator } = commandOf(id);
  return accelerator === undefined ? {} : { accelerator };
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
  about: MenuItemConstructorOptions,
  settings: MenuItemConstructorOptions,
  update: MenuItemConstructorOptions,
  quit: MenuItemConstructorOptions,
): MenuItemConstructorOptions {
  return {
    label: app.name,
    submenu: [
      about,
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

function helpMenu(
  commands: MenuCommands,
  dataFolder: string,
  rest: MenuItemConstructorOptions[],
): MenuItemConstructorOptions {
  const page = (label: string, hash: string) => ({ label, click: () => commands.showScreen(hash) });
  return {
    role: 'help',
    submenu: [
      page('User Guide', '#/help/start'),
      commandItem(commands, 'help.keys'),
      page('API Spec', '#/help/interface'),
      page('What’s New', '#/help/news'),
      separator,
      page('Report a Problem…', '#/help/data?at=report-a-problem'),
      { label: 'Issues on GitHub', click: () => void shell.openExternal(`${projectPage}/issues`) },
      separator,
      { label: 'Open Data Folder', click: () => void shell.openPath(dataFolder) },
      { label: 'Open Log Folder', click: () => void shell.openPath(`${dataFolder}/logs`) },
      ...rest,
    ],
  };
}
