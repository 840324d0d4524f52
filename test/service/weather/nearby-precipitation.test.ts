// Who polls and who is called see the same rain: the word of the first point and the decision to fire, for random weather and places.
import fc from 'fast-check';
import '#test/property-seed.ts';
import { describe, expect, it } from 'vitest';
import type { LatLng } from '#contract/service-api/geo.ts';
import { precipitationTypes } from '#contract/service-api/rain-event.ts';
import { statuses, statusPrecipitation } from '#contract/service-api/vocabulary.ts';
import { isPrecipitatingNear } from '#service/monitors/sweep/precipitation.ts';
import { type CellWeather, presentReading } from '#service/weather/reading/reading.ts';
import { applyScenarios, type PlacedScenario, scenariosAt } from '#service/weather/sources/scenarios.ts';
import { weatherAt } from '#service/weather/sources/observations.ts';
import { nearbyAt, withPresentWord } from '#service/weather/timeline.ts';

const now = Date.parse('2026-11-21T06:00:10Z');
const minute = 60_000;
const center = { lat: 45.1, lng: 7.7 };
const minutes = (min: number, max: number) => fc.integer({ min, max }).map((value) => now + value * minute);
const status = fc.constantFrom(...statuses);
const reading = fc.record({ at: minutes(-120, 40), status });
const amount = fc.constantFrom(0, 0.05, 0.1, 0.2, 4);
const kind = fc.constantFrom(...precipitationTypes);
const quarters = fc
  .tuple(minutes(-40, 40), fc.array(fc.tuple(amount, kind), { maxLength: 4 }))
  .map(([start, amounts]) =>
    amounts.map(([mmPerHour, type], index) => {
      const from = start + index * 15 * minute;
      return { from, until: from + 15 * minute, mmPerHour, kind: type };
    }),
  );
const offset = fc.integer({ min: -20, max: 20 }).map((value) => value / 100);
const somewhere = fc.record({ lat: offset, lng: offset }).map(({ lat, lng }) => ({ lat: 45.1 + lat, lng: 7.7 + lng }));
const station = fc.record({
  station: fc.constantFrom('LIMF', 'LIMA'),
  place: somewhere,
  at: minutes(-100, 1),
  status,
  isPrecipitating: fc.boolean(),
  distanceKm: fc.constant(0),
});
const cellWeather: fc.Arbitrary<CellWeather> = fc.record(
  {
    source: fc.constant('open-meteo'),
    grid: fc.constant(center),
    fetchedAt: fc.constant(now),
    current: reading,
    steps: fc.array(reading, { maxLength: 3 }).map((steps) => steps.toSorted((one, other) => one.at - other.at)),
    rainfall: quarters,
    stations: fc.array(station, { maxLength: 3 }),
  },
  { requiredKeys: ['source', 'grid', 'fetchedAt', 'steps', 'rainfall'] },
);
const scenario: fc.Arbitrary<PlacedScenario> = fc.record({
  id: fc.constant('one'),
  center: somewhere,
  radiusKm: fc.integer({ min: 1, max: 20 }),
  status,
  from: minutes(-20, 20),
  until: minutes(21, 60),
  placedAt: fc.constant(now),
});

/** The word of the first point; undefined if that is older. */
function wordAt(weather: CellWeather, scenarios: readonly PlacedScenario[], place: LatLng): string | undefined {
  const own = withPresentWord(weatherAt(weather, place, now), now);
  const point = presentReading(applyScenarios(own, scenariosAt(scenarios, place), now), now);
  return point && now - point.at < minute ? point.status : undefined;
}

describe('the word of the first point', () => {
  it('is one of precipitation exactly if it precipitates there now, and then a monitor there fires', () => {
    fc.assert(
      fc.property(cellWeather, fc.array(scenario, { maxLength: 2 }), somewhere, (weather, scenarios, place) => {
        const word = wordAt(weather, scenarios, place);
        // Thunder says nothing of precipitation.
        fc.pre(word !== undefined && statusPrecipitation(word) !== 'by amount');
        const isWet = statusPrecipitation(word) === true;
        const fires = isPrecipitatingNear(nearbyAt({ weather, scenarios }, place, now), now);
        expect(fires || !isWet).toBe(true);
        // Otherwise only what is yet to come fires: without it, nothing does.
        const isPresent = ({ from }: { from: number }) => from <= now;
        const present = { ...weather, rainfall: weather.rainfall.filter(isPresent) };
        const ofNow = nearbyAt({ weather: present, scenarios: scenarios.filter(isPresent) }, place, now);
        expect(isPrecipitatingNear(ofNow, now)).toBe(isWet);
      }),
    );
  });
});
