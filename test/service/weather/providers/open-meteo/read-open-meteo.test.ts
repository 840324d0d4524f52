// Reading Open-Meteo's body field by field: units, times, amounts, and what makes it unusable.
import { describe, expect, it } from 'vitest';
import { readOpenMeteo } from '#service/weather/providers/open-meteo/read-open-meteo.ts';
import { ProviderFailure } from '#service/weather/reading/reading.ts';

const minuteMs = 60_000;
const now = Date.parse('2026-11-21T06:05:00Z');
const six = Date.parse('2026-11-21T06:00:00Z');
const seven = six + 60 * minuteMs;
const place = { latitude: 45, longitude: 7.5 };
const units = {
  temperature_2m: '°C',
  dew_point_2m: '°C',
  relative_humidity_2m: '%',
  pressure_msl: 'hPa',
  wind_speed_10m: 'm/s',
  wind_direction_10m: '°',
  precipitation: 'mm',
  snowfall: 'cm',
};
const read = (body: object) => readOpenMeteo({ ...place, ...body }, now);
const readCurrent = (current: object) => read({ current: { time: six / 1000, ...current }, current_units: units });
const readHourly = (hourly: object) => read({ hourly, hourly_units: units });

function failureOf(body: unknown): unknown {
  try {
    return readOpenMeteo(body, now);
  } catch (error) {
    return error instanceof ProviderFailure && error.provider === 'open-meteo' ? error.message : error;
  }
}

describe('a body without weather', () => {
  const hourly = { time: [six / 1000], weather_code: [0] };
  it.each([
    ['an error with a reason', { error: true, reason: 'Too much' }, 'it rejected the request: Too much'],
    ['an error without one', { error: true }, 'it rejected the request: no reason given'],
    ['text', 'sorry', 'its response is not a forecast (at "")'],
    ['a latitude beyond the pole', { ...place, latitude: 90.1, hourly }, '(at "latitude")'],
    ['a longitude beyond the antimeridian', { ...place, longitude: -180.1, hourly }, '(at "longitude")'],
    ['only a place', place, 'neither current nor hourly weather'],
    ['an unreadable current time', { ...place, current: { time: 'now', weather_code: 0 } }, 'neither current nor'],
    ['an unreadable hour', { ...place, hourly: { ...hourly, time: ['noon'] } }, 'neither current nor'],
    ['a time without minutes', { ...place, hourly: { ...hourly, time: ['2026-11-21T06'] } }, 'neither'],
    ['weather of yesterday', { ...place, hourly: { ...hourly, time: [six / 1000 - 86_400] } }, 'no weather for today'],
  ])('fails and says why: %s', (_name, body, message) => {
    expect(failureOf(body)).toEqual(expect.stringContaining(message));
  });
});

describe('a forecast', () => {
  it('names the provider, the grid point without minus zero, and the time of the fetch', () => {
    const weather = readOpenMeteo(
      { latitude: -0, longitude: -0, hourly: { time: [six / 1000], weather_code: [61] } },
      now,
    );
    expect(weather).toStrictEqual({
      source: 'open-meteo',
      grid: { lat: 0, lng: 0 },
      fetchedAt: now,
      steps: [{ at: six, status: 'rainy' }],
      rainfall: [],
    });
  });

  it('has no current reading without a weather code, or with one that is not a number', () => {
    const hourly = { time: [six / 1000], weather_code: [2] };
    for (const current of [{ temperature_2m: 3 }, { weather_code: 'rain' }, { weather_code: null }]) {
      const weather = read({ hourly, current: { time: six / 1000, ...current }, current_units: units });
      expect(weather).not.toHaveProperty('current');
      expect(weather.steps).toHaveLength(1);
    }
  });

  it('has no hours if none has weather', () => {
    const hourly = { time: [six / 1000, seven / 1000], temperature_2m: [3, 4] };
    expect(read({ current: { time: six / 1000, weather_code: 3 }, hourly }).steps).toEqual([]);
    const { steps } = readHourly({ time: [six / 1000, seven / 1000], weather_code: [null, 3] });
    expect(steps.map(({ status }) => status)).toEqual(['unknown', 'cloudy']);
  });

  it('has its hours in ascending order, without those that have no time', () => {
    const { steps } = readHourly({
      time: [seven / 1000, 'noon', six / 1000],
      weather_code: [3, 2, 0],
      temperature_2m: [7, 9, 6],
    });
    expect(steps).toEqual([
      { at: six, status: 'sunny', measured: { temperature: 279.15 } },
      { at: seven, status: 'cloudy', measured: { temperature: 280.15 } },
    ]);
  });

  it.each([
    ['Unix seconds', six / 1000, 3_600, six],
    ['local time to the minute', '2026-11-21T07:00', 3_600, six],
    ['local time to the second', '2026-11-21T07:00:30', 3_600, six + 30_000],
    ['local time west of Greenwich', '2026-11-21T02:30', -12_600, six],
  ])('reads %s', (_name, time, offset, at) => {
    const { current, steps } = read({
      utc_offset_seconds: offset,
      current: { time, weather_code: 0 },
      hourly: { time: [time], weather_code: [0] },
    });
    expect([current?.at, steps[0]?.at]).toEqual([at, at]);
  });
});

describe('the values of a reading', () => {
  const values = {
    temperature_2m: 10,
    dew_point_2m: 5,
    relative_humidity_2m: 71,
    pressure_msl: 1_013.2,
    wind_speed_10m: 14,
    wind_direction_10m: 270,
    precipitation: 2.4,
    snowfall: 0.7,
  };
  const measured = {
    temperature: 283.15,
    dew_point: 278.15,
    humidity: 71,
    pressure: 1_013.2,
    wind_speed: 14,
    wind_direction: 270,
    // 0.7 cm of snow are 1 mm of water.
    rainfall: 1.4,
    snowfall: 7,
  };

  it('are converted from their units, now and for each hour', () => {
    const hourly = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value]]));
    expect(readCurrent({ ...values, weather_code: 0, interval: 3_600 }).current).toEqual({
      at: six,
      status: 'windy',
      measured,
    });
    // Of a quarter of an hour, they are four times as much in an hour.
    const { current } = readCurrent({ ...values, weather_code: 0 });
    expect(current?.measured).toEqual({ ...measured, rainfall: 5.6, snowfall: 28 });
    const { steps } = readHourly({ time: [six / 1000], weather_code: [0], ...hourly });
    expect(steps).toEqual([{ at: six, status: 'windy', measured }]);
  });

  it.each([
    ['neither', {}, undefined],
    ['only rain', { precipitation: 1.234, weather_code: 61 }, { rainfall: 1.23 }],
    ['only precipitation, which fell as snow', { precipitation: 1.234 }, undefined],
    ['only snowfall', { snowfall: 2 }, { snowfall: 20 }],
    ['more snow than precipitation', { precipitation: 0.5, snowfall: 0.7 }, { rainfall: 0, snowfall: 7 }],
  ])('leave out unknown amounts: %s', (_name, amounts, expected) => {
    expect(readCurrent({ weather_code: 71, interval: 3_600, ...amounts }).current?.measured).toEqual(expected);
  });

  it.each([null, 0, -900, 9_999, 'odd'])('are of a quarter of an hour if the interval is %s', (interval) => {
    const { current, rainfall } = readCurrent({ weather_code: 61, precipitation: 0.5, interval });
    expect([current?.measured?.rainfall, rainfall[0]?.mmPerHour]).toEqual([2, 2]);
  });
});

describe('the precipitation of the next minutes', () => {
  it('holds as long as the current amount was measured, a quarter of an hour unless it says so', () => {
    // 0.5 mm in 15 minutes are 2 mm/h, and in an hour 0.5 mm/h.
    expect(readCurrent({ weather_code: 61, precipitation: 0.5 }).rainfall).toEqual([
      { from: six - 15 * minuteMs, until: six + 15 * minuteMs, mmPerHour: 2, kind: 'rain' },
    ]);
    expect(readCurrent({ weather_code: 61, precipitation: 0.5, interval: 3_600 }).rainfall).toEqual([
      { from: six - 60 * minuteMs, until: seven, mmPerHour: 0.5, kind: 'rain' },
    ]);
  });

  it('follows from the sums of the preceding quarters, without those that are unknown', () => {
    const quarter = 15 * minuteMs;
    const { rainfall } = read({
      current: { time: six / 1000, weather_code: 61, precipitation: 0.5 },
      current_units: units,
      minutely_15_units: units,
      minutely_15: {
        time: [six / 1000, 'soon', six / 1000 + 1_800, six / 1000 + 2_700],
        precipitation: [0.25, 1, null, 0.75],
      },
    });
    expect(rainfall.slice(1)).toEqual([
      { from: six - quarter, until: six, mmPerHour: 1, kind: 'unknown' },
      { from: six + 2 * quarter, until: six + 3 * quarter, mmPerHour: 3, kind: 'unknown' },
    ]);
    expect(
      read({ current: { time: six / 1000, weather_code: 61 }, minutely_15: { time: [six / 1000] } }).rainfall,
    ).toEqual([]);
  });
});
