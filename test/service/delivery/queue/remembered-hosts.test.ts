// How many hosts the breaker remembers.
import { expect, it } from 'vitest';
import { createHostBreaker } from '#service/monitors/delivery/hosts.ts';

it('the breaker remembers 50,000 hosts, and starts again with the next one', () => {
  const breaker = createHostBreaker();
  for (let count = 0; count < 3; count += 1) breaker.failedToRespond('first', 0);
  for (let count = 1; count < 50_000; count += 1) breaker.failedToRespond(`host ${count}`, 0);
  breaker.failedToRespond('host 1', 0);
  expect(breaker.isDoubtful('first')).toBe(true);
  breaker.failedToRespond('another', 0);
  expect(breaker.isDoubtful('first')).toBe(false);
});
