// A rain front over 412 monitors: the app beside our own service, with real callbacks. It is one line and one notification, and
// every failure is in it.
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import type { BulkTask } from '#contract/app-rpc/monitor-bulk.ts';
import type { HostNotice } from '#core/ports/host.ts';
import { systemClock } from '#shared/time/clock.ts';
import { createService } from '#service/app/create-service.ts';
import { introductionOf } from '#service/app/embedded-service.ts';
import { configWith } from '#service/config/config.ts';
import { freePort } from '#test/setup/free-ports.ts';
import { createMemoryHost, startCore } from '../core-harness.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const count = 412;
/** Nothing listens on port 9. */
const isDead = (index: number) => index % 46 === 3;

test('a front over 412 monitors is one line, one notification, and all failures', async () => {
  const service = await createService({
    config: configWith({ port: 0, dataFolder: temporaryFolder(), provider: 'simulation' }),
    clock: systemClock,
    log: pino({ level: 'silent' }),
    workers: { places: new URL('../../../service/places/places-worker.ts', import.meta.url) },
  });
  onTestFinished(() => service.close());
  const notices: HostNotice[] = [];
  const receiverPort = await freePort();
  const host = { ...createMemoryHost({ receiverPort }), notify: (notice: HostNotice) => void notices.push(notice) };
  const { client, core, statusWhere } = await startCore({ host });
  await statusWhere(({ receiver }) => receiver.state === 'listening');
  core.connectSandbox(introductionOf(service));
  await statusWhere(({ token }) => token.state === 'valid');
  const piedmont = { center: { lat: 45.2, lng: 7.9 }, radiusKm: 300 };
  await client.sandbox.addScenario({ ...piedmont, status: 'sunny', minutes: 4320 });
  const tasks = Array.from({ length: count }, (_, index): BulkTask => {
    const geo = { lat: 44.4 + ((index * 7) % 20) / 12, lng: 7 + (index * 1.8) / count };
    const callback = isDead(index)
      ? { kind: 'address' as const, uri: 'http://127.0.0.1:9/' }
      : { kind: 'this-app' as const };
    return { kind: 'create', label: `site ${index}`, geo, callback, notes: { name: '', tags: [], note: '' } };
  });
  await client.monitorBulk.start({ title: 'Create', tasks });
  await expect
    .poll(async () => (await client.monitorBulk.state()).run, { timeout: 60_000 })
    .toMatchObject({ done: count, isRunning: false });
  await client.monitors.list();
  await client.monitors.deliveryStates();
  expect(notices).toEqual([]);

  await client.sandbox.clearScenarios();
  await client.sandbox.addScenario({ ...piedmont, status: 'rainy', minutes: 30 });
  const front = async () => {
    await client.monitors.deliveryStates();
    const { fronts } = await client.monitorFronts.list();
    return fronts.map(({ monitorIds, failedIds }) => [monitorIds.length, failedIds.length]);
  };
  await expect.poll(front, { timeout: 60_000, interval: 500 }).toEqual([[count, 9]]);
  const { fronts } = await client.monitorFronts.list();
  expect(fronts[0]).toMatchObject({ region: 'Piedmont', acknowledged: null, isSilenced: false });
  const dead = (await client.monitors.list()).monitors.filter(({ toThisApp }) => !toThisApp).map(({ id }) => id);
  expect(new Set(fronts[0]?.failedIds)).toEqual(new Set(dead));
  await expect.poll(async () => (await client.callbacks.list({})).total, { timeout: 90_000 }).toBe(count - dead.length);
  await expect.poll(() => notices.length).toBe(1);
  // That later callbacks of the front are not notified is tested with a clock of its own (callbacks/notifier.test.ts).
  expect(notices[0]?.title).toMatch(/^Rain front near .+: \d+ monitors$/);
});
