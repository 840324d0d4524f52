// When a host that does not answer is left alone, and for how long (docs/delivery.md S12).
import { describe, expect, it } from 'vitest';
import { createHostBreaker } from '#service/monitors/delivery/hosts.ts';

const host = 'https://hooks.example';

function silentFor(times: number, now = 0) {
  const breaker = createHostBreaker();
  for (let count = 0; count < times; count += 1) breaker.failedToRespond(host, now);
  return breaker;
}

describe('a host that does not answer', () => {
  it('does not rest if it answered in between', () => {
    const breaker = silentFor(2);
    breaker.responded(host);
    breaker.failedToRespond(host, 0);
    expect(breaker.isResting(host, 0)).toBe(false);
    expect(breaker.isDoubtful(host)).toBe(false);
  });

  it('rests twice as long each time, a minute at most, and attempts that were under way do not lengthen it', () => {
    const breaker = silentFor(3);
    const rests: number[] = [];
    let now = 1_000;
    for (let count = 0; count < 8; count += 1) {
      breaker.failedToRespond(host, now);
      breaker.failedToRespond(host, now);
      let rest = 0;
      while (breaker.isResting(host, now + rest)) rest += 1_000;
      rests.push(rest / 1_000);
      now += rest;
    }
    expect(rests).toEqual([2, 4, 8, 16, 32, 60, 60, 60]);
  });
});
