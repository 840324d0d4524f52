// How many hosts the breaker remembers.
import { expect, it } from 'vitest';
import { createHostBreaker } from '#service/monitors/delivery/hosts.ts';

it('the breaker remembers the 50,000 hosts that failed last', () => {
  const breaker = createHostBreaker();
  for (const host of ['first', 'second']) for (let count = 0; count < 3; count += 1) breaker.failedToRespond(host, 0);
  for (let count = 2; count < 50_000; count += 1) breaker.failedToRespond(`host ${count}`, 0);
  breaker.failedToRespond('another', 0);
  expect(breaker.isDoubtful('first')).toBe(false);
  expect(breaker.isDoubtful('second')).toBe(true);
});
