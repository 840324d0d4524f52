// 500 monitors with our own service: created, changed, and changed back by the app, with the service in the same process, so that the
// CPU time is that of both. `npm run bench` measures 2,000.
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import type { BulkTask } from '#contract/app-rpc/monitor-bulk.ts';
import { systemClock } from '#shared/time/clock.ts';
import { createService } from '#service/app/create-service.ts';
import { introductionOf } from '#service/app/embedded-service.ts';
import { configWith } from '#service/config/config.ts';
import { type CoreHarness, startCore } from '../core-harness.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const count = 500;
/** The goal is 15 s for 2,000. A busy machine takes less than twice the CPU time, but many times the time. */
const mostCpuSeconds = 7.5;

async function startOwnService() {
  const service = await createService({
    config: configWith({ port: 0, dataFolder: temporaryFolder(), provider: 'simulation' }),
    clock: systemClock,
    log: pino({ level: 'silent' }),
    workers: { places: new URL('../../../service/places/places-worker.ts', import.meta.url) },
  });
  onTestFinished(() => service.close());
  return service;
}

/** Returns the seconds of CPU, and of the clock. */
async function run(core: CoreHarness, start: () => Promise<unknown>): Promise<{ cpu: number; wall: number }> {
  const [before, startedAt] = [process.cpuUsage(), performance.now()];
  await start();
  await expect
    .poll(async () => (await core.client.monitorBulk.state()).run?.isRunning, { timeout: 100_000 })
    .toBe(false);
  const { user, system } = process.cpuUsage(before);
  expect((await core.client.monitorBulk.state()).run).toMatchObject({ done: count, failed: 0, stopped: 0 });
  return { cpu: (user + system) / 1e6, wall: (performance.now() - startedAt) / 1000 };
}

test('500 monitors are created, changed, and changed back in less than 7.5 s of CPU each', async () => {
  const service = await startOwnService();
  const core = await startCore({ sandbox: introductionOf(service) });
  const { client } = core;
  const start = (title: string, tasks: BulkTask[]) => run(core, () => client.monitorBulk.start({ title, tasks }));
  const created = await start(
    'Create',
    Array.from({ length: count }, (_, index) => ({
      kind: 'create',
      label: `line ${index}`,
      // Close together, so that the watch of the weather, which is not measured here, has few cells to look at.
      geo: { lat: 45 + index / 1e5, lng: 7 },
      callback: { kind: 'address', uri: `http://127.0.0.1:9/${index}` },
      notes: { name: `Site ${index}`, tags: ['bulk'], note: '' },
    })),
  );
  const { monitors } = await client.monitors.list();
  expect(monitors).toHaveLength(count);
  expect(monitors.find(({ name }) => name === 'Site 499')).toMatchObject({ geo: { lat: 45.00499, lng: 7 } });
  const changed = await start(
    'Set',
    monitors.map(({ id }) => ({
      kind: 'update',
      id,
      changes: { callback: { kind: 'address', uri: 'http://127.0.0.1:9/all' } },
    })),
  );
  const undone = await run(core, () => client.monitorBulk.undo());
  expect(new Set((await client.monitors.list()).monitors.map(({ callbackUri }) => callbackUri)).size).toBe(count);
  for (const { cpu } of [created, changed, undone]) expect(cpu).toBeLessThan(mostCpuSeconds);
});
