// What stations, radar, and providers show of precipitation (docs/verification.md), and what an event is based on.
import { describe, expect, it } from 'vitest';
import type { CellWeather, NearObservation } from '#service/weather/reading/reading.ts';
import { analysisEvidence, radarEvidence, stationEvidence } from '#service/weather/sources/observations.ts';

const now = Date.parse('2026-11-21T06:00:00Z');
const minute = 60_000;
const place = { lat: 60, lng: 10 };
const rain = (mmPerHour: number, from = now, until = now + 5 * minute) => ({ from, until, mmPerHour });

describe('a station', () => {
  const report: NearObservation = {
    station: 'ENGM',
    place,
    at: now,
    status: 'cloudy',
    isPrecipitating: false,
    distanceKm: 8,
  };
  const common = { kind: 'station', source: 'metar:ENGM', place, at: now };
  it.each([
    ['falling', '-RA BR', { countsAt: now, isWet: true, text: '-RA BR' }],
    ['recent', 'RERA', { countsAt: now - 30 * minute, isWet: true, text: 'RERA' }],
    ['recent', '', { countsAt: now - 30 * minute, isWet: true, text: 'precipitation in the last hour' }],
    ['none', undefined, { countsAt: now, isWet: false, text: 'no precipitation' }],
    ['none', 'BR', { countsAt: now, isWet: false, text: 'BR' }],
  ] as const)('that reports %s precipitation with groups %s', (precipitation, groups, expected) => {
    const observation = { ...report, precipitation, ...(groups === undefined ? {} : { groups }) };
    expect(stationEvidence(observation)).toEqual({ ...common, ...expected });
  });

  it('that does not mention precipitation shows nothing', () => {
    expect([stationEvidence(report), stationEvidence(undefined)]).toEqual([undefined, undefined]);
  });
});

describe('radar', () => {
  const radar = (...rainfall: ReturnType<typeof rain>[]) => ({
    source: 'met-norway-nowcast',
    rainfall,
    updatedAt: now,
    current: undefined,
  });
  const common = { kind: 'radar', source: 'met-norway-nowcast', place, at: now, countsAt: now };
  const shown = (...rainfall: ReturnType<typeof rain>[]) => radarEvidence(radar(...rainfall), place)?.mmPerHour;

  it.each([
    [0.1, false, '0.1 mm/h'],
    [0.11, true, '0.1 mm/h'],
    [1.26, true, '1.3 mm/h'],
    [0, false, '0 mm/h'],
  ])('that shows %d mm/h', (mmPerHour, isWet, text) => {
    expect(radarEvidence(radar(rain(mmPerHour)), place)).toEqual({ ...common, mmPerHour, isWet, text });
  });

  it('is evidence only for the time of the image', () => {
    expect(shown(rain(1, now - 5 * minute, now), rain(2), rain(3, now + 5 * minute, now + 10 * minute))).toBe(2);
    expect([shown(rain(1, now - minute, now + 1)), shown(rain(1, now - minute, now))]).toEqual([1, undefined]);
    expect(shown(rain(1, now + 1))).toBeUndefined();
    expect(radarEvidence({ ...radar(rain(1)), updatedAt: undefined }, place)).toBeUndefined();
  });
});

const weather: CellWeather = {
  source: 'open-meteo',
  grid: place,
  fetchedAt: now,
  current: { at: now, status: 'rainy' },
  steps: [],
  rainfall: [],
};

describe('a provider’s analysis', () => {
  const common = { kind: 'analysis', source: 'open-meteo', place, at: now, countsAt: now };

  it('is its sum until the time of its current value, otherwise its amount then', () => {
    const until = [rain(9, now - minute, now), rain(1.04)];
    expect(analysisEvidence({ ...weather, rainfall: until }, now)).toMatchObject({ mmPerHour: 9 });
    const rainfall = [rain(9, now - minute, now - 1), rain(1.04), rain(8, now + 1)];
    expect(analysisEvidence({ ...weather, rainfall }, now)).toEqual({
      ...common,
      isWet: true,
      text: '1 mm/h',
      mmPerHour: 1.04,
    });
    const dry = { ...weather, rainfall: [rain(0.1)] };
    expect(analysisEvidence(dry, now)).toMatchObject({ isWet: false, text: '0.1 mm/h' });
  });

  it.each([
    ['rainy', true],
    ['sunny', false],
    ['stormy', undefined],
    ['unknown', undefined],
  ] as const)('is its status without an amount: %s', (status, isWet) => {
    const found = analysisEvidence({ ...weather, current: { at: now, status } }, now);
    expect(found).toEqual(isWet === undefined ? undefined : { ...common, isWet, text: status });
  });

  it.each([
    ['half an hour old', -30 * minute, 0, true],
    ['older', -30 * minute - 1, 0, false],
    ['half an hour after the request', 30 * minute, 30 * minute, true],
    ['further ahead of it', 30 * minute + 1, 60 * minute, false],
    ['after now', 1, 0, false],
  ])('is a forecast unless it is from about the time of the request: %s', (_name, atMs, nowMs, isEvidence) => {
    const found = analysisEvidence({ ...weather, current: { at: now + atMs, status: 'rainy' } }, now + nowMs);
    expect(found !== undefined).toBe(isEvidence);
  });
});
