// What the items of the application menu do, and where each system has them; desktop.test.ts presses more of them over a screen.
import { expect, it, vi } from 'vitest';
import { installMenu } from '#electron/shell/install-menu.ts';
import { electron } from '#test/double/electron.ts';
import { pretendPlatform } from '#test/electron/without-chromium.ts';

vi.mock('electron', async () => (await import('#test/electron/without-chromium.ts')).readyElectron());

function install(platform: NodeJS.Platform) {
  pretendPlatform(platform);
  const calls: unknown[] = [];
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
  vi.spyOn(electron.shell, 'openExternal').mockImplementation(async (url) => void calls.push(url));
  vi.spyOn(electron.shell, 'openPath').mockImplementation(async (path) => String(calls.push(['folder', path])));
  const menus = electron.Menu.getApplicationMenu()?.items ?? [];
  const labelsOf = (name: string) =>
    menus.find(({ label, role }) => (label || role) === name)?.submenu?.items.map(({ label, role }) => label || role) ??
    [];
  const items = menus.flatMap(({ submenu }) => submenu?.items ?? []);
  return { calls, items, labelsOf, press: (label: string) => items.find((item) => item.label === label)?.click({}) };
}

it.each([
  ['New Window', 'window'],
  ['Fetch the forecast', ['run', 'forecast.fetch']],
  ['Search commands and places', ['run', 'palette.open']],
  ['Settings…', '#/settings'],
  ['Events', '#/events'],
  ['Connections', '#/connections'],
  ['User Guide', '#/help/start'],
  ['API Spec', '#/help/interface'],
  ['What’s New', '#/help/news'],
  ['Issues on GitHub', 'https://github.com/rainbell/rainbell/issues'],
  ['Open Data Folder', ['folder', '/data']],
  ['Open Log Folder', ['folder', '/data/logs']],
])('%s does %j', (label, expected) => {
  const { press, calls } = install('linux');
  press(label);
  expect(calls).toEqual([expected]);
});

it('a Mac has the app’s own items in a menu with its name; other systems have them in File and Help', () => {
  const own = ['About Rainbell', 'Check for Updates…', 'Settings…', 'Quit Rainbell'];
  const mac = install('darwin').labelsOf;
  expect(mac('Rainbell')).toEqual(expect.arrayContaining(own));
  expect([...mac('&File'), ...mac('help')].filter((label) => own.includes(label ?? ''))).toEqual([]);
  for (const platform of ['linux', 'win32'] as const) {
    const { labelsOf } = install(platform);
    expect(labelsOf('&File').filter((label) => own.includes(label ?? ''))).toEqual(['Settings…', 'Quit Rainbell']);
    expect(labelsOf('help').filter((label) => own.includes(label ?? ''))).toEqual(own.slice(0, 2).toReversed());
  }
});

it.each(['linux', 'darwin', 'win32'] as const)('on %s no two items have the same key', (platform) => {
  const keys = install(platform).items.flatMap(({ accelerator }) => accelerator?.toLowerCase() ?? []);
  expect(keys).toContain('cmdorctrl+k');
  expect(keys.toSorted()).toEqual([...new Set(keys)].toSorted());
});
