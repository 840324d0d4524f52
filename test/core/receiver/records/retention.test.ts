// Which callbacks are deleted for the limits of number, bytes, and age, of the whole store and of endpoints; and from when on those of age
// apply.
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { Endpoint } from '#contract/app-rpc/callbacks.ts';
import { defaultSettings } from '#contract/app-rpc/default-settings.ts';
import { limitsWith, receiverLimits } from '#core/receiver/access/receiver-limits.ts';
import { everyRow } from '#core/receiver/records/callback-pages.ts';
import { createCallbackWriter } from '#core/receiver/records/callback-writer.ts';
import { createRetention } from '#core/receiver/records/retention.ts';
import { jumpMs } from '#shared/time/clock.ts';
import { openCallbackStore, receivedCallback } from '#test/core/callbacks/callback-store.ts';
import { startCore } from '#test/core/core-harness.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;
const unlimited = { keptCallbacks: 1e9, maxBytes: 1e9, maxAgeMs: null as number | null };

type Options = {
  endpoints?: readonly Endpoint[];
  /** How long ago callbacks were received that are stored before it starts. */
  storedMsAgo?: readonly number[];
};

function start(limits: Partial<typeof unlimited>, { endpoints = [], storedMsAgo = [] }: Options = {}) {
  const clock = createManualClock();
  const { db, pages } = openCallbackStore(
    storedMsAgo.map((msAgo) => receivedCallback({ receivedAt: clock.now() - msAgo })),
  );
  const writer = createCallbackWriter(db, () => endpoints);
  const broken: { failure?: Error } = {};
  const slices: number[] = [];
  const retention = createRetention({
    writer: {
      ...writer,
      get counters() {
        return writer.counters;
      },
      dropOldest(count, endpointId) {
        if (broken.failure) throw broken.failure;
        return writer.dropOldest(count, endpointId);
      },
    },
    limits: () => ({ ...unlimited, ...limits }),
    endpoints: () => endpoints,
    clock,
    onDropped: () => void slices.push(writer.counters.total),
  });
  onTestFinished(retention.cancel);
  const receive = (count: number, body = '0123456789', target = '/', receivedAt = clock.now()) => {
    const callback = receivedCallback({ receivedAt, body, target });
    writer.append(Array.from({ length: count }, () => callback));
  };
  const settled = async () => {
    for (let turn = 0; turn < 8; turn += 1) await setImmediate();
  };
  const ids = () => pages.ids({}, everyRow, 'id');
  return {
    broken,
    clock,
    receive,
    retention,
    settled,
    /** How many callbacks are left after each slice. */
    slices,
    ids,
    /** Which are left once it has checked every limit. */
    async left() {
      retention.lookAtAll();
      await settled();
      return ids();
    },
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
  const { clock, left, retention, receive, settled, slices } = start({ keptCallbacks: 1, maxAgeMs: 1 });
  receive(600);
  retention.lookAtAll();
  await setImmediate();
  retention.cancel();
  await settled();
  await left();
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
  const endpoints = [endpoint, { ...endpoint, id: 'b', path: '/b', ...limit }];
  const { retention, receive, settled, ids } = start({}, { endpoints });
  receive(1, 'x', '/other');
  receive(3, body, '/b');
  retention.look();
  await settled();
  expect(ids()).toEqual(left);
});

test('deletes what is too old, of all and of an endpoint', async () => {
  const endpoints = [
    { ...endpoint, keptDays: 2 },
    { ...endpoint, id: 'b', path: '/b', keptCallbacks: 9 },
  ];
  const { clock, left, receive } = start({ maxAgeMs: 5 * dayMs }, { endpoints });
  for (const target of ['/', '/a', '/b']) receive(1, 'x', target);
  clock.advance(2 * dayMs);
  for (const target of ['/', '/a']) receive(1, 'x', target);
  // A callback of exactly this age stays.
  expect(await left()).toEqual([1, 2, 3, 4, 5]);
  clock.advance(1);
  expect(await left()).toEqual([1, 3, 4, 5]);
  clock.advance(3 * dayMs);
  expect(await left()).toEqual([4]);
});

test('deletes all that are stored now, and keeps those that arrive in the meantime', async () => {
  const { broken, retention, receive, slices, ids } = start({});
  receive(600);
  const cleared = retention.clear();
  receive(1);
  await cleared;
  expect([slices, ids(), retention.dropped]).toEqual([[100, 1], [601], 0]);
  broken.failure = new Error('read-only');
  await expect(retention.clear()).rejects.toThrow('read-only');
  delete broken.failure;
  await retention.clear();
  expect(ids()).toEqual([]);
});

const limit = { maxAgeMs: 10 * dayMs };
const old = 20 * dayMs;

test.each([
  ['now', 0, true],
  ['a day ago', dayMs, true],
  ['more than a day ago', dayMs + 1, false],
  ['later than now', -1, false],
  ['never', undefined, true],
])('deletes old callbacks at once if the newest was received %s: %s', async (_, newestMsAgo, isAtOnce) => {
  const { clock, left, receive } = start(limit, { storedMsAgo: newestMsAgo === undefined ? [] : [old, newestMsAgo] });
  if (newestMsAgo === undefined) receive(1, 'x', '/', clock.now() - old);
  const isGone = async () => !(await left()).includes(1);
  expect(await isGone()).toBe(isAtOnce);
  clock.advance(10 * minuteMs - 1);
  expect(await isGone()).toBe(isAtOnce);
  clock.advance(1);
  expect(await isGone()).toBe(true);
});

test.each([
  ['a jump', jumpMs + 1, true],
  ['a jump back', -jumpMs - 1, true],
  ['a small correction', jumpMs, false],
  ['a small correction back', -jumpMs, false],
])('waits ten minutes after %s of the clock', async (_, ms, waits) => {
  const { clock, left, receive } = start(limit);
  clock.advance(20 * minuteMs);
  receive(1, 'x', '/', clock.now() - old);
  clock.jump(ms);
  expect(await left()).toEqual(waits ? [1] : []);
  clock.advance(10 * minuteMs - 1);
  expect(await left()).toEqual(waits ? [1] : []);
  clock.advance(1);
  expect(await left()).toEqual([]);
});

test('waits after a jump that is undone before it looks again', async () => {
  const { clock, left } = start(limit, { storedMsAgo: [0] });
  clock.jump(old);
  await left();
  clock.advance(9 * minuteMs);
  clock.jump(-old);
  clock.jump(old);
  clock.advance(2 * minuteMs);
  expect(await left()).toEqual([1]);
});

test('looks every minute', async () => {
  const { clock, ids, receive, settled } = start(limit);
  for (const id of [1, 2]) {
    receive(1, 'x', '/', clock.now() - old);
    clock.advance(minuteMs - 1);
    await settled();
    expect(ids()).toEqual([id]);
    clock.advance(1);
    await settled();
    expect(ids()).toEqual([]);
  }
});

// SQLITE_BUSY, https://www.sqlite.org/rescode.html.
const locked = Object.assign(new Error('locked'), { errcode: 5 });

test('tries again later if the store cannot be used now', async () => {
  const { broken, left } = start({ keptCallbacks: 1 }, { storedMsAgo: [0, 0, 0] });
  broken.failure = locked;
  expect(await left()).toEqual([1, 2, 3]);
  delete broken.failure;
  expect(await left()).toEqual([3]);
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

test('the limits of the receiver follow the settings', () => {
  const settings = { keptCallbacks: 5, keptDays: 2, keptMegabytes: 3, bodyKilobytes: 7, headerKilobytes: 11 };
  const limits = {
    ...receiverLimits,
    keptCallbacks: 5,
    maxAgeMs: 172_800_000,
    maxBytes: 3_145_728,
    bodyBytes: 7168,
    headerBytes: 11_264,
  };
  expect(limitsWith(settings)).toEqual(limits);
  expect(limitsWith({ ...settings, keptDays: null })).toEqual({ ...limits, maxAgeMs: null });
});
