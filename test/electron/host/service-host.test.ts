// The weather service in its utility process: how it is started, listened to, and ended.
import { EventEmitter } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import type { ServiceProcessData } from '#core/hosting/service-messages.ts';
import { startServiceProcess } from '#electron/host/service-host.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { electron } from '#test/double/electron.ts';
import { recordLog } from '#test/electron/without-chromium.ts';

vi.mock('electron', async () => (await import('#test/electron/without-chromium.ts')).readyElectron());

it('is a named process with its data, restarts after its end, and closes on request or by force', async () => {
  const children: (EventEmitter & { posted: unknown[]; kills: number })[] = [];
  const fork = vi.spyOn(electron.utilityProcess, 'fork').mockImplementation(() => {
    const child = Object.assign(new EventEmitter(), {
      posted: [] as unknown[],
      kills: 0,
      postMessage: (message: unknown) => void child.posted.push(message),
      kill: () => {
        child.kills += 1;
        return true;
      },
    });
    children.push(child);
    return child as never;
  });
  const clock = createManualClock();
  const ready: unknown[] = [];
  const failed: string[] = [];
  const data = { folder: '/data' } as unknown as ServiceProcessData;
  const service = startServiceProcess({
    builtFolder: '/built',
    data,
    clock,
    log: recordLog().log,
    onReady: (introduction) => void ready.push(introduction),
    onFailed: ({ message }) => void failed.push(message),
  });
  const call = [
    join('/built', 'service-process.js'),
    ['{"folder":"/data"}'],
    { serviceName: 'Rainbell weather service' },
  ];
  expect(fork.mock.calls).toEqual([call]);
  children[0]?.emit('message', { kind: 'ready', introduction: 'hello' });
  children[0]?.emit('exit', 1);
  children[0]?.emit('exit', 1);
  expect([ready, failed]).toEqual([['hello'], [expect.stringContaining('Restarting it in 1 s')]]);
  clock.advance(1000);
  expect(fork.mock.calls).toEqual([call, call]);

  const closed = service.close();
  expect(children.map(({ posted }) => posted)).toEqual([[], [{ kind: 'close' }]]);
  clock.advance(5000);
  expect(children.map(({ kills }) => kills)).toEqual([0, 1]);
  children[1]?.emit('exit', 0);
  await closed;
  expect(failed).toHaveLength(1);
  fork.mockRestore();
});

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
