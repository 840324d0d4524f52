// The rules by which providers' data are read, by table: units, times, cells, and what is shown as now.
import { describe, expect, test } from 'vitest';
import { lifetimeMs, parseHttpDate, retryAfterSeconds } from '#contract/service-api/http-date.ts';
import { cellCentre, cellOf, centreOf } from '#service/weather/reading/cells.ts';
import {
  type CellWeather,
  presentReading,
  type Reading,
  requireCurrentWeather,
} from '#service/weather/reading/reading.ts';
import { inUnit, instantOfUnixSeconds } from '#service/weather/reading/provider-values.ts';
import { withWind } from '#service/weather/reading/wmo-status.ts';
import type { Status } from '#contract/service-api/vocabulary.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

test.each([
  // ISO 80000: 0 °C is 273.15 K; 1 nautical mile 1852 m.
  ['temperature', 10, '°C', 283.15],
  ['temperature', 20, 'celsius', 293.15],
  ['temperature', 122, '°F', undefined],
  ['wind_speed', 36, 'km/h', 10],
  ['wind_speed', 100, 'kt', 51.44],
  ['snowfall', 1.5, 'cm', 15],
  ['wind_direction', 270, '°', 270],
  ['wind_direction', 90, 'degrees', 90],
  ['pressure', NaN, 'hPa', undefined],
  ['pressure', undefined, 'hPa', undefined],
  ['pressure', 1_000, undefined, undefined],
  ['pressure', 1_000, 'toString', undefined],
  ['temperature', 5, 'hPa', undefined],
  ['humidity', 1.236, '%', 1.24],
  ['wind_speed', -0, 'm/s', 0],
  // Numbers as text.
  ['temperature', '5', '°C', 278.15],
  ['temperature', ' -5.5 ', '°C', 267.65],
  ['wind_speed', '1e1', 'm/s', 10],
  ['temperature', '', '°C', undefined],
  ['temperature', '0x10', '°C', undefined],
  ['temperature', '5 °C', '°C', undefined],
  ['temperature', true, '°C', undefined],
  // The records of the WMO (https://wmo.int/asu-map), and just beyond what they allow for.
  ['temperature', -89.2, '°C', 183.95],
  ['temperature', 56.7, '°C', 329.85],
  ['dew_point', 35, '°C', 308.15],
  ['pressure', 870, 'hPa', 870],
  ['pressure', 1_084.8, 'hPa', 1_084.8],
  ['wind_speed', 113.3, 'm/s', 113.3],
  ['precipitation', 305, 'mm', 305],
  ['precipitation_rate', 792, 'mm/h', 792],
  ['temperature', -99, '°C', undefined],
  ['temperature', 60, '°C', undefined],
  ['dew_point', 50, '°C', undefined],
  ['humidity', 106, '%', undefined],
  ['humidity', -1, '%', undefined],
  ['pressure', 29.92, 'hPa', undefined],
  ['wind_speed', 999, 'kt', undefined],
  ['wind_speed', -1, 'm/s', undefined],
  ['wind_direction', 361, '°', undefined],
  ['precipitation', -0.1, 'mm', undefined],
  ['precipitation', 999.9, 'mm', undefined],
  ['precipitation_rate', 9.969_21e36, 'mm/h', undefined],
  ['snowfall', 999, 'cm', undefined],
] as const)('%s of %s %s is %s', (into, value, unit, expected) => {
  expect(inUnit(into, value, unit)).toBe(expected);
});

test.each([
  [0, 0],
  [1.5, 1_500],
  [1.0004, 1_000],
  [-1, -1_000],
  [99_999_999_999, 99_999_999_999_000],
  [1e11, undefined],
  [-1e11, undefined],
  [NaN, undefined],
])('%s seconds are %s ms', (seconds, expected) => {
  expect(instantOfUnixSeconds(seconds)).toBe(expected);
});

test('a strong wind (14 m/s) is the status of a dry sky only', () => {
  for (const status of ['sunny', 'partly cloudy', 'cloudy'] as const) {
    expect([withWind(status, 14), withWind(status, 13.99), withWind(status, undefined)]).toEqual([
      'windy',
      status,
      status,
    ]);
  }
  for (const status of ['foggy', 'rainy', 'unknown', 'stormy'] as const) expect(withWind(status, 40)).toBe(status);
});

describe('a date of HTTP', () => {
  test('is read in each month', () => {
    const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
    expect(months.map((month) => parseHttpDate(`Tue, 15 ${month} 1994 08:12:31 GMT`))).toEqual(
      months.map((_, index) => Date.UTC(1994, index, 15, 8, 12, 31)),
    );
  });

  test.each(['', 'Tue, 15 Xyz 1994 08:12:31 GMT', 'Tue, 15 Nov 1994 08:12:31', '15 Nov 1994 08:12:31 GMT', undefined])(
    'is not %s',
    (text) => expect(parseHttpDate(text)).toBeUndefined(),
  );

  const date = (seconds: number) => `Tue, 15 Nov 1994 08:12:${String(seconds).padStart(2, '0')} GMT`;
  const now = Date.UTC(1994, 10, 15, 8, 12, 10);
  test('or seconds say how long to wait, by the clock of the server', () => {
    const wait = (retryAfter: string | undefined, at?: string) => retryAfterSeconds(retryAfter, at, now);
    expect(['0', '120', '999999999'].map((text) => wait(text))).toEqual([0, 120, 999_999_999]);
    for (const text of [undefined, '1234567890', 'x', '-1']) expect(wait(text)).toBeUndefined();
    expect([wait(date(31)), wait(date(31), date(30)), wait(date(5)), wait(date(31), 'x')]).toEqual([21, 1, 0, 21]);
  });

  test('says how long a response is valid', () => {
    const lifetime = (expires: string | undefined, at?: string) => lifetimeMs(expires, at, now);
    expect([lifetime(undefined), lifetime('0'), lifetime(date(1))]).toEqual([undefined, undefined, 0]);
    expect([lifetime(date(31)), lifetime(date(31), date(30))]).toEqual([21_000, 1_000]);
  });
});

test('a cell is centered on tenths of a degree', () => {
  for (const [place, centre, name] of [
    [{ lat: 45.07, lng: 7.69 }, { lat: 45.1, lng: 7.7 }, '45.1,7.7'],
    [{ lat: -0.04, lng: -0.01 }, { lat: 0, lng: 0 }, '0.0,0.0'],
    [{ lat: 90, lng: -180 }, { lat: 90, lng: 180 }, '90.0,180.0'],
    [{ lat: -89.96, lng: -179.96 }, { lat: -90, lng: 180 }, '-90.0,180.0'],
    [{ lat: 1, lng: -179.94 }, { lat: 1, lng: -179.9 }, '1.0,-179.9'],
  ] as const) {
    expect([cellCentre(place), cellOf(place), centreOf(name)]).toEqual([centre, name, centre]);
  }
});

describe('the readings of a cell', () => {
  const now = Date.UTC(2026, 10, 21, 6, 0, 30);
  const minute = now - 30_000;
  const reading = (at: number, status: Status = 'sunny'): Reading => ({ at, status });
  const cell = (current: number | undefined, ...steps: number[]): CellWeather => ({
    source: 'provider',
    grid: { lat: 0, lng: 0 },
    fetchedAt: now,
    ...(current === undefined ? {} : { current: reading(current) }),
    steps: steps.map((at) => reading(at, 'rainy')),
    rainfall: [],
  });

  test.each([
    ['a fresh current one', cell(now - hourMs, now), { at: minute, status: 'sunny' }],
    ['one of 90 minutes ago', cell(now - 90 * minuteMs, now), { at: minute, status: 'rainy' }],
    ['one just younger', cell(now - 90 * minuteMs + 1, now), { at: minute, status: 'sunny' }],
    ['one of half an hour ahead', cell(now + 30 * minuteMs, now), { at: minute, status: 'sunny' }],
    ['one further ahead', cell(now + 30 * minuteMs + 1, now), { at: minute, status: 'rainy' }],
    ['the last step', cell(undefined, now - 2 * hourMs, now - hourMs, now + hourMs), { at: minute, status: 'rainy' }],
    ['the next step', cell(undefined, now + 30 * minuteMs), { at: minute, status: 'rainy' }],
    ['a later step', cell(undefined, now + 31 * minuteMs), undefined],
    ['a stale one', cell(now - 2 * hourMs), { at: now - 2 * hourMs, status: 'sunny' }],
    ['a stale step', cell(undefined, now - 2 * hourMs), { at: now - 2 * hourMs, status: 'rainy' }],
    [
      'a stale step beside a future one',
      cell(now + hourMs, now - 2 * hourMs),
      { at: now - 2 * hourMs, status: 'rainy' },
    ],
    ['none', cell(undefined), undefined],
  ])('%s is shown as documented', (_name, weather, expected) => {
    expect(presentReading(weather, now)).toEqual(expected);
  });

  test.each([
    ['six hours old', cell(now - 6 * hourMs)],
    ['72 hours ahead', cell(undefined, now + 72 * hourMs)],
    ['old with a current step', cell(0, now)],
  ])('%s are accepted', (_name, weather) => {
    expect(requireCurrentWeather(weather)).toBe(weather);
  });

  test.each([
    ['older', cell(now - 6 * hourMs - 1)],
    ['further ahead', cell(undefined, now + 72 * hourMs + 1)],
    ['nothing', cell(undefined)],
  ])('%s are refused', (_name, weather) => {
    expect(() => requireCurrentWeather(weather)).toThrow('its response has no weather for today or the coming days');
  });
});
