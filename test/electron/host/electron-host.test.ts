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
import { recordLog } from '#test/electron/without-chromium.ts';

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
