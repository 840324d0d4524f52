// Many monitors at once: a result per monitor, stop, retry, and undo.
import { describe, expect, test } from 'vitest';
import type { BulkRun } from '#contract/app-rpc/monitor-bulk.ts';
import { startRealService } from '#test/core/session/access-harness.ts';
import { startCore, type CoreHarness } from '../core-harness.ts';
import type { FakeService } from '../fake-service.ts';
import { startMonitorStore } from './stored-monitors.ts';

const startService = (count: number) =>
  startMonitorStore(
    Array.from({ length: count }, (_, index) => ({
      id: `precipitation_${index + 1}`,
      callback_uri: `https://ops.example.net/${index + 1}`,
      lat: index + 1,
      lng: 7,
    })),
  );

/** With its monitors listed, so that it knows their URLs. */
async function startListed(service: FakeService): Promise<CoreHarness> {
  const core = await startCore({ sandbox: service.introduction });
  await core.client.monitors.list();
  return core;
}

async function ended({ client }: CoreHarness): Promise<BulkRun> {
  await expect.poll(async () => (await client.monitorBulk.state()).run?.isRunning).toBe(false);
  const { run } = await client.monitorBulk.state();
  if (!run) throw new Error('There is no run.');
  return run;
}

const address = (uri: string) => ({ kind: 'address' as const, uri });
const setAll = (ids: Iterable<string>) =>
  [...ids].map((id) => ({ kind: 'callback' as const, id, callback: address('https://all.example.net/') }));

describe('an action on many', () => {
  test('reports each failure, tries again what failed, and is undone', async () => {
    const { service, stored } = await startService(6);
    const core = await startListed(service);
    const path = 'PATCH /v2/monitors/precipitation_3/';
    const good = service.routes[path];
    service.routes[path] = () => ({ status: 500, body: '' });
    await core.client.monitorBulk.start({ title: 'Set', tasks: setAll(stored.keys()) });
    expect(await ended(core)).toMatchObject({ total: 6, done: 5, failed: 1, canUndo: true });
    expect((await ended(core)).failures).toMatchObject([{ label: 'precipitation_3' }]);
    if (good) service.routes[path] = good;
    await core.client.monitorBulk.retry();
    expect(await ended(core)).toMatchObject({ done: 6, failed: 0, failures: [] });
    expect(new Set([...stored.values()].map(({ callback_uri: uri }) => uri))).toEqual(
      new Set(['https://all.example.net/']),
    );
    await core.client.monitorBulk.undo();
    expect(await ended(core)).toMatchObject({ title: 'Undo: Set', done: 6 });
    expect([...stored.values()].map(({ callback_uri: uri }) => uri)).toEqual(
      [1, 2, 3, 4, 5, 6].map((index) => `https://ops.example.net/${index}`),
    );
    // It succeeded, so it is forgotten when Rainbell quits.
    await core.close();
    const next = await startCore({ sandbox: service.introduction, dataFolder: core.dataFolder });
    expect(await next.client.monitorBulk.state()).toEqual({ run: null });
  });

  test('creates monitors with their names, and changes tags and notes without a request', async () => {
    const { service } = await startService(1);
    const core = await startListed(service);
    const notes = { name: 'North pier', tags: ['port'], note: 'Key at the office' };
    await core.client.monitorBulk.start({
      title: 'Create',
      tasks: [
        {
          kind: 'create',
          label: 'line 1',
          geo: { lat: 1, lng: 2 },
          callback: address('https://a.example.net/'),
          notes,
        },
        { kind: 'notes', id: 'precipitation_1', notes: { ...notes, name: '' } },
      ],
    });
    expect(await ended(core)).toMatchObject({ done: 2, failed: 0 });
    expect((await core.client.monitors.list()).monitors).toMatchObject([
      { id: 'precipitation_1', name: '', tags: ['port'] },
      { id: 'precipitation_2', ...notes },
    ]);
    expect(service.requestsTo('PATCH /v2/monitors/precipitation_1/')).toEqual([]);
    await core.client.monitorBulk.undo();
    await ended(core);
    expect((await core.client.monitors.list()).monitors[0]).toMatchObject({ tags: [], note: '' });
  });
});

test('rain on many ends with its undo', async () => {
  const core = await startCore({ sandbox: await startRealService() });
  const rain = (lat: number) => ({ kind: 'rain' as const, label: `Area ${lat}`, center: { lat, lng: 7 }, rain: {} });
  const scenarios = async () =>
    (await core.client.sandbox.state()).scenarios.map(({ center }) => center.lat).toSorted((one, other) => one - other);
  await core.client.monitorBulk.start({ title: 'Rain', tasks: [rain(1), rain(50)] });
  expect(await ended(core)).toMatchObject({ done: 2, canUndo: true });
  expect(await scenarios()).toEqual([1, 50]);
  await core.client.monitorBulk.undo();
  expect(await ended(core)).toMatchObject({ done: 2, failures: [] });
  expect(await scenarios()).toEqual([]);
});
