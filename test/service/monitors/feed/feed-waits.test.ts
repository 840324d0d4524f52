// Requests that wait for events: when their readers are checked, and when each wait ends (docs/feed.md).
import { getEventListeners } from 'node:events';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import type { EventFeed, WaitingReader } from '#service/monitors/feed/feed.ts';
import { createFeedWaits } from '#service/monitors/feed/feed.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

type Found = Awaited<ReturnType<EventFeed['findReady']>>;
const nothing: Found = [];
const place = { position: 7, id: 'evt_1' };
/** The account of `a2` is `a`. */
const readerOf = (application: string) => ({ applicationId: application, ownerId: application.slice(0, 1) });

function startWaits(options: { lookEveryMs?: number } = {}) {
  const clock = createManualClock();
  const looks: (readonly WaitingReader[])[] = [];
  const warnings: string[] = [];
  const state = { find: async (_readers: readonly WaitingReader[]): Promise<Found> => nothing };
  const waits = createFeedWaits({
    clock,
    log: pino({ level: 'warn' }, { write: (line) => void warnings.push(line) }),
    findReady(readers) {
      looks.push(readers);
      return state.find(readers);
    },
    ...options,
  });
  const ended: string[] = [];
  const wait = (application: string, ms = 60_000, signal = new AbortController().signal) =>
    waits.wait(readerOf(application), place, ms, signal).then(() => ended.push(application));
  /** Lets time pass, then the promises of a check run. */
  const pass = async (ms: number) => {
    clock.advance(ms);
    await new Promise(setImmediate);
  };
  return { clock, waits, looks, warnings, state, ended, wait, pass };
}

it('checks all readers at once, and ends the waits of those with events', async () => {
  const { waits, looks, state, ended, wait, pass } = startWaits();
  const [ready] = [wait('a'), wait('b')];
  state.find = async () => [1];
  await pass(0);
  await ready;
  expect(looks).toMatchObject([
    [
      { key: 1, applicationId: 'a', place },
      { key: 2, applicationId: 'b', place },
    ],
  ]);
  expect(ended).toEqual(['a']);
  state.find = async () => nothing;
  waits.wake();
  await pass(50);
  expect(looks[1]).toMatchObject([{ key: 2, applicationId: 'b', place }]);
  expect(ended).toEqual(['a']);
});

it('checks at most every 50 ms, and once more for a notice during a check', async () => {
  const { waits, looks, state, wait, pass } = startWaits();
  void wait('a');
  await pass(0);
  waits.wake();
  waits.wake();
  await pass(49);
  expect(looks).toHaveLength(1);
  let finish = (_found: Found) => {};
  state.find = () => new Promise((resolve) => (finish = resolve));
  await pass(1);
  expect(looks).toHaveLength(2);
  waits.wake();
  await pass(500);
  expect(looks).toHaveLength(2);
  finish(nothing);
  state.find = async () => nothing;
  await pass(0);
  await pass(49);
  expect(looks).toHaveLength(2);
  await pass(1);
  expect(looks).toHaveLength(3);
  await pass(10_000);
  expect(looks).toHaveLength(3);
  waits.wake();
  await pass(0);
  expect(looks).toHaveLength(4);
});

it('runs no check without readers', async () => {
  const { waits, looks, ended, wait, pass } = startWaits({ lookEveryMs: 10 });
  waits.wake();
  await pass(100);
  void wait('a', 0);
  void wait('a', -1);
  await pass(100);
  expect(looks).toEqual([]);
  expect(ended).toEqual(['a', 'a']);
  void wait('b', 30);
  await pass(0);
  await pass(29);
  expect(ended).toEqual(['a', 'a']);
  await pass(1);
  expect(ended).toEqual(['a', 'a', 'b']);
  const count = looks.length;
  await pass(1_000);
  expect(looks).toHaveLength(count);
});

it('continues after a failed check, and logs it', async () => {
  const { waits, looks, warnings, state, wait, pass, ended } = startWaits();
  void wait('a');
  state.find = async () => {
    throw new Error('database is gone');
  };
  await pass(0);
  expect(warnings.join('\n')).toContain('database is gone');
  state.find = async () => [1, 99];
  waits.wake();
  await pass(50);
  expect(looks).toHaveLength(2);
  expect(ended).toEqual(['a']);
});

it('ends a wait when its request is aborted, and leaves nothing behind', async () => {
  const { clock, wait, ended, pass, looks } = startWaits({ lookEveryMs: 10 });
  const request = new AbortController();
  const waiting = wait('a', 60_000, request.signal);
  request.abort();
  await waiting;
  expect(ended).toEqual(['a']);
  expect(getEventListeners(request.signal, 'abort')).toEqual([]);
  await wait('b', 60_000, request.signal);
  await pass(0);
  expect([looks, clock.timers()]).toEqual([[], 0]);
});

it('allows 16 waits of an account, and 1,000 of all', async () => {
  const { wait, waits, ended, pass } = startWaits();
  const refusal = (code: string) => expect.objectContaining({ code, headers: { 'retry-after': '30' } });
  void wait('a1', 100);
  for (let count = 1; count < 16; count += 1) void wait('a2');
  expect(() => wait('a3')).toThrow(refusal('rate_limited'));
  const { signal } = new AbortController();
  const waitFor = (ownerId: string) => waits.wait({ applicationId: 'x', ownerId }, place, 60_000, signal);
  for (let count = 16; count < 1_000; count += 1) void waitFor(`owner ${count}`);
  expect(() => waitFor('another')).toThrow(refusal('temporarily_unavailable'));
  await pass(100);
  expect(ended).toEqual(['a1']);
  expect(() => wait('a3')).not.toThrow();
});

it('ends all waits, and later ones at once, when it closes', async () => {
  const { clock, wait, waits, ended, looks, pass } = startWaits({ lookEveryMs: 10 });
  const both = [wait('a'), wait('b')];
  waits.close();
  await Promise.all(both);
  expect(clock.timers()).toBe(0);
  await wait('c');
  expect(ended).toEqual(['a', 'b', 'c']);
  waits.wake();
  await pass(1_000);
  expect(looks).toEqual([]);
});
