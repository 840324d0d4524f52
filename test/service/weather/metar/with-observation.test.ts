// What an airport's report changes in a cell's weather, and what it leaves.
import { describe, expect, it } from 'vitest';
import { chooseObservation } from '#service/weather/metar/metar.ts';
import { weatherAt } from '#service/weather/sources/observations.ts';
import type { Measured } from '#contract/service-api/weather.ts';
import type { CellWeather, NearObservation, Observation } from '#service/weather/reading/reading.ts';

const now = Date.parse('2026-11-21T06:00:00Z');
const minute = 60_000;
const place = { lat: 45.1, lng: 7.7 };
const forecast: CellWeather = {
  source: 'open-meteo',
  grid: place,
  fetchedAt: now,
  current: { at: now, status: 'sunny' },
  steps: [],
  rainfall: [{ from: now, until: now + 15 * minute, mmPerHour: 1 }],
};
const report = (changes: Partial<NearObservation> = {}): NearObservation => ({
  station: 'LIMF',
  place,
  at: now - 20 * minute,
  status: 'rainy',
  isPrecipitating: true,
  distanceKm: 0,
  ...changes,
});
/** Without the list of stations that it was given. */
function apply(weather: CellWeather, observation: NearObservation): CellWeather {
  const { stations: _, ...found } = weatherAt({ ...weather, stations: [observation] }, place, now);
  return found;
}
const wetBy = { source: 'metar:LIMF', at: now - 20 * minute, isObserved: true, kind: 'unknown', place };
const current = { at: now - 20 * minute, status: 'rainy', sources: ['metar:LIMF', 'open-meteo'] };

describe('an airport’s report', () => {
  it('makes places wet that are within 10 km of it, and says nothing beyond', () => {
    expect(apply(forecast, report())).toStrictEqual({ ...forecast, current, wetBy });
    const there = { lat: place.lat + 10.1 / 111.195, lng: place.lng };
    expect(apply(forecast, report({ place: there }))).toStrictEqual(forecast);
  });

  it('leaves the forecast’s rain if it is dry', () => {
    const dry = apply(forecast, report({ isPrecipitating: false, status: 'sunny' }));
    expect(dry).toStrictEqual({ ...forecast, current: { ...current, status: 'sunny' } });
  });

  it('has an unknown status only if the forecast has none either', () => {
    const unknown = report({ status: 'unknown' });
    const { current: _, ...rest } = forecast;
    expect(apply(forecast, unknown).current?.status).toBe('sunny');
    expect(apply(rest, unknown).current).toStrictEqual({ ...current, status: 'unknown', sources: ['metar:LIMF'] });
    expect(apply({ ...forecast, source: 'simulation' }, unknown).current?.status).toBe('unknown');
  });

  const provided = {
    temperature: 280,
    dew_point: 278,
    humidity: 88,
    pressure: 1_010,
    wind_speed: 4,
    wind_direction: 90,
    rainfall: 1.2,
    snowfall: 0,
  };
  const measuredWith = (measured: Measured, status: NearObservation['status'] = 'sunny') =>
    apply({ ...forecast, current: { at: now, status: 'sunny', measured: provided } }, report({ measured, status }))
      .current?.measured;

  it('replaces values of the forecast with those that they belong to', () => {
    const { temperature: _t, dew_point: _d, humidity: _h, ...restOfAir } = provided;
    expect(measuredWith({ temperature: 275 })).toEqual({ ...restOfAir, temperature: 275 });
    expect(measuredWith({ pressure: 1_000 })).toEqual({ ...provided, pressure: 1_000 });
    // A calm or variable wind has no direction, and none of the forecast's.
    const { wind_direction: _w, ...restOfWind } = provided;
    expect(measuredWith({ wind_speed: 0 })).toEqual({ ...restOfWind, wind_speed: 0 });
    expect(measuredWith({})).toEqual(provided);
  });

  it('has the forecast’s amounts only with its status', () => {
    const { rainfall: _r, snowfall: _s, ...dry } = provided;
    for (const status of ['rainy', 'cloudy', 'snowy'] as const) expect(measuredWith({}, status)).toEqual(dry);
    expect(measuredWith({}, 'unknown')).toEqual(provided);
  });
});

it('an airport observes for 10 km and 90 minutes: the nearest station with rain, otherwise the nearest, with its newest report', () => {
  const here = { lat: 0, lng: 0 };
  // A degree on the equator is 111.195 km.
  const observation = (station: string, km: number, at: number, isPrecipitating = false): Observation => ({
    station,
    place: { lat: 0, lng: km / 111.195 },
    at,
    status: 'cloudy',
    isPrecipitating,
  });
  const chosen = (...all: Observation[]) => {
    const found = chooseObservation(all, here, now);
    return found && [found.station, found.at - now, Math.round(found.distanceKm)];
  };
  expect(chosen()).toBeUndefined();
  expect(chosen(observation('A', 9.9, now))).toEqual(['A', 0, 10]);
  expect(chosen(observation('A', 10.1, now))).toBeUndefined();
  expect(chosen(observation('A', 5, now - 90 * minute))).toEqual(['A', -90 * minute, 5]);
  expect(chosen(observation('A', 5, now - 90 * minute - 1))).toBeUndefined();
  expect(chosen(observation('A', 5, now + minute))).toEqual(['A', minute, 5]);
  expect(chosen(observation('A', 5, now + minute + 1))).toBeUndefined();
  const [far, near] = [observation('A', 9, now), observation('B', 4, now - minute)];
  expect([chosen(far, near), chosen(near, far)]).toEqual(Array(2).fill(['B', -minute, 4]));
  expect(chosen(observation('A', 9, now, true), near)).toEqual(['A', 0, 9]);
  // Its newest report counts, also if that is dry.
  expect(chosen(observation('A', 9, now - 1, true), far, near)).toEqual(['B', -minute, 4]);
  const older = observation('B', 4, now - 2 * minute);
  expect([chosen(older, near), chosen(near, older)]).toEqual(Array(2).fill(['B', -minute, 4]));
});
