// The sun's altitude against two oracles: suncalc, whose arithmetic it is, and astronomy-engine, which knows better.
import { Body, Equator, Horizon, Observer } from 'astronomy-engine';
import fc from 'fast-check';
import '#test/property-seed.ts';
import { getPosition } from 'suncalc';
import { describe, expect, it } from 'vitest';
import { sunOver, sunTermsAt } from '#service/weather/reading/sun.ts';

const place = fc.record({
  lat: fc.double({ min: -90, max: 90, noNaN: true }),
  lng: fc.double({ min: -180, max: 180, noNaN: true }),
});
const instant = fc.date({ min: new Date('2005-01-01'), max: new Date('2049-12-31'), noInvalidDate: true });

describe('the altitude of the sun', () => {
  const sunAltitude = (where: { lat: number; lng: number }, at: number) => sunOver(where)(sunTermsAt(at));

  it("is suncalc's, to the hundredth of a degree", () => {
    fc.assert(
      fc.property(place, instant, ({ lat, lng }, date) => {
        const { altitude } = getPosition(date, lat, lng);
        expect(Math.abs(sunAltitude({ lat, lng }, date.getTime()) - altitude)).toBeLessThan(0.0051);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is within 0.6° of what astronomy-engine says', () => {
    fc.assert(
      fc.property(place, instant, ({ lat, lng }, date) => {
        const observer = new Observer(lat, lng, 0);
        const sun = Equator(Body.Sun, date, observer, true, true);
        const oracle = Horizon(date, observer, sun.ra, sun.dec, 'normal').altitude;
        expect(Math.abs(sunAltitude({ lat, lng }, date.getTime()) - oracle)).toBeLessThan(0.6);
      }),
      { numRuns: 1_000 },
    );
  });
});
