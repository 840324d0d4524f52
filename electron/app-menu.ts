// The menu: the system's usual entries, plus a further window. On Windows and Linux it hides until Alt is pressed.
import { Menu, type MenuItemConstructorOptions } from 'electron';

export type MenuCommands = { openWindow: () => void };

export function installMenu(commands: MenuCommands): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(commands, process.platform === 'darwin')));
}

function menuTemplate({ openWindow }: MenuCommands, isMac: boolean): MenuItemConstructorOptions[] {
  return [
    ...(isMac ? [{ role: 'appMenu' } as const] : []),
    {
      label: '&File',
      submenu: [
        { label: 'New Window', accelerator: 'CmdOrCtrl+Shift+N', click: openWindow },
        { type: 'separator' },
        { role: 'close' },
        ...(isMac ? [] : [{ role: 'quit' } as const]),
      ],
    },
    { role: 'editMenu' },
    {
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
    },
    { role: 'windowMenu' },
  ];
}
