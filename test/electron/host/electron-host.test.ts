// The ports that Electron gives to core, and the messages of the host.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import type { Settings } from '#contract/app-rpc/settings.ts';
import { createElectronHost } from '#electron/host/electron-host.ts';
import type { DesktopIntegration } from '#electron/shell/desktop-settings.ts';
import { createHostNotices } from '#electron/system/host-notices.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { electron } from '#test/double/electron.ts';
import { recordLog, setProperty } from '#test/electron/without-chromium.ts';

vi.mock('electron', async () => (await import('#test/electron/without-chromium.ts')).readyElectron());
vi.mock('electron-store', async () => ({ default: (await import('#test/electron/plain-store.ts')).PlainStore }));

function start() {
  const dataFolder = temporaryFolder();
  const calls: unknown[] = [];
  const notices = createHostNotices();
  const { log, entries } = recordLog();
  const desktop = {
    apply: (settings: Settings) => void calls.push(['apply', settings]),
    state: () => 'the state',
  } as unknown as DesktopIntegration;
  const notifications = { show: (notice: { title: string }) => void calls.push(['notify', notice.title]) };
  const host = createElectronHost({ dataFolder, clock: createManualClock(), log, notices, notifications, desktop });
  return { host, dataFolder, calls, notices, entries };
}

it('stores settings in a file that only the user can read, with dots in names as they are', () => {
  const { host, dataFolder } = start();
  expect([host.kind, host.settings.read()]).toEqual(['electron', {}]);
  const values = { theme: 'dark', 'a.b': 1 } as unknown as Settings;
  host.settings.write(values);
  expect(host.settings.read()).toEqual(values);
  expect(statSync(join(dataFolder, 'settings.json')).mode & 0o777).toBe(0o600);
});

it('reports the messages of all its parts, and their changes', () => {
  const { host, notices } = start();
  let changes = 0;
  host.onNotices?.(() => (changes += 1));
  expect(host.notices()).toEqual([]);
  notices.set('keyring', 'It is locked.');
  notices.set('notifications', 'They are refused.');
  notices.set('keyring', 'It refused.');
  expect([host.notices(), changes]).toEqual([['It refused.', 'They are refused.'], 3]);
  notices.set('keyring', undefined);
  expect([host.notices(), changes]).toEqual([['They are refused.'], 4]);
});

it('restarts in order', () => {
  const { host } = start();
  const order: string[] = [];
  setProperty(electron.app, 'relaunch', () => void order.push('relaunch'));
  setProperty(electron.app, 'quit', () => void order.push('quit'));
  host.restart?.();
  expect(order).toEqual(['relaunch', 'quit']);
});

it('reports each time that the computer wakes up, until the listener is removed', () => {
  const { host } = start();
  let wakes = 0;
  const stop = host.onResume(() => (wakes += 1));
  electron.powerMonitor.emit('resume');
  electron.powerMonitor.emit('resume');
  stop();
  electron.powerMonitor.emit('resume');
  expect(wakes).toBe(2);
});

it('opens web addresses in the browser, and no others', async () => {
  const { host, entries } = start();
  const opened: string[] = [];
  setProperty(electron.shell, 'openExternal', async (url) => void opened.push(url));
  await host.openExternal('https://a.example/');
  await host.openExternal('file:///etc/passwd');
  expect([opened, entries.length]).toEqual([['https://a.example/'], 1]);
});

it('passes settings, notifications, and requests for the state to the desktop', () => {
  const { host, calls } = start();
  host.applySettings?.({ theme: 'dark' } as Settings);
  host.notify?.({ title: 'Rain', body: '' });
  expect([calls, host.desktop?.()]).toEqual([
    [
      ['apply', { theme: 'dark' }],
      ['notify', 'Rain'],
    ],
    'the state',
  ]);
});
