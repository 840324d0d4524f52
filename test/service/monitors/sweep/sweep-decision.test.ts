// When each cell is checked next, decided without I/O.
import fc from 'fast-check';
import '#test/property-seed.ts';
import { expect, it } from 'vitest';
import { jumpMs } from '#shared/time/clock.ts';
import { latestPlausibleCheck, planCheck } from '#service/monitors/sweep/sweep.ts';

const plan = (isPrecipitating: boolean | null, nextUpdateAt: number | undefined, now: number, intervalMs: number) =>
  planCheck({ isPrecipitating, nextUpdateAt }, now, intervalMs);

it('makes cells that were checked within one second due together, and none a second too early', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 4e12 }),
      fc.integer({ min: 1, max: 86_400 }),
      fc.nat({ max: 999 }),
      (instant, seconds, later) => {
        const at = (now: number) => plan(false, undefined, now, seconds * 1_000);
        const start = Math.floor(instant / 1_000) * 1_000;
        expect(at(start + later)).toBe(at(start));
        expect(at(start + later)).toBeGreaterThan(start + later + (seconds - 1) * 1_000);
      },
    ),
  );
});

it('plans the next check the interval later, later if the provider says so, and never after 15 minutes', () => {
  const now = 1_000_500;
  expect(plan(false, undefined, now, 300_000)).toBe(1_300_000);
  expect(plan(true, now + 400_000, now, 300_000)).toBe(now + 400_000);
  expect(plan(null, now + 400_000, now, 300_000)).toBe(1_300_000);
  expect(plan(false, 5, now, 300_000)).toBe(1_300_000);
  expect(plan(true, now + 900_001, now, 300_000)).toBe(now + 900_000);
  expect(plan(false, now + 900_000, now, 300_000)).toBe(now + 900_000);
  // An interval above 15 minutes is the limit itself.
  expect(plan(false, now * 9, now, 1_200_000)).toBe(now + 1_200_000);
  expect(latestPlausibleCheck(now, 300_000)).toBe(now + 900_000 + jumpMs);
  expect(latestPlausibleCheck(now, 1_200_000)).toBe(now + 1_200_000 + jumpMs);
});
