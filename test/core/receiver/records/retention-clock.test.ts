// From when on callbacks are deleted for their age, and what happens if the store cannot be used.
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createRetention } from '#core/receiver/records/retention.ts';
import { jumpMs } from '#shared/time/clock.ts';
import { openCallbackStore } from '#test/core/callbacks/callback-store.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** A store with three callbacks that are always too old. */
function start(
  newestMsAgo: number | undefined,
  changes: { dropOldest?: () => number; onJump?: () => () => void } = {},
) {
  const clock = createManualClock();
  const counters = { newestId: 3, total: 3, bytes: 3 };
  const timers = new Set<symbol>();
  const listeners = new Set<symbol>();
  const track = (set: Set<symbol>, cancel: () => void) => {
    const mark = Symbol('one');
    set.add(mark);
    return () => {
      set.delete(mark);
      cancel();
    };
  };
  const newest = newestMsAgo === undefined ? undefined : clock.now() - newestMsAgo;
  const writer = {
    ...openCallbackStore([]).writer,
    counters,
    newestReceivedAt: (): number | undefined => newest,
    countOlder: () => counters.total,
    dropOldest(count: number) {
      counters.total -= count;
      return count;
    },
    ...changes,
  };
  const retention = createRetention({
    writer,
    limits: () => ({ keptCallbacks: 9, maxBytes: 9, maxAgeMs: 1 }),
    clock: {
      ...clock,
      after: (delayMs, run) => track(timers, clock.after(delayMs, run)),
      onJump: changes.onJump ?? ((run) => track(listeners, clock.onJump(run))),
    },
    onDropped: () => {},
  });
  const left = async () => {
    retention.lookAtAll();
    for (let turn = 0; turn < 3; turn += 1) await setImmediate();
    return counters.total;
  };
  return { clock, counters, left, listeners, retention, timers, writer };
}

test.each([
  ['now', 0, true],
  ['a day ago', dayMs, true],
  ['more than a day ago', dayMs + 1, false],
  ['later than now', -1, false],
  ['never', undefined, true],
])('deletes at once if the newest callback was received %s: %s', async (_, newestMsAgo, isAtOnce) => {
  const { clock, left } = start(newestMsAgo);
  expect(await left()).toBe(isAtOnce ? 0 : 3);
  clock.advance(10 * minuteMs - 1);
  expect(await left()).toBe(isAtOnce ? 0 : 3);
  clock.advance(1);
  expect(await left()).toBe(0);
});

test.each([
  ['a jump', jumpMs + 1, true],
  ['a jump back', -jumpMs - 1, true],
  ['a small correction', jumpMs, false],
  ['a small correction back', -jumpMs, false],
])('waits ten minutes after %s of the clock', async (_, ms, waits) => {
  const { clock, left } = start(0);
  clock.advance(20 * minuteMs);
  clock.jump(ms);
  expect(await left()).toBe(waits ? 3 : 0);
  clock.advance(10 * minuteMs - 1);
  expect(await left()).toBe(waits ? 3 : 0);
  clock.advance(1);
  expect(await left()).toBe(0);
});

test('waits after a jump that is not reported, from the moment at which it is found', async () => {
  const { clock, left } = start(0, { onJump: () => () => {} });
  clock.jump(dayMs);
  expect(await left()).toBe(3);
  clock.advance(10 * minuteMs);
  expect(await left()).toBe(0);
});

test('looks every minute', async () => {
  const { clock, counters } = start(0);
  for (const total of [3, 2]) {
    counters.total = total;
    clock.advance(minuteMs - 1);
    await setImmediate();
    expect(counters.total).toBe(total);
    clock.advance(1);
    await setImmediate();
    expect(counters.total).toBe(0);
    await setImmediate();
  }
});

test('leaves neither a timer nor a listener at its end', () => {
  const { listeners, retention, timers } = start(0);
  expect([timers.size, listeners.size]).toEqual([1, 1]);
  retention.cancel();
  expect([timers.size, listeners.size]).toEqual([0, 0]);
});

// SQLITE_BUSY, https://www.sqlite.org/rescode.html.
const locked = Object.assign(new Error('locked'), { errcode: 5 });
const failing = (error: Error) => () => {
  throw error;
};

test('tries again later if the store cannot be used now', async () => {
  const { left, writer } = start(0);
  const { dropOldest } = writer;
  writer.dropOldest = failing(locked);
  expect(await left()).toBe(3);
  writer.dropOldest = dropOldest;
  expect(await left()).toBe(0);
});

test('bears any failure of a store that is closed meanwhile', async () => {
  const { left, retention, writer } = start(0);
  writer.dropOldest = () => {
    retention.cancel();
    throw new Error('closed');
  };
  expect(await left()).toBe(3);
});

test('waits ten minutes if the newest callback cannot be read, and fails for another reason', async () => {
  const create = (error: Error, clock = createManualClock()) => {
    let drops = 0;
    const retention = createRetention({
      writer: {
        ...openCallbackStore([]).writer,
        counters: { newestId: 1, total: 1, bytes: 1 },
        newestReceivedAt: failing(error),
        countOlder: () => 1 - drops,
        dropOldest: () => (drops += 1),
      },
      limits: () => ({ keptCallbacks: 9, maxBytes: 9, maxAgeMs: 1 }),
      clock,
      onDropped: () => {},
    });
    return { clock, drops: () => drops, retention };
  };
  expect(() => create(new Error('a bug'))).toThrow('a bug');
  const { clock, drops, retention } = create(locked);
  retention.lookAtAll();
  await setImmediate();
  expect(drops()).toBe(0);
  clock.advance(10 * minuteMs);
  await setImmediate();
  expect(drops()).toBe(1);
});
