// What observations change in a cell's weather, and what they prove of precipitation (docs/verification.md).
import { describe, expect, it } from 'vitest';
import type { Measured } from '#contract/service-api/weather.ts';
import { chooseObservation } from '#service/weather/metar/metar.ts';
import type { CellWeather, NearObservation, Nowcast, Observation } from '#service/weather/reading/reading.ts';
import {
  analysisEvidence,
  radarEvidence,
  stationEvidence,
  weatherAt,
  withNowcast,
  withReports,
} from '#service/weather/sources/observations.ts';

const now = Date.parse('2026-11-21T06:00:00Z');
const minute = 60_000;
const place = { lat: 45.1, lng: 7.7 };
const rain = (mmPerHour: number, from = now, until = now + 5 * minute) => ({ from, until, mmPerHour });
const forecast: CellWeather = {
  source: 'open-meteo',
  grid: place,
  fetchedAt: now,
  current: { at: now, status: 'sunny' },
  steps: [],
  rainfall: [rain(1)],
};
const measuring = (measured: Measured): CellWeather => ({
  ...forecast,
  current: { at: now, status: 'sunny', measured },
});
const { current: _, ...withoutCurrent } = forecast;

describe('users’ reports', () => {
  const apply = (weather: CellWeather, ...statuses: string[]) =>
    withReports(
      weather,
      statuses.map((status) => ({ status })),
      now,
    );

  it.each([
    [['rainy'], 'rainy'],
    [['rainy', 'snowy', 'snowy'], 'snowy'],
    [['snowy', 'rainy', 'rainy', 'snowy'], 'snowy'],
    [['strange', 'strange', 'rainy'], 'rainy'],
  ])('%j are %s: the most frequent known status, in a tie the newest', (all, status) => {
    expect(apply(forecast, ...all).current).toStrictEqual({ at: now, status, sources: ['metag', 'open-meteo'] });
  });

  it('change nothing without a known status, or a current reading', () => {
    expect(apply(forecast)).toBe(forecast);
    expect(apply(forecast, 'strange')).toBe(forecast);
    expect(apply(withoutCurrent, 'rainy')).toBe(withoutCurrent);
  });

  it('remove amounts that belong to another status', () => {
    const amounts = { rainfall: 1, snowfall: 2 };
    expect(apply(measuring({ ...amounts, humidity: 50 }), 'rainy').current?.measured).toEqual({ humidity: 50 });
    expect(apply(measuring(amounts), 'rainy').current).not.toHaveProperty('measured');
    expect(apply(measuring(amounts), 'sunny').current?.measured).toEqual(amounts);
  });

  it('come before the other sources', () => {
    const current = { at: now, status: 'sunny', sources: ['metar:LIMF', 'met'] } as const;
    expect(apply({ ...forecast, current }, 'foggy').current?.sources).toEqual(['metag', 'metar:LIMF', 'met']);
  });
});

const report = (changes: Partial<NearObservation> = {}): NearObservation => ({
  station: 'LIMF',
  place,
  at: now - 20 * minute,
  status: 'rainy',
  isPrecipitating: true,
  distanceKm: 0,
  ...changes,
});

describe('an airport’s report', () => {
  /** Without the list of stations that it was given. */
  function apply(weather: CellWeather, observation: NearObservation): CellWeather {
    const { stations: _stations, ...found } = weatherAt({ ...weather, stations: [observation] }, place, now);
    return found;
  }
  const wetBy = { source: 'metar:LIMF', at: now - 20 * minute, isObserved: true, kind: 'unknown', place };
  const current = { at: now - 20 * minute, status: 'rainy', sources: ['metar:LIMF', 'open-meteo'] };

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
    expect(apply(forecast, unknown).current?.status).toBe('sunny');
    const alone = { ...current, status: 'unknown', sources: ['metar:LIMF'] };
    expect(apply(withoutCurrent, unknown).current).toStrictEqual(alone);
    expect(apply({ ...forecast, source: 'simulation' }, unknown).current).toStrictEqual(alone);
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
    apply(measuring(provided), report({ measured, status })).current?.measured;

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

  it('counts for 10 km and 90 minutes: of the nearest station with rain, otherwise of the nearest, its newest', () => {
    // A degree of latitude is 111.195 km.
    const observation = (station: string, km: number, at: number, isPrecipitating = false): Observation =>
      report({ station, place: { lat: place.lat + km / 111.195, lng: place.lng }, at, isPrecipitating });
    const chosen = (...all: Observation[]) => {
      const found = chooseObservation(all, place, now);
      return found && [found.station, found.at - now, Math.round(found.distanceKm)];
    };
    expect(chosen()).toBeUndefined();
    expect(chosen(observation('A', 9.9, now))).toEqual(['A', 0, 10]);
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

  const common = { kind: 'station', source: 'metar:LIMF', place, at: now };
  it.each([
    ['falling', '-RA BR', { countsAt: now, isWet: true, text: '-RA BR' }],
    ['recent', 'RERA', { countsAt: now - 30 * minute, isWet: true, text: 'RERA' }],
    ['recent', '', { countsAt: now - 30 * minute, isWet: true, text: 'precipitation in the last hour' }],
    ['none', undefined, { countsAt: now, isWet: false, text: 'no precipitation' }],
    ['none', 'BR', { countsAt: now, isWet: false, text: 'BR' }],
  ] as const)('of %s precipitation with groups %s is evidence', (precipitation, groups, expected) => {
    const observation = report({ at: now, precipitation, ...(groups === undefined ? {} : { groups }) });
    expect(stationEvidence(observation)).toEqual({ ...common, ...expected });
  });

  it('that does not mention precipitation shows nothing', () => {
    expect([stationEvidence(report()), stationEvidence(undefined)]).toEqual([undefined, undefined]);
  });
});

describe('radar', () => {
  const source = 'met-norway-nowcast';
  const radar = (...rainfall: ReturnType<typeof rain>[]): Nowcast => ({
    source,
    rainfall,
    updatedAt: now,
    current: undefined,
  });

  it('replaces the forecast’s amounts until its own end', () => {
    const ahead = radar(rain(1), rain(2, now + 5 * minute, now + 10 * minute));
    const { rainfall } = ahead;
    const wet = { ...forecast, rainfall, rainfallBy: { source, at: now - 2 * minute } };
    const older = { ...ahead, updatedAt: now - 2 * minute };
    expect(withNowcast(forecast, older, now + 10 * minute - 1)).toEqual(wet);
    expect(withNowcast(forecast, older, now + 10 * minute)).toEqual(forecast);
    const undated = withNowcast({ ...forecast, fetchedAt: now - minute }, { ...ahead, updatedAt: undefined }, now);
    expect(undated.rainfallBy?.at).toBe(now - minute);
    expect(withNowcast(forecast, undefined, now)).toBe(forecast);
  });

  it('decides the current weather for a quarter of an hour, completed by the forecast’s', () => {
    const weather = measuring({ temperature: 280, pressure: 990 });
    const current = { at: now, status: 'rainy', measured: { temperature: 275 } } as const;
    const seen = { ...radar(rain(1)), current };
    const measured = { temperature: 275, pressure: 990 };
    expect(withNowcast(weather, seen, now + 15 * minute)).toEqual({
      ...weather,
      current: { ...current, measured, sources: [source, 'open-meteo'] },
    });
    expect(withNowcast(weather, seen, now + 15 * minute + 1)).toEqual(weather);
    expect(withNowcast(weather, seen, now).rainfall).toEqual(seen.rainfall);
  });

  it.each([
    [0.1, false, '0.1 mm/h'],
    [0.11, true, '0.1 mm/h'],
    [1.26, true, '1.3 mm/h'],
    [0, false, '0 mm/h'],
  ])('that shows %d mm/h is evidence', (mmPerHour, isWet, text) => {
    const expected = { kind: 'radar', source, place, at: now, countsAt: now, mmPerHour, isWet, text };
    expect(radarEvidence(radar(rain(mmPerHour)), place)).toEqual(expected);
  });

  it('is evidence only for the time of the image', () => {
    const shown = (...rainfall: ReturnType<typeof rain>[]) => radarEvidence(radar(...rainfall), place)?.mmPerHour;
    expect(shown(rain(1, now - 5 * minute, now), rain(2), rain(3, now + 5 * minute, now + 10 * minute))).toBe(2);
    expect(shown(rain(1, now - minute, now + 1))).toBe(1);
    expect(shown(rain(1, now + 1))).toBeUndefined();
    expect(radarEvidence({ ...radar(rain(1)), updatedAt: undefined }, place)).toBeUndefined();
  });
});

describe('a provider’s analysis', () => {
  const common = { kind: 'analysis', source: 'open-meteo', place, at: now, countsAt: now };
  const ofStatus = (status: CellWeather['steps'][number]['status'], at = now): CellWeather => ({
    ...forecast,
    current: { at, status },
    rainfall: [],
  });

  it('is its sum until the time of its current value, otherwise its amount then', () => {
    const until = [rain(9, now - minute, now), rain(1.04)];
    expect(analysisEvidence({ ...forecast, rainfall: until }, now)).toMatchObject({ mmPerHour: 9 });
    const rainfall = [rain(9, now - minute, now - 1), rain(1.04), rain(8, now + 1)];
    const expected = { ...common, isWet: true, text: '1 mm/h', mmPerHour: 1.04 };
    expect(analysisEvidence({ ...forecast, rainfall }, now)).toEqual(expected);
  });

  it.each([
    ['rainy', true],
    ['sunny', false],
    ['stormy', undefined],
    ['unknown', undefined],
  ] as const)('is its status without an amount: %s', (status, isWet) => {
    const expected = isWet === undefined ? undefined : { ...common, isWet, text: status };
    expect(analysisEvidence(ofStatus(status), now)).toEqual(expected);
  });

  it.each([
    ['half an hour old', -30 * minute, 0, true],
    ['older', -30 * minute - 1, 0, false],
    ['half an hour after the request', 30 * minute, 30 * minute, true],
    ['further ahead of it', 30 * minute + 1, 60 * minute, false],
    ['after now', 1, 0, false],
  ])('is a forecast unless it is from about the time of the request: %s', (_name, atMs, nowMs, isEvidence) => {
    expect(analysisEvidence(ofStatus('rainy', now + atMs), now + nowMs) !== undefined).toBe(isEvidence);
  });
});
