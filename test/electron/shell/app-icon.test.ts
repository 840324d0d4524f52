// What the app's icon shows and offers: the number of unread callbacks, and actions without a window.
import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { showQuickActions } from '#electron/shell/quick-actions.ts';
import { createUnreadBadge } from '#electron/shell/unread-badge.ts';
import { electron } from '#test/double/electron.ts';
import { inside } from '#test/double/inside.ts';
import type { Menu } from '#test/double/menu.ts';
import { pretendPlatform, setProperty } from '#test/electron/without-chromium.ts';

vi.mock('electron', async () => (await import('#test/electron/without-chromium.ts')).readyElectron());

const { app } = electron;

it.each(['linux', 'darwin'] as const)('on %s the icon has the number', (platform) => {
  pretendPlatform(platform);
  const show = createUnreadBadge('/icons');
  show(7);
  expect(app.getBadgeCount()).toBe(7);
  show(0);
  expect(app.getBadgeCount()).toBe(0);
});

it('on Windows every window has a dot with the number as its description, also one that opens later', () => {
  pretendPlatform('win32');
  app.setBadgeCount(0);
  const makeWindow = () => {
    const overlays: [path: string | null, description: string][] = [];
    const setOverlayIcon = (image: { [inside]: { path: string } } | null, description: string) =>
      void overlays.push([image === null ? null : image[inside].path, description]);
    return { overlays, window: Object.assign(new EventEmitter(), { setOverlayIcon }) };
  };
  const first = makeWindow();
  const later = makeWindow();
  const all = vi.spyOn(electron.BrowserWindow, 'getAllWindows').mockReturnValue([first.window as never]);
  const show = createUnreadBadge('/icons');
  show(1);
  app.emit('browser-window-created', {}, later.window);
  expect(later.overlays).toEqual([]);
  later.window.emit('show');
  later.window.emit('show');
  show(0);
  app.emit('browser-window-created', {}, first.window);
  first.window.emit('show');
  const dot = join('/icons', 'unread.png');
  expect(later.overlays).toEqual([[dot, '1 new callback']]);
  expect(first.overlays).toEqual([
    [dot, '1 new callback'],
    [null, ''],
    [null, ''],
  ]);
  expect(app.getBadgeCount()).toBe(0);
  all.mockRestore();
});

function quickActions() {
  const calls: string[] = [];
  app[inside].userTasks = [];
  showQuickActions({ openWindow: () => calls.push('window'), showScreen: (hash) => calls.push(hash) }, '/data here');
  return { calls, tasks: app[inside].userTasks };
}

it('on macOS the Dock opens a window or a screen', () => {
  pretendPlatform('darwin');
  const menus: Menu[] = [];
  const dock = app.dock;
  if (!dock) throw new Error('a Mac has a Dock');
  setProperty(dock, 'setMenu', (menu: Menu) => void menus.push(menu));
  setProperty(app, 'isPackaged', true);
  const { calls, tasks } = quickActions();
  expect(menus.map(({ items }) => items.map(({ label }) => label))).toEqual([
    ['New Window', 'Forecast', 'Monitors', 'Callbacks'],
  ]);
  for (const item of menus[0]?.items ?? []) item.click();
  expect(calls).toEqual(['window', '#/forecast', '#/monitors', '#/callbacks']);
  expect(tasks).toEqual([]);
});

it('on Windows the Jump List of an installed app starts it with a link and the same data', () => {
  pretendPlatform('win32');
  setProperty(app, 'isPackaged', false);
  expect(quickActions().tasks).toEqual([]);
  setProperty(app, 'isPackaged', true);
  const { tasks } = quickActions();
  const task = (title: string, link: string) => ({
    program: process.execPath,
    arguments: `--data "/data here" rainbell://${link}`,
    title,
    description: `Open ${title} in Rainbell`,
    iconPath: process.execPath,
    iconIndex: 0,
  });
  expect(tasks).toEqual([task('Forecast', 'forecast'), task('Monitors', 'monitors'), task('Callbacks', 'callbacks')]);
});

it('on Linux there are no actions', () => {
  pretendPlatform('linux');
  setProperty(app, 'isPackaged', true);
  expect(quickActions().tasks).toEqual([]);
});
