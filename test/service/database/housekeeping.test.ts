// When the service deletes what is old, and that a wrong clock does not make it.
import { onTestFinished, expect, it } from 'vitest';
import { createHousekeeping } from '#service/database/housekeeping.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;

function start({ work = async () => {}, onError = (_error: unknown) => {} } = {}) {
  const clock = createManualClock();
  const runs: number[] = [];
  const startedAt = clock.now();
  const housekeeping = createHousekeeping({
    clock,
    work: () => (runs.push(clock.now() - startedAt), work()),
    onError,
  });
  housekeeping.start();
  onTestFinished(() => housekeeping.close());
  return { clock, runs, housekeeping };
}

it('runs a minute after the start, so that short sessions delete as well, and every hour', () => {
  const { clock, runs } = start();
  clock.advance(122 * minuteMs);
  expect(runs).toEqual([minuteMs, 61 * minuteMs, 121 * minuteMs]);
});

it('deletes nothing by a clock that is ahead by 40 days and corrected within ten minutes', () => {
  const { clock, runs } = start();
  clock.advance(60 * minuteMs);
  runs.length = 0;
  clock.jump(40 * dayMs);
  clock.advance(9 * minuteMs);
  clock.jump(-40 * dayMs);
  clock.advance(9 * minuteMs);
  expect(runs).toEqual([]);
  clock.advance(minuteMs);
  expect(runs).toEqual([79 * minuteMs]);
});

it('runs ten minutes after a jump, as after a sleep, and goes on hourly', () => {
  const { clock, runs } = start();
  clock.jump(8 * 60 * minuteMs);
  clock.advance(10 * minuteMs);
  expect(runs).toEqual([490 * minuteMs]);
  clock.advance(60 * minuteMs);
  expect(runs).toHaveLength(2);
});

it('runs no more once it is closed', async () => {
  const { clock, runs, housekeeping } = start();
  await housekeeping.close();
  clock.jump(dayMs);
  clock.advance(dayMs);
  expect(runs).toEqual([]);
});

it('reports an error and goes on, and ends only after what is running', async () => {
  const errors: unknown[] = [];
  const { promise, reject } = Promise.withResolvers<void>();
  const { clock, runs, housekeeping } = start({ work: () => promise, onError: (error) => errors.push(error) });
  clock.advance(61 * minuteMs);
  expect(runs).toHaveLength(2);
  let isClosed = false;
  const closed = housekeeping.close().then(() => (isClosed = true));
  await new Promise((done) => void setImmediate(done));
  expect(isClosed).toBe(false);
  reject('no such table');
  await closed;
  expect(errors).toContain('no such table');
});
