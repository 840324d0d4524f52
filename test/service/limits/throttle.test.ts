// Which clients the limits per address count as one, and how long (docs/decisions.md).
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createLimiter } from '#service/limits/limiter.ts';
import { createAttemptGuard, networkOf } from '#service/limits/throttle.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

/** Windows are of the machine's time. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
});

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '::ffff:192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::9', '2001:db8:1:2'],
  ['2001:db8::9', '2001:db8:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
])('%s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test('an address from which many names failed waits for its turns, and the next network does not', async () => {
  const clock = createManualClock();
  const guard = createAttemptGuard(undefined, clock, 'sign-ins');
  for (let count = 0; count < 80; count += 1)
    await guard.failed(`2001:db8:1:2::${count.toString(16)}`, `name-${count}`);
  const passed: number[] = [];
  const turns = Array.from({ length: 31 }, (_, turn) =>
    guard.slowDown('2001:db8:1:2:ffff::1').then(() => passed.push(turn)),
  );
  // 31 have a turn: one now, and 30 that wait.
  await expect(guard.slowDown('2001:db8:1:2::1')).rejects.toMatchObject({ code: 'rate_limited' });
  await guard.slowDown('2001:db8:1:3::1');
  await turns[0];
  expect(passed).toEqual([0]);
  clock.advance(3_000);
  await turns[3];
  expect(passed).toEqual([0, 1, 2, 3]);
  clock.advance(27_000);
  await Promise.all(turns);
});

test('a success ends the count of its name, but not that of its address', async () => {
  const guard = createAttemptGuard(undefined, createManualClock(), 'sign-ins');
  for (let count = 0; count < 40; count += 1) await guard.failed('192.0.2.1', 'ann');
  for (let count = 0; count < 40; count += 1) await guard.failed('192.0.2.1', `name-${count}`);
  await guard.succeeded('192.0.2.1', 'ann');
  await guard.check('192.0.2.1', 'ann');
  const turns = Array.from({ length: 32 }, () => guard.slowDown('192.0.2.1'));
  // Waiting turns never come, because the clock does not move.
  await turns[0];
  await expect(turns[31]).rejects.toMatchObject({ code: 'rate_limited' });
});

test('a flood of names makes the table drop the oldest failures and not grow', async () => {
  const limiter = createLimiter({ name: 'n', max: 1, windowSeconds: 60 }, undefined);
  for (let count = 0; count <= 20_000; count += 1) await limiter.take(`name-${count}`);
  const left = await Promise.all(['name-0', 'name-1', 'name-20000'].map((name) => limiter.left(name)));
  expect(left.map(({ count }) => count)).toEqual([1, 0, 0]);
});

test('a window starts with its first count, and refused counts do not extend it', async () => {
  const limiter = createLimiter({ name: 'n', max: 2, windowSeconds: 300 }, undefined);
  expect([await limiter.take('ann'), await limiter.take('ann')]).toEqual([0, 0]);
  vi.advanceTimersByTime(100_000);
  expect([await limiter.take('ann'), await limiter.left('ann')]).toEqual([200, { count: 0, seconds: 200 }]);
  vi.advanceTimersByTime(200_000);
  expect([await limiter.left('ann'), await limiter.take('ann')]).toEqual([{ count: 2, seconds: 0 }, 0]);
});
