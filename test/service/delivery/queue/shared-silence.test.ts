// Silent hosts that other processes report, and what this process reports to them.
import { describe, expect, it } from 'vitest';
import { createHostBreaker } from '#service/delivery/queue/host-breaker.ts';

const host = 'https://hooks.example';
const reported = { failures: 5, restMs: 4_000, leftMs: 3_000 };

describe('the breaker of silent hosts', () => {
  it('reports each pause, and the response that ends it', () => {
    const changes: unknown[] = [];
    const breaker = createHostBreaker((name, silence) => void changes.push([name, silence]));
    breaker.failedToRespond(host, 0);
    breaker.responded(host);
    for (let count = 0; count < 3; count += 1) breaker.failedToRespond(host, 0);
    breaker.failedToRespond(host, 1_000);
    breaker.responded(host);
    breaker.responded(host);
    expect(changes).toEqual([
      [host, { failures: 3, restMs: 1_000 }],
      [host, { failures: 4, restMs: 2_000 }],
      [host, { failures: 0, restMs: 0 }],
    ]);
  });

  it('pauses a host for the rest of the time that another process reports', () => {
    const breaker = createHostBreaker();
    breaker.learn(host, reported, 100);
    expect([3_099, 3_100].map((elapsed) => breaker.isResting(host, elapsed))).toEqual([true, false]);
    expect(breaker.isDoubtful(host)).toBe(true);
    breaker.failedToRespond(host, 3_100);
    // Twice the reported pause.
    expect([11_099, 11_100].map((elapsed) => breaker.isResting(host, elapsed))).toEqual([true, false]);
  });

  it('limits a reported pause to a minute, and ignores a negative one', () => {
    const breaker = createHostBreaker();
    breaker.learn(host, { ...reported, leftMs: 999_999 }, 0);
    expect([59_999, 60_000].map((elapsed) => breaker.isResting(host, elapsed))).toEqual([true, false]);
    breaker.learn('b', { ...reported, leftMs: -5_000 }, 10_000);
    expect([9_999, 10_000].map((elapsed) => breaker.isResting('b', elapsed))).toEqual([true, false]);
  });

  it('keeps its own count unless the reported one is higher', () => {
    const breaker = createHostBreaker();
    breaker.learn(host, reported, 0);
    breaker.learn(host, { ...reported, leftMs: 50_000 }, 0);
    expect(breaker.isResting(host, 3_000)).toBe(false);
    breaker.learn(host, { ...reported, failures: 6, leftMs: 50_000 }, 0);
    expect(breaker.isResting(host, 3_000)).toBe(true);
    breaker.learn(host, { failures: 0, restMs: 0, leftMs: 0 }, 0);
    expect([breaker.isResting(host, 3_000), breaker.isDoubtful(host)]).toEqual([false, false]);
  });

  it('does not report what another process reported', () => {
    const changes: unknown[] = [];
    const breaker = createHostBreaker(() => void changes.push(1));
    breaker.learn(host, reported, 0);
    breaker.learn(host, { failures: 0, restMs: 0, leftMs: 0 }, 0);
    breaker.responded(host);
    expect(changes).toEqual([]);
  });

  it('is not dead before the failures of about two minutes', () => {
    const breaker = createHostBreaker();
    breaker.learn(host, reported, 0);
    expect(breaker.isDead(host, 0)).toBe(false);
    expect(breaker.isDead('another', 0)).toBe(false);
  });
});
