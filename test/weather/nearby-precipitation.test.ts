// What the watch learns about a place: rain within the trigger's radius, and when it is worth looking again.
import fc from 'fast-check';
import '#test/property-seed.ts';
import { describe, expect, it } from 'vitest';
import { distanceKm } from '#contract/service-api/geo.ts';
import { cellCentre, cellOf, cellsAround } from '#service/weather/reading/cells.ts';
import { isPrecipitatingNear, nextCheckAt } from '#service/monitors/sweep/precipitation.ts';
import type { NearbyWeather } from '#service/weather/weather.ts';
import type { CellWeather } from '#service/weather/reading/reading.ts';
import { placeScenario, scenariosAt, scenariosNear } from '#service/weather/sources/scenarios.ts';

const now = Date.parse('2026-11-21T06:00:00Z');
const minute = 60_000;
const turin = { lat: 45.07, lng: 7.69 };
const kmNorth = (km: number) => ({ lat: turin.lat + km / 111.195, lng: turin.lng });

const dry: CellWeather = {
  source: 'open-meteo',
  grid: turin,
  fetchedAt: now,
  freshUntil: now + 15 * minute,
  current: { at: now, status: 'cloudy' },
  steps: [],
  rainfall: [{ from: now, until: now + 120 * minute, mmPerHour: 0 }],
};
const rainFrom = (from: number): CellWeather => ({
  ...dry,
  rainfall: [{ from, until: from + 15 * minute, mmPerHour: 1 }],
});
const alone: NearbyWeather = { weather: dry, neighbours: [], here: [], near: [] };

function withScenario(km: number, status: 'rainy' | 'sunny', startsInMinutes = 0): NearbyWeather {
  const laid = [placeScenario('s', { center: kmNorth(km), status, minutes: 20, startsInMinutes, radiusKm: 30 }, now)];
  return { ...alone, here: scenariosAt(laid, turin), near: scenariosNear(laid, turin, 10) };
}

describe('precipitation near a place', () => {
  it('is rain in a neighboring cell that is known, and a scenario that ends within the radius', () => {
    expect(isPrecipitatingNear(alone, now)).toBe(false);
    expect(isPrecipitatingNear({ ...alone, neighbours: [dry, rainFrom(now)] }, now)).toBe(true);
    expect(isPrecipitatingNear(withScenario(20, 'rainy'), now)).toBe(true);
    expect(isPrecipitatingNear(withScenario(39, 'rainy'), now)).toBe(true);
    expect(isPrecipitatingNear(withScenario(41, 'rainy'), now)).toBe(false);
    expect(isPrecipitatingNear(withScenario(39, 'rainy', 14), now)).toBe(true);
    expect(isPrecipitatingNear(withScenario(39, 'rainy', 16), now)).toBe(false);
  });

  it('is not rain next door if a scenario keeps the place itself dry', () => {
    const surroundings = { ...withScenario(0, 'sunny'), neighbours: [rainFrom(now)] };
    expect(isPrecipitatingNear(surroundings, now)).toBe(false);
  });
});

describe('the next look', () => {
  it('waits for what may change: news, rain within reach, a scenario; not for what is past', () => {
    expect(nextCheckAt(alone, now)).toBe(now + 5 * minute);
    expect(nextCheckAt({ ...alone, weather: { ...dry, freshUntil: now + 2 * minute } }, now)).toBe(now + 2 * minute);
    expect(nextCheckAt({ ...alone, weather: rainFrom(now + 18 * minute) }, now)).toBe(now + 3 * minute);
    expect(nextCheckAt(withScenario(0, 'rainy', 16), now)).toBe(now + minute);
    expect(nextCheckAt({ ...alone, weather: rainFrom(now - 5 * minute) }, now)).toBe(now + 5 * minute);
  });

  it('is left open if the weather is simulated or missing', () => {
    expect(nextCheckAt({ ...alone, weather: undefined }, now)).toBeUndefined();
    expect(nextCheckAt({ ...alone, weather: { ...dry, source: 'simulation' } }, now)).toBeUndefined();
  });
});

describe('the cells around a place', () => {
  it('have their centers within the radius, never the own one, none twice, also at the poles and the antimeridian', () => {
    const somewhere = fc.record({
      lat: fc.double({ min: -90, max: 90, noNaN: true }),
      lng: fc.double({ min: -180, max: 180, noNaN: true }),
    });
    fc.assert(
      fc.property(somewhere, fc.double({ min: 0, max: 100, noNaN: true }), (place, radiusKm) => {
        const cells = cellsAround(place, radiusKm);
        const keys = cells.map(cellOf);
        expect(keys).not.toContain(cellOf(place));
        expect(new Set(keys).size).toBe(keys.length);
        for (const cell of cells) {
          expect(cellCentre(cell)).toEqual(cell);
          expect(distanceKm(place, cell)).toBeLessThanOrEqual(radiusKm);
        }
      }),
    );
    expect(cellsAround({ lat: 60, lng: 180 }, 7).map(cellOf).toSorted()).toEqual(['60.0,-179.9', '60.0,179.9']);
  });
});
