// Whom limits per address count as one (docs/decisions.md).
import { expect, test } from 'vitest';
import { createAttemptGuard, networkOf } from '#service/accounts/throttle.ts';
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

test('guessing from ever new addresses of one IPv6 network is slowed down, and the next network is not', () => {
  const guard = createAttemptGuard(createManualClock(), 'sign-ins');
  for (let count = 0; count < 80; count += 1) guard.failed(`2001:db8:1:2::${count.toString(16)}`, `name-${count}`);
  expect(() => guard.check('2001:db8:1:2:ffff::1', 'another')).toThrow('Too many failed sign-ins from your address');
  expect(() => guard.check('2001:db8:1:3::1', 'another')).not.toThrow();
});
