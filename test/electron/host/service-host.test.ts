// The weather service in its utility process: how it is started, listened to, and ended.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import type { ServiceProcessData } from '#core/hosting/service-messages.ts';
import { startServiceProcess } from '#electron/host/start-service-process.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { recordLog } from '#test/electron/without-chromium.ts';

vi.mock('electron', async () => (await import('#test/electron/without-chromium.ts')).readyElectron());

it('logs a fatal error of the process, and restarts it', async () => {
  const builtFolder = temporaryFolder();
  writeFileSync(join(builtFolder, 'service-process.js'), 'process.abort();');
  const { log, entries } = recordLog();
  const failed: string[] = [];
  const service = startServiceProcess({
    builtFolder,
    data: {} as ServiceProcessData,
    clock: createManualClock(),
    log,
    onReady: () => {},
    onFailed: ({ message }) => void failed.push(message),
  });
  await expect.poll(() => failed).toEqual([expect.stringContaining('Restarting it in 1 s')]);
  expect(entries).toEqual([
    { level: 50, type: 'FatalError', location: 'unknown location', msg: 'a fatal error ended the service process' },
  ]);
  await service.close();
});
