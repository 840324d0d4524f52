// Which clients the limits per address count as one (docs/decisions/limits.md).
import { expect, test } from 'vitest';
import { createAttemptGuard, createThrottle, networkOf } from '#service/limits/throttle.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

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
  const guard = createAttemptGuard({ clock }, 'sign-ins');
  for (let count = 0; count < 80; count += 1) void guard.failed(`2001:db8:1:2::${count.toString(16)}`, `name-${count}`);
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

test('a name that failed forty times is refused from that network only, and other names are not', () => {
  const guard = createAttemptGuard({ clock: createManualClock() }, 'sign-ins');
  for (let count = 0; count < 40; count += 1) void guard.failed('192.0.2.1', 'ann');
  expect(() => guard.check('192.0.2.1', 'ann')).toThrow('Too many failed sign-ins with this name from your IP address');
  expect(() => guard.check('192.0.2.1', 'bob')).not.toThrow();
  expect(() => guard.check('192.0.2.2', 'ann')).not.toThrow();
});

test('a success ends the count of its name, but not that of its address', async () => {
  const guard = createAttemptGuard({ clock: createManualClock() }, 'sign-ins');
  for (let count = 0; count < 40; count += 1) void guard.failed('192.0.2.1', 'ann');
  for (let count = 0; count < 40; count += 1) void guard.failed('192.0.2.1', `name-${count}`);
  guard.succeeded('192.0.2.1', 'ann');
  expect(() => guard.check('192.0.2.1', 'ann')).not.toThrow();
  const turns = Array.from({ length: 32 }, () => guard.slowDown('192.0.2.1'));
  // Waiting turns never come, because the clock does not move.
  await turns[0];
  await expect(turns[31]).rejects.toMatchObject({ code: 'rate_limited' });
});

test('a flood of names makes the table drop the oldest failures and not grow', () => {
  const throttle = createThrottle({ clock: createManualClock() }, { name: 'n', failures: 1, windowSeconds: 60 });
  for (let count = 0; count <= 20_000; count += 1) void throttle.failed(`name-${count}`);
  expect(['name-0', 'name-1', 'name-20000'].map(throttle.waitSeconds)).toEqual([0, 60, 60]);
});

test.each([10_800_000, -10_800_000])('a clock jump of %i ms neither lets in nor locks out for longer', (byMs) => {
  const clock = createManualClock();
  const throttle = createThrottle({ clock }, { name: 'n', failures: 2, windowSeconds: 300 });
  for (let count = 0; count < 2; count += 1) void throttle.failed('ann');
  clock.advance(100_000);
  clock.jump(byMs);
  expect(throttle.waitSeconds('ann')).toBe(200);
  clock.advance(200_000);
  expect(throttle.waitSeconds('ann')).toBe(0);
});
