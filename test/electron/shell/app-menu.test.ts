// The application menu of each system: its items, their keys, and what each one does.
import type { MenuItemConstructorOptions } from 'electron';
import { expect, it, vi } from 'vitest';
import { installMenu } from '#electron/shell/install-menu.ts';
import { electron } from '#test/double/electron.ts';
import type { MenuItem } from '#test/double/menu.ts';
import { pretendPlatform } from '#test/electron/without-chromium.ts';

vi.mock('electron', async () => (await import('#test/electron/without-chromium.ts')).readyElectron());

function install(platform: NodeJS.Platform) {
  pretendPlatform(platform);
  const calls: unknown[] = [];
  const build = vi.spyOn(electron.Menu, 'buildFromTemplate');
  installMenu(
    {
      openWindow: () => void calls.push('window'),
      showScreen: (hash) => void calls.push(hash),
      runCommand: (command) => void calls.push(['run', command]),
      checkForUpdates: () => void calls.push('updates'),
      quit: () => void calls.push('quit'),
    },
    '/data',
  );
  const template = build.mock.calls[0]?.[0] as unknown as MenuItemConstructorOptions[];
  build.mockRestore();
  const openExternal = vi.spyOn(electron.shell, 'openExternal').mockImplementation(async (url) => void calls.push(url));
  const openPath = vi.spyOn(electron.shell, 'openPath').mockImplementation(async (path) => {
    calls.push(['folder', path]);
    return '';
  });
  const menus = electron.Menu.getApplicationMenu()?.items ?? [];
  const items = menus.flatMap(({ submenu }) => submenu?.items ?? []);
  const press = (label: string) => items.find((item) => item.label === label)?.click({}, undefined);
  return { menus, items, template, calls, press, openExternal, openPath };
}

const describeItem = ({ type, label, accelerator, visible }: MenuItem) =>
  type === 'separator' ? '-' : [label, accelerator, ...(visible ? [] : ['hidden'])].filter(Boolean).join(' | ');
const describeMenus = (menus: readonly MenuItem[]) =>
  Object.fromEntries(menus.map((menu) => [menu.label, (menu.submenu?.items ?? []).map(describeItem)]));

const goMenu = [
  'Forecast | CmdOrCtrl+1',
  'Monitors | CmdOrCtrl+2',
  'Events',
  'Callbacks | CmdOrCtrl+3',
  'Access | CmdOrCtrl+4',
  'Traffic | CmdOrCtrl+5',
  'Sandbox | CmdOrCtrl+6',
  'Connections | CmdOrCtrl+7',
  'Develop a handler',
  '-',
  'Search commands and places | CmdOrCtrl+K',
];
const newItems = ['New Window | CmdOrCtrl+Shift+N', 'New monitor', 'Fetch the forecast', '-'];
const helpItems = [
  'User Guide',
  'Show keyboard shortcuts',
  'API Spec',
  'What’s New',
  '-',
  'Report a Problem…',
  'Issues on GitHub',
  '-',
  'Open Data Folder',
  'Open Log Folder',
];

it.each(['linux', 'win32'] as const)(
  'on %s the window’s menus have the settings, updates, and the way out',
  (platform) => {
    const { menus } = install(platform);
    expect(describeMenus(menus)).toEqual({
      '&File': [
        ...newItems,
        'Settings… | CmdOrCtrl+,',
        '-',
        'Close | CommandOrControl+W',
        'Quit Rainbell | CmdOrCtrl+Q',
      ],
      '&Edit': [
        'Undo | CommandOrControl+Z',
        platform === 'win32' ? 'Redo | Control+Y' : 'Redo | Shift+CommandOrControl+Z',
        '-',
        'Cut | CommandOrControl+X',
        'Copy | CommandOrControl+C',
        'Paste | CommandOrControl+V',
        'Paste and Match Style | Shift+CommandOrControl+V',
        'Delete',
        'Select All | CommandOrControl+A',
      ],
      '&Go': goMenu,
      '&View': [
        'Reload | CmdOrCtrl+R',
        'Toggle Developer Tools | Ctrl+Shift+I',
        '-',
        'Actual Size | CommandOrControl+0',
        'Zoom In | CommandOrControl+Plus',
        'Zoom In | CmdOrCtrl+= | hidden',
        'Zoom Out | CommandOrControl+-',
        '-',
        'Toggle Full Screen | F11',
      ],
      Window: ['Minimize | CommandOrControl+M', 'Zoom'],
      Help: [...helpItems, '-', 'Check for Updates…', 'About Rainbell'],
    });
  },
);

it('on a Mac the app has a menu with its name, and the File menu only closes windows', () => {
  const { menus } = install('darwin');
  const described = describeMenus(menus);
  expect(Object.keys(described)).toEqual(['Rainbell', '&File', '&Edit', '&Go', '&View', 'Window', 'Help']);
  expect(described).toMatchObject({
    Rainbell: [
      'About Rainbell',
      'Check for Updates…',
      '-',
      'Settings… | CmdOrCtrl+,',
      '-',
      'Services',
      '-',
      'Hide Rainbell | Command+H',
      'Hide Others | Command+Alt+H',
      'Show All',
      '-',
      'Quit Rainbell | CmdOrCtrl+Q',
    ],
    '&File': [...newItems, 'Close Window | CommandOrControl+W'],
    '&Go': goMenu,
    Window: ['Minimize | CommandOrControl+M', 'Zoom', '-', 'Bring All to Front'],
    Help: helpItems,
  });
});

it.each([
  ['New Window', 'window'],
  ['New monitor', ['run', 'monitors.new']],
  ['Fetch the forecast', ['run', 'forecast.fetch']],
  ['Search commands and places', ['run', 'palette.open']],
  ['Show keyboard shortcuts', ['run', 'help.keys']],
  ['Settings…', '#/settings'],
  ['Quit Rainbell', 'quit'],
  ['Forecast', '#/forecast'],
  ['Connections', '#/connections'],
  ['Check for Updates…', 'updates'],
  ['About Rainbell', '#/help/about'],
  ['User Guide', '#/help/start'],
  ['API Spec', '#/help/interface'],
  ['What’s New', '#/help/news'],
  ['Report a Problem…', '#/help/data?at=report-a-problem'],
  ['Issues on GitHub', 'https://github.com/rainbell/rainbell/issues'],
  ['Open Data Folder', ['folder', '/data']],
  ['Open Log Folder', ['folder', '/data/logs']],
])('%s does %j on each system', (label, expected) => {
  for (const platform of ['linux', 'darwin'] as const) {
    const { press, calls } = install(platform);
    press(label);
    expect(calls).toEqual([expected]);
  }
});
