// When each cell is checked next, decided without I/O.
import fc from 'fast-check';
import '#test/property-seed.ts';
import { expect, it } from 'vitest';
import { decideSweep, type Look } from '#service/watch/sweep-decision.ts';

const dry = (cell: string, nextUpdateAt?: number): Look => ({ cell, isPrecipitating: false, nextUpdateAt });

it('makes cells that were checked within one second due together, and none a second too early', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 4e12 }),
      fc.integer({ min: 1, max: 86_400 }),
      fc.nat({ max: 999 }),
      (instant, seconds, later) => {
        const at = (now: number) => decideSweep([dry('a')], now, seconds * 1_000).nextLooks[0]?.at;
        const start = Math.floor(instant / 1_000) * 1_000;
        expect(at(start + later)).toBe(at(start));
        expect(at(start + later)).toBeGreaterThan(start + later + (seconds - 1) * 1_000);
      },
    ),
  );
});

it('asks no sooner than the provider’s next update, except if it had no weather', () => {
  const looks: Look[] = [dry('soon', 61_000), dry('late', 500_001), { ...dry('none', 500_001), isPrecipitating: null }];
  expect(decideSweep(looks, 1_500, 60_000).nextLooks).toEqual([
    { cell: 'soon', at: 61_000 },
    { cell: 'late', at: 500_001 },
    { cell: 'none', at: 61_000 },
  ]);
});
