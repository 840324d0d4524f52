// Many monitors at once: a result per monitor, stop, retry, undo, and deletes that outlive a crash.
import { cpSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { BulkRun } from '#contract/app-rpc/monitor-bulk.ts';
import { startRealService } from '#test/core/session/access-harness.ts';
import { startCore, type CoreHarness } from '../core-harness.ts';
import type { FakeService } from '../fake-service.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { startMonitorStore, type Stored } from './stored-monitors.ts';

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

function copyOf({ dataFolder }: CoreHarness): string {
  const copy = temporaryFolder();
  cpSync(dataFolder, copy, { recursive: true, filter: (file) => !file.endsWith('.lock') });
  return copy;
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

describe('an action that a crash interrupts', () => {
  const urls = (stored: ReadonlyMap<string, Stored>) => [...stored.values()].map(({ callback_uri: uri }) => uri);

  test('is restored after the next start, and is undone as a whole, even if the result is unknown', async () => {
    const { service, stored } = await startService(6);
    const before = urls(stored);
    const first = await startListed(service);
    const path = 'PATCH /v2/monitors/precipitation_3/';
    const patch = service.routes[path];
    const { promise, resolve } = Promise.withResolvers<void>();
    // Carried out, but not responded to.
    service.routes[path] = async (request, url) => {
      const response = await patch?.(request, url);
      await promise;
      return response ?? {};
    };
    await first.client.monitorBulk.start({ title: 'Set', tasks: setAll(stored.keys()) });
    await expect.poll(() => new Set(urls(stored)).size).toBe(1);
    await expect.poll(async () => (await first.client.monitorBulk.state()).run?.done).toBe(5);
    const dataFolder = copyOf(first);
    const second = await startCore({ sandbox: service.introduction, dataFolder });
    const { run } = await second.client.monitorBulk.state();
    expect(run).toMatchObject({ title: 'Set', total: 6, stopped: 0, isRunning: false, canUndo: true });
    expect((run?.done ?? 0) + (run?.failed ?? 0)).toBe(6);
    expect(run?.failures).toContainEqual({
      label: 'precipitation_3',
      message: 'Rainbell quit before the result was known. The change may have been made.',
    });
    if (patch) service.routes[path] = patch;
    await second.client.monitorBulk.undo();
    expect(await ended(second)).toMatchObject({ done: 6, failed: 0, canUndo: false });
    expect(urls(stored)).toEqual(before);
    resolve();
  });

  test('continues with what was not started', async () => {
    const { service, stored } = await startService(89);
    const first = await startListed(service);
    await first.client.monitorBulk.start({ title: 'Set', tasks: setAll(stored.keys()) });
    const dataFolder = copyOf(first);
    const second = await startCore({ sandbox: service.introduction, dataFolder });
    const { run } = await second.client.monitorBulk.state();
    expect(run?.stopped).toBeGreaterThan(0);
    await ended(first);
    await second.client.monitorBulk.retry();
    expect(await ended(second)).toMatchObject({ total: 89, done: 89, failed: 0, stopped: 0 });
  });

  test('does not create again what the service shows to be created, in whatever form', async () => {
    const { service, stored } = await startService(0);
    const first = await startCore({ sandbox: service.introduction });
    const post = service.routes['POST /v2/monitors/'];
    const { promise, resolve } = Promise.withResolvers<void>();
    // The second is created, in another form, and not responded to.
    service.routes['POST /v2/monitors/'] = async (request, count) => {
      const response = (await post?.(request, count)) ?? {};
      if (count < 2) return response;
      Object.assign(stored.get('precipitation_2') ?? {}, { callback_uri: 'https://ops.example.net/', lat: 45.07031 });
      await promise;
      return response;
    };
    const notes = { name: 'Pier', tags: [], note: '' };
    const create = (lat: number) =>
      ({
        kind: 'create',
        label: 'line 1',
        geo: { lat, lng: 7 },
        callback: address('https://OPS.example.net'),
        notes,
      }) as const;
    await first.client.monitorBulk.start({ title: 'Create 1', tasks: [create(1)] });
    await ended(first);
    await first.client.monitorBulk.start({ title: 'Create 1', tasks: [create(45.0703123)] });
    await expect.poll(() => stored.get('precipitation_2')?.lat).toBe(45.07031);
    const second = await startCore({ sandbox: service.introduction, dataFolder: copyOf(first) });
    expect((await second.client.monitorBulk.state()).run).toMatchObject({ failed: 1, done: 0 });
    await second.client.monitorBulk.retry();
    expect(await ended(second)).toMatchObject({ done: 1, failed: 0 });
    expect(stored.size).toBe(2);
    expect((await second.client.monitors.list()).monitors[1]).toMatchObject({ name: 'Pier' });
    resolve();
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
