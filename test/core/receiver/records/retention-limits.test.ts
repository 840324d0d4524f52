// Which callbacks are deleted for the limits of number, bytes, and age, of the whole store and of endpoints.
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { Endpoint } from '#contract/app-rpc/callbacks.ts';
import { defaultSettings } from '#contract/app-rpc/default-settings.ts';
import { openAppDatabase } from '#core/app/open-app-database.ts';
import { createCallbackPages } from '#core/receiver/records/callback-pages.ts';
import { createCallbackWriter } from '#core/receiver/records/callback-writer.ts';
import { createRetention } from '#core/receiver/records/retention.ts';
import { receivedCallback } from '#test/core/callbacks/callback-store.ts';
import { startCore } from '#test/core/core-harness.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

const dayMs = 86_400_000;
const unlimited = { keptCallbacks: 1e9, maxBytes: 1e9, maxAgeMs: null as number | null };

function start(limits: Partial<typeof unlimited>, endpoints: readonly Endpoint[] = []) {
  const clock = createManualClock();
  const database = openAppDatabase({ file: join(temporaryFolder(), 'app.sqlite'), clock });
  onTestFinished(database.close);
  const writer = createCallbackWriter(database.db, () => endpoints);
  const pages = createCallbackPages(database.db);
  const slices: number[] = [];
  let endpointLooks = 0;
  const retention = createRetention({
    writer: {
      ...writer,
      get counters() {
        return writer.counters;
      },
      endpointCounters(id) {
        endpointLooks += 1;
        return writer.endpointCounters(id);
      },
    },
    limits: () => ({ ...unlimited, ...limits }),
    endpoints: () => endpoints,
    clock,
    onDropped: () => void slices.push(writer.counters.total),
  });
  onTestFinished(retention.cancel);
  const receive = (count: number, body = '0123456789', target = '/') => {
    const callback = receivedCallback({ receivedAt: clock.now(), body, target });
    writer.append(Array.from({ length: count }, () => callback));
  };
  const settled = async () => {
    for (let turn = 0; turn < 8; turn += 1) await setImmediate();
  };
  return {
    clock,
    receive,
    retention,
    settled,
    /** How many callbacks are left after each slice. */
    slices,
    endpointLooks: () => endpointLooks,
    ids: () => pages.idsIn({}, 2000).toReversed(),
  };
}

test.each([
  ['101 of 100 callbacks', { keptCallbacks: 100 }, 101, []],
  ['102 of 100 callbacks', { keptCallbacks: 100 }, 102, [100]],
  // 10 bytes each.
  ['1,010 of 1,000 bytes', { maxBytes: 1000 }, 101, []],
  ['1,020 of 1,000 bytes', { maxBytes: 1000 }, 102, [100]],
])('bears one percent more than a limit: %s', async (_, limits, count, slices) => {
  const { retention, receive, settled, slices: seen } = start(limits);
  receive(count);
  retention.look();
  await settled();
  expect(seen).toEqual(slices);
  expect(retention.dropped).toBe(slices.length * 2);
  retention.lookAtAll();
  await settled();
  expect(seen).toEqual([100]);
});

test('estimates by the mean size how many callbacks have the excess bytes', async () => {
  const { retention, receive, settled, ids } = start({ maxBytes: 100 });
  receive(2, 'x'.repeat(100));
  receive(8, 'x');
  // 108 bytes too many of 208, of 20.8 each on average: 6 callbacks.
  retention.lookAtAll();
  await settled();
  expect(ids()).toEqual([7, 8, 9, 10]);
});

test('deletes 500 at a time, and starts once', async () => {
  const { retention, receive, settled, slices } = start({ keptCallbacks: 1 });
  receive(1200);
  retention.lookAtAll();
  retention.look();
  expect(slices).toEqual([]);
  await setImmediate();
  expect(slices).toEqual([700]);
  await settled();
  expect([slices, retention.dropped]).toEqual([[700, 200, 1], 1199]);
});

test('deletes nothing after the end', async () => {
  const { clock, retention, receive, settled, slices } = start({ keptCallbacks: 1, maxAgeMs: 1 });
  receive(600);
  retention.lookAtAll();
  await setImmediate();
  retention.cancel();
  await settled();
  retention.lookAtAll();
  clock.advance(3_600_000);
  await settled();
  expect(slices).toEqual([100]);
});

const endpoint: Endpoint = {
  id: 'a',
  name: 'A',
  path: '/a',
  keptCallbacks: null,
  keptDays: null,
  keptMegabytes: null,
};

test.each([
  ['number', { keptCallbacks: 2 }, 'x', [1, 3, 4]],
  // Of 4 times 400,000 bytes, 2 fit.
  ['bytes', { keptMegabytes: 1 }, 'x'.repeat(400_000), [1, 3, 4]],
])('deletes the oldest of an endpoint beyond its limit of %s', async (_, limit, body, left) => {
  const { retention, receive, settled, ids } = start({}, [endpoint, { ...endpoint, id: 'b', path: '/b', ...limit }]);
  receive(1, 'x', '/other');
  receive(3, body, '/b');
  retention.look();
  await settled();
  expect(ids()).toEqual(left);
});

test('does not count for endpoints without such a limit', () => {
  const { retention, receive, endpointLooks } = start({}, [endpoint, { ...endpoint, id: 'b', keptDays: 1 }]);
  receive(3, 'x', '/a');
  retention.look();
  expect(endpointLooks()).toBe(0);
});

test('deletes what is too old, of all and of an endpoint', async () => {
  const { clock, retention, receive, settled, ids } = start({ maxAgeMs: 5 * dayMs }, [{ ...endpoint, keptDays: 2 }]);
  receive(1);
  receive(1, 'x', '/a');
  clock.advance(2 * dayMs);
  receive(1);
  receive(1, 'x', '/a');
  retention.lookAtAll();
  await settled();
  // A callback of exactly this age stays.
  expect(ids()).toEqual([1, 2, 3, 4]);
  clock.advance(1);
  retention.lookAtAll();
  await settled();
  expect(ids()).toEqual([1, 3, 4]);
  clock.advance(3 * dayMs);
  retention.lookAtAll();
  await settled();
  expect(ids()).toEqual([3]);
});

test('keeps callbacks of any age in an endpoint without a limit of age', async () => {
  const { clock, retention, receive, settled, ids } = start({}, [{ ...endpoint, keptCallbacks: 9 }]);
  receive(2, 'x', '/a');
  clock.advance(9000 * dayMs);
  retention.lookAtAll();
  await settled();
  expect(ids()).toEqual([1, 2]);
});

test('deletes all that are stored now, and keeps those that arrive in the meantime', async () => {
  const { retention, receive, slices, ids } = start({});
  receive(600);
  const cleared = retention.clear();
  receive(1);
  await cleared;
  expect([slices, ids(), retention.dropped]).toEqual([[100, 1], [601], 0]);
  await retention.clear();
  expect(ids()).toEqual([]);
  await retention.clear();
  expect(slices).toEqual([100, 1, 0]);
});

test('fails if what is stored cannot be deleted', async () => {
  const clock = createManualClock();
  const retention = createRetention({
    writer: {
      ...({} as ReturnType<typeof createCallbackWriter>),
      counters: { newestId: 1, total: 1, bytes: 1 },
      newestReceivedAt: () => undefined,
      dropOldest() {
        throw new Error('read-only');
      },
    },
    limits: () => unlimited,
    clock,
    onDropped: () => {},
  });
  await expect(retention.clear()).rejects.toThrow('read-only');
});

test('the limits of the settings hold at once', async () => {
  const { client, statusWhere } = await startCore();
  const { receiver } = await statusWhere((status) => status.receiver.state === 'listening');
  const post = async (bytes: number, headBytes = 0) => {
    const headers = { 'x-long': 'x'.repeat(headBytes) };
    return (await fetch(`${receiver.baseUrl}/`, { method: 'POST', headers, body: 'x'.repeat(bytes) })).status;
  };
  expect([await post(3000), await post(0, 20_000)]).toEqual([200, 431]);
  const { keptLimits } = defaultSettings;
  await client.settings.update({ keptLimits: { ...keptLimits, bodyKilobytes: 2, headerKilobytes: 32 } });
  expect([await post(3000), await post(0, 20_000), await post(0, 40_000)]).toEqual([413, 200, 431]);
  await expect(client.settings.update({ keptLimits: { ...keptLimits, keptCallbacks: 1 } })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    data: { field: 'keptLimits.keptCallbacks' },
  });
});
