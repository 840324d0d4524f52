// The tray icon: the receiver's state, what is new, and its menu.
import { beforeEach, expect, it, vi } from 'vitest';
import type { AppStatus, Notice } from '#contract/app-rpc/app.ts';
import { showTray } from '#electron/shell/app-tray.ts';
import { electron } from '#test/double/electron.ts';
import { inside } from '#test/double/inside.ts';
import { pretendPlatform, unopenedWindow } from '#test/electron/without-chromium.ts';

vi.mock('electron', async () => (await import('#test/electron/without-chromium.ts')).readyElectron());

const { app } = electron;
beforeEach(() => {
  app.removeAllListeners('browser-window-focus');
  for (const tray of app[inside].trays) tray.destroy();
});

function start(platform: NodeJS.Platform = 'linux') {
  pretendPlatform(platform);
  const receiver = { state: 'listening', baseUrl: 'http://127.0.0.1:4545', notice: null };
  const state = {
    newestCallbackId: 7,
    receiver: { ...receiver } as unknown,
    isPaused: false,
  };
  const calls: unknown[] = [];
  const queue: Notice[] = [];
  let wake = () => {};
  let signal: AbortSignal | undefined;
  async function* watch(stop: AbortSignal): AsyncGenerator<Notice> {
    signal = stop;
    for (;;) {
      for (const notice of queue.splice(0)) yield notice;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  }
  const tray = showTray({
    iconsFolder: '/icons',
    status: () => state as unknown as AppStatus,
    watch,
    isPaused: () => state.isPaused,
    showWindow: () => void calls.push('window'),
    showScreen: (hash) => void calls.push(hash),
    showUnread: (count) => void calls.push(count),
    quit: () => void calls.push('quit'),
  });
  const [icon] = app[inside].trays;
  if (!icon) throw new Error('no tray icon');
  const shown = icon[inside];
  const items = () =>
    (shown.menu?.items ?? []).map(({ label, enabled, type }) => [type === 'separator' ? '-' : label, enabled]);
  const press = (label: string) => shown.menu?.items.find((item) => item.label === label)?.click();
  const notify = async (notice: Notice) => {
    queue.push(notice);
    wake();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { tray, icon, shown, state, calls, items, press, notify, signal: () => signal };
}

const status: Notice = { topic: 'status' };

it('shows the receiver, the commands, and that nothing is new', () => {
  const { shown, items, press, calls } = start();
  expect(shown.tooltip).toBe('Rainbell – receiver on 127.0.0.1:4545');
  expect(items()).toEqual([
    ['Open Rainbell', true],
    ['0 new callbacks', true],
    ['receiver on 127.0.0.1:4545', false],
    ['-', true],
    ['Quit', true],
  ]);
  for (const label of ['Open Rainbell', '0 new callbacks', 'Quit']) press(label);
  shown.press();
  expect(calls).toEqual([0, 'window', '#/callbacks', 'quit', 'window']);
});

it('counts what arrived since a window had the focus, on notices of callbacks or the status only', async () => {
  const { shown, state, calls, notify, items } = start();
  state.newestCallbackId = 9;
  await notify({ topic: 'monitors' });
  expect(calls).toEqual([0]);
  await notify({ topic: 'callbacks', newestId: 9, total: 9 });
  expect(calls).toEqual([0, 2]);
  expect(shown.tooltip).toBe('Rainbell – 2 new callbacks – receiver on 127.0.0.1:4545');
  expect(items()[1]).toEqual(['2 new callbacks', true]);
  await notify(status);
  expect(calls).toEqual([0, 2]);
  const focused = vi.spyOn(electron.BrowserWindow, 'getFocusedWindow').mockReturnValue(unopenedWindow());
  app.emit('browser-window-focus', {}, {});
  expect(calls).toEqual([0, 2, 0]);
  focused.mockRestore();
  state.newestCallbackId = 10;
  await notify(status);
  expect(calls).toEqual([0, 2, 0, 1]);
  // After the user deleted the newest callbacks.
  state.newestCallbackId = 3;
  await notify(status);
  expect(calls).toEqual([0, 2, 0, 1, 0]);
});

it.each([
  [{ state: 'listening', baseUrl: null }, 'receiver on an unknown port'],
  [{ state: 'listening', baseUrl: 'https://127.0.0.1:1' }, 'receiver on 127.0.0.1:1'],
  [{ state: 'starting', baseUrl: null }, 'receiver is starting'],
  [{ state: 'failed', baseUrl: null }, 'receiver is not listening'],
])('a receiver that is %j reads %s', async (receiver, text) => {
  const { state, shown, notify } = start();
  state.receiver = receiver;
  await notify(status);
  expect(shown.tooltip).toBe(`Rainbell – ${text}`);
});

it('shows that the receiver is paused', async () => {
  const { state, shown, notify } = start();
  state.isPaused = true;
  await notify(status);
  expect(shown.tooltip).toBe('Rainbell – receiver is paused and responds with 503');
});

it('has an image on a Mac that the menu bar colors, and a click does not open a window over its menu', () => {
  const { shown, calls } = start('darwin');
  expect(shown.image).toMatchObject({ isMacTemplateImage: true });
  shown.press();
  expect(calls).toEqual([0]);
});
