// When each cell is checked next, decided without I/O.
import fc from 'fast-check';
import '#test/property-seed.ts';
import { expect, it } from 'vitest';
import { jumpMs } from '#shared/time/clock.ts';
import { decideSweep, latestPlausibleCheck, type Check } from '#service/monitors/sweep/sweep.ts';

const dry = (cell: string, nextUpdateAt?: number): Check => ({ cell, isPrecipitating: false, nextUpdateAt });

it('makes cells that were checked within one second due together, and none a second too early', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 4e12 }),
      fc.integer({ min: 1, max: 86_400 }),
      fc.nat({ max: 999 }),
      (instant, seconds, later) => {
        const at = (now: number) => decideSweep([dry('a')], now, seconds * 1_000).nextChecks[0]?.at;
        const start = Math.floor(instant / 1_000) * 1_000;
        expect(at(start + later)).toBe(at(start));
        expect(at(start + later)).toBeGreaterThan(start + later + (seconds - 1) * 1_000);
      },
    ),
  );
});

it('asks no sooner than the provider’s next update, except if it had no weather', () => {
  const looks: Check[] = [
    dry('soon', 61_000),
    dry('late', 500_001),
    { ...dry('none', 500_001), isPrecipitating: null },
  ];
  expect(decideSweep(looks, 1_500, 60_000).nextChecks).toEqual([
    { cell: 'soon', at: 61_000 },
    { cell: 'late', at: 500_001 },
    { cell: 'none', at: 61_000 },
  ]);
});

it('plans the next checks the interval later, later if the provider says so, and never after 15 minutes', () => {
  const look = (cell: string, isPrecipitating: boolean | null, nextUpdateAt?: number) => ({
    cell,
    isPrecipitating,
    nextUpdateAt,
  });
  const now = 1_000_500;
  expect(
    decideSweep(
      [
        look('dry', false),
        look('wet', true, now + 400_000),
        look('none', null, now + 400_000),
        look('past', false, 5),
        look('far', true, now + 900_001),
        look('at the limit', false, now + 900_000),
      ],
      now,
      300_000,
    ),
  ).toEqual({
    rainingCells: ['wet', 'far'],
    nextChecks: [
      { cell: 'dry', at: 1_300_000 },
      { cell: 'wet', at: now + 400_000 },
      { cell: 'none', at: 1_300_000 },
      { cell: 'past', at: 1_300_000 },
      { cell: 'far', at: now + 900_000 },
      { cell: 'at the limit', at: now + 900_000 },
    ],
  });
  // An interval above 15 minutes is the limit itself.
  expect(decideSweep([look('a', false, now * 9)], now, 1_200_000).nextChecks).toEqual([
    { cell: 'a', at: now + 1_200_000 },
  ]);
  expect(latestPlausibleCheck(now, 300_000)).toBe(now + 900_000 + jumpMs);
  expect(latestPlausibleCheck(now, 1_200_000)).toBe(now + 1_200_000 + jumpMs);
});
