// Retries as a plan (docs/delivery.md S3), whatever the answer, the jitter and the time: they never reach into the next window.
import fc from 'fast-check';
import '#test/property-seed.ts';
import { describe, expect, it } from 'vitest';
import { classifyAttempt, nextAttemptAt } from '#service/monitors/delivery/deliver.ts';

const hourMs = 3_600_000;

describe('the plan of retries (docs/delivery.md S3)', () => {
  it('ends before the window does, and waits at least as long as Retry-After asks', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 0, max: hourMs }),
        fc.option(fc.integer({ min: 0, max: 100_000 }), { nil: undefined }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 0, max: 4 }),
        (attempts, now, retryAfterSeconds, random, retries) => {
          const rules = { retries, timeoutMs: 15_000, random: () => random };
          const at = nextAttemptAt({ attempts, occurredAt: 0, now, retryAfterSeconds }, rules);
          if (at === undefined) return;
          expect(attempts).toBeLessThanOrEqual(retries);
          expect(at + 17_000).toBeLessThan(hourMs);
          expect(at).toBeGreaterThanOrEqual(now + 8_000);
          expect(at).toBeGreaterThanOrEqual(now + (retryAfterSeconds ?? 0) * 1000);
        },
      ),
    );
  });

  it('plans no attempt that could last beyond the window', () => {
    const rules = { retries: 4, timeoutMs: 15_000, random: () => 0.5 };
    const planned = (now: number) =>
      nextAttemptAt({ attempts: 1, occurredAt: 0, now, retryAfterSeconds: undefined }, rules);
    // A pause of 9 s, up to 2 s until the next poll, and an attempt of up to 15 s.
    expect(planned(hourMs - 26_001)).toBe(hourMs - 17_001);
    expect(planned(hourMs - 26_000)).toBeUndefined();
  });

  it('spreads each pause by at most a fifth, including the 2 s until the next poll', () => {
    const pausesWith = (random: number) =>
      [1, 2, 3, 4, 5].map((attempts) =>
        nextAttemptAt(
          { attempts, occurredAt: 0, now: 0, retryAfterSeconds: undefined },
          { retries: 4, timeoutMs: 15_000, random: () => random },
        ),
      );
    expect(pausesWith(0)).toEqual([8_000, 48_000, 240_000, 960_000, undefined]);
    expect(pausesWith(1)).toEqual([10_000, 70_000, 358_000, 1_438_000, undefined]);
  });

  it.each([
    ['delivered', [200, 204, 299]],
    ['retry', [null, 408, 425, 429, 500, 502, 503, 504, 599]],
    ['once', [401, 403, 404]],
    ['final', [301, 302, 303, 307, 308, 400, 405, 413, 422]],
    ['gone', [410]],
  ] as const)('decides what repetition can fix: %s after %j', (expected, statuses) => {
    for (const status of statuses)
      expect([status, classifyAttempt({ status, error: 'timeout' })]).toEqual([status, expected]);
  });

  it('tries a forbidden address never again', () => {
    expect(classifyAttempt({ status: null, error: 'forbidden' })).toBe('final');
  });
});
