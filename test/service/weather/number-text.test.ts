// Numbers in the weather answer: the quick way writes exactly what JSON.stringify writes.
import fc from 'fast-check';
import '#test/property-seed.ts';
import { describe, expect, it } from 'vitest';
import { numberText } from '#service/weather/response/weather-points.ts';

describe('a number in the weather answer', () => {
  it.each([0, -0, 0.1, -0.1, 0.07, 1.005, 0.29, 1999.99, 2000, 2000.01, -1999.99, 1e21, 5e-324, 1e-7, 101325])(
    '%s is written as JSON writes it',
    (value) => {
      expect(numberText(value)).toBe(JSON.stringify(value));
    },
  );

  it('is written as JSON writes it, with two decimals and with any', () => {
    const cents = fc.integer({ min: -300_000, max: 300_000 }).map((whole) => whole / 100);
    const any = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(fc.oneof(cents, any), (value) => {
        expect(numberText(value)).toBe(JSON.stringify(value));
      }),
      { numRuns: 20_000 },
    );
  });
});
