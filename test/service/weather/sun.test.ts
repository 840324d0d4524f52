// The sun's altitude, compared with suncalc, whose arithmetic it is.
import fc from 'fast-check';
import '#test/property-seed.ts';
import { getPosition } from 'suncalc';
import { expect, it } from 'vitest';
import { sunOver, sunTermsAt } from '#service/weather/reading/sun.ts';

const place = fc.record({
  lat: fc.double({ min: -90, max: 90, noNaN: true }),
  lng: fc.double({ min: -180, max: 180, noNaN: true }),
});
const instant = fc.date({ min: new Date('2005-01-01'), max: new Date('2049-12-31'), noInvalidDate: true });

it("the altitude of the sun is suncalc's, to the hundredth of a degree", () => {
  fc.assert(
    fc.property(place, instant, ({ lat, lng }, date) => {
      const { altitude } = getPosition(date, lat, lng);
      const own = sunOver({ lat, lng })(sunTermsAt(date.getTime()));
      expect(Math.abs(own - altitude)).toBeLessThan(0.0051);
    }),
    { numRuns: 2_000 },
  );
});
