// How fast monitors are written: 16 at once to our own service; to others 4 at once, 20 and then 5 a second; a pause after a 429.
import { describe, expect, test } from 'vitest';
import type { Connection } from '#core/connection/connection.ts';
import { AppFailure } from '#core/errors/app-failure.ts';
import { createPaces } from '#core/monitors/write-pace.ts';
import { createManualClock } from '../manual-clock.ts';

const settle = () => new Promise<void>((resolve) => void setImmediate(resolve));

function start(isOwn = false) {
  const clock = createManualClock();
  const asked: Connection[] = [];
  const connection = {} as Connection;
  const paces = createPaces(clock, (of) => {
    asked.push(of);
    return isOwn;
  });
  const starts: number[] = [];
  const open: (() => void)[] = [];
  /** Ends when `open` is called, or at once. */
  const write = (isHeld = false, of = connection) =>
    paces(of, async () => {
      starts.push(clock.elapsed());
      if (isHeld) await new Promise<void>((resolve) => void open.push(resolve));
      return starts.length;
    });
  const pass = async (ms: number, stepMs = 50) => {
    for (let passed = 0; passed < ms; passed += stepMs) {
      clock.advance(stepMs);
      await settle();
    }
  };
  return { clock, connection, paces, starts, open, write, pass, asked };
}

describe('writes', () => {
  test.each([
    [true, 16],
    [false, 4],
  ])('to our own service (%s) run %i at once', async (isOwn, count) => {
    const { starts, open, write, connection, asked } = start(isOwn);
    const writes = Array.from({ length: 18 }, () => write(true));
    await settle();
    expect(starts).toHaveLength(count);
    open.shift()?.();
    await settle();
    expect(starts).toHaveLength(count + 1);
    expect(new Set(asked)).toEqual(new Set([connection]));
    while (starts.length < 18 || open.length > 0) {
      open.shift()?.();
      await settle();
    }
    expect((await Promise.all(writes)).length).toBe(18);
  });

  test('to our own service have no budget', async () => {
    const { starts, write } = start(true);
    await Promise.all(Array.from({ length: 500 }, () => write()));
    expect(new Set(starts)).toEqual(new Set([0]));
  });

  test('to another service are 20 at once, then 5 a second, and 20 again after a while', async () => {
    const { starts, write, pass } = start();
    const writes = Array.from({ length: 30 }, () => write());
    await settle();
    expect(starts).toHaveLength(20);
    await pass(2000);
    await Promise.all(writes);
    expect(starts.slice(20)).toEqual([200, 400, 600, 800, 1000, 1200, 1400, 1600, 1800, 2000]);
    await pass(60_000, 1000);
    const more = Array.from({ length: 21 }, () => write());
    await settle();
    expect(starts).toHaveLength(50);
    await pass(200);
    await Promise.all(more);
    expect(starts).toHaveLength(51);
  });

  test('of two connections have a pace each', async () => {
    const { starts, write } = start();
    for (let index = 0; index < 25; index += 1) void write(false, index % 2 === 0 ? undefined : ({} as Connection));
    await settle();
    expect(starts).toHaveLength(25);
  });
});

describe('a write that is refused with 429', () => {
  const limited = (retryAfterSeconds?: number) =>
    new AppFailure('RATE_LIMITED', 'Slow.', retryAfterSeconds === undefined ? {} : { retryAfterSeconds });

  async function tries(errors: readonly Error[], seconds: number) {
    const { clock, paces, connection, pass, write, starts } = start(true);
    const at: number[] = [];
    let outcome: unknown = 'waiting';
    void paces(connection, async () => {
      at.push(clock.elapsed() / 1000);
      const error = errors[at.length - 1];
      if (error) throw error;
      return 'sent';
    }).then(
      (value) => (outcome = value),
      (error: unknown) => (outcome = error),
    );
    await settle();
    const other = write();
    await settle();
    await pass(seconds * 1000, 500);
    await Promise.race([other, settle()]);
    return { at, outcome, others: starts.map((ms) => ms / 1000) };
  }

  test('is repeated after the pause that the service requests, and so is every other', async () => {
    expect(await tries([limited(7)], 10)).toEqual({ at: [0, 7], outcome: 'sent', others: [7] });
    expect(await tries([limited(120)], 130)).toMatchObject({ at: [0, 120], outcome: 'sent' });
    expect(await tries([limited(0)], 1)).toMatchObject({ at: [0, 0], outcome: 'sent' });
  });

  test('is repeated after 1, 2, 4, and 8 s without such a pause, then no more', async () => {
    const errors = Array.from({ length: 5 }, () => limited());
    expect(await tries(errors, 30)).toMatchObject({ at: [0, 1, 3, 7, 15], outcome: errors[4] });
    expect(await tries(errors.slice(1), 30)).toMatchObject({ at: [0, 1, 3, 7, 15], outcome: 'sent' });
  });

  test.each([limited(121), new AppFailure('SERVER', 'No.', { retryAfterSeconds: 1 }), new TypeError('bug')])(
    'is not repeated after %s',
    async (error) => {
      expect(await tries([error], 5)).toEqual({ at: [0], outcome: error, others: [0] });
    },
  );
});
