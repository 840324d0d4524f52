// One odd value in a provider's data drops only itself: sentinels for missing values, impossible values, nulls, and text where a
// number belongs. Each leaf of a small body is replaced in turn, and everything else must read as before.
import { describe, expect, it } from 'vitest';
import { readLocationforecast } from '#service/weather/providers/met-norway/met-norway.ts';
import { readNowcast } from '#service/weather/providers/met-norway/nowcast.ts';
import { readMetars } from '#service/weather/metar/read-metar.ts';
import { readOpenMeteo } from '#service/weather/providers/open-meteo/read-open-meteo.ts';
import { isPrecipitatingNear } from '#service/monitors/sweep/precipitation.ts';
import { atHour, instant, metDocument, now, symbol } from './providers/met-norway/met-documents.ts';

/** The default of NetCDF, SILO's and NOAA's sentinels, a GRIB decoder's (all from public bug reports), and other oddities. */
const odd = [9.969_21e36, -9_999, 99_999, -3276.8, null, 'odd', '', {}, [], true];
const hours = [0, 1, 2];
const at = hours.map((hour) => now / 1_000 + hour * 3_600);

const values = {
  weather_code: 63,
  precipitation: 1.4,
  temperature_2m: 5,
  relative_humidity_2m: 80,
  dew_point_2m: 2,
  pressure_msl: 1_000,
  wind_speed_10m: 3,
  wind_direction_10m: 90,
};
const columns = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, hours.map(() => value)]));
const units = {
  precipitation: 'mm',
  temperature_2m: '°C',
  relative_humidity_2m: '%',
  dew_point_2m: '°C',
  pressure_msl: 'hPa',
  wind_speed_10m: 'm/s',
  wind_direction_10m: '°',
};
const openMeteo = {
  utc_offset_seconds: 0,
  current_units: units,
  current: { time: at[0], interval: 900, ...values },
  hourly_units: { ...units, snowfall: 'cm' },
  hourly: { time: at, ...columns, snowfall: [0, 0, 0] },
  minutely_15_units: { precipitation: 'mm' },
  minutely_15: { time: at, precipitation: [0.1, 0.2, 0.3] },
};
const step = (hour: number) => ({
  time: atHour(hour),
  data: { ...instant({ precipitation_rate: 0.7 }), next_1_hours: symbol('rain', { precipitation_amount: 1.4 }) },
});
const met = metDocument(hours.map(step), { radar_coverage: 'ok', updated_at: atHour(0) });
const row = { lat: 45.2, lon: 7.6, obsTime: now / 1_000, wxString: '-RA', rawOb: 'R', cover: 'OVC' };
const metars = ['LIMF', 'LIMC', 'LIME'].map((icaoId) => ({
  ...row,
  icaoId,
  temp: 5,
  dewp: 2,
  slp: 1_000,
  altim: 1_001,
  wspd: 10,
  wdir: 90,
  clouds: [{ cover: 'OVC' }],
}));

type Path = readonly (string | number)[];

function leavesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const keys = Array.isArray(value) ? value.map((_, index) => index) : Object.keys(value);
  return keys.flatMap((key) => leavesOf((value as Record<string | number, unknown>)[key], [...path, key]));
}

function replaced(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) return by;
  const copy = structuredClone(value) as Record<string | number, unknown>;
  copy[key] = replaced(copy[key], rest, by);
  return copy;
}

/** How many leaves the readings of two bodies differ in, or have only in the first. */
function lost(before: unknown, after: unknown): number {
  const textOf = (value: unknown, path: Path): unknown =>
    path.reduce((inner, key) => (inner as Record<string | number, unknown> | undefined)?.[key], value);
  return leavesOf(before).filter((path) => textOf(after, path) !== textOf(before, path)).length;
}

const byTime = <Item extends { at: number }>(items: readonly Item[]) =>
  Object.fromEntries(items.map((item) => [item.at, item]));
const openMeteoOf = (body: unknown) => {
  const { current, steps, rainfall } = readOpenMeteo({ latitude: 45, longitude: 7, ...(body as object) }, now);
  return { current, steps: byTime(steps), rainfall: byTime(rainfall.map((one) => ({ at: one.until, ...one }))) };
};

const readers: readonly [name: string, body: unknown, read: (body: unknown) => unknown, most: number][] = [
  // The current time has a reading of 9 values, and a rate of 4.
  ['Open-Meteo', openMeteo, openMeteoOf, 14],
  ['MET Norway', met, (body) => byTime(readLocationforecast(body, now).steps), 10],
  [
    'MET Norway’s radar',
    met,
    (body) => byTime(readNowcast(body)?.rainfall.map((one) => ({ at: one.from, ...one })) ?? []),
    5,
  ],
  ['airports', metars, (body) => Object.fromEntries(readMetars(body)?.map((each) => [each.station, each]) ?? []), 15],
];

describe.each(readers)('%s', (name, body, read, most) => {
  const before = read(body);
  // The document's own place, zone, and kind, and the units, are not one value among many.
  const isOfWhole = (path: Path) =>
    path.some((key) => /^(geometry|type|radar_coverage|utc_offset_seconds|units|.*_units)$/.test(String(key)));
  const leaves = leavesOf(body).filter((path) => !isOfWhole(path));

  it.each(odd.map((value) => [JSON.stringify(value), value] as const))(
    'loses at most one reading to %s',
    (_text, value) => {
      const worst = leaves.map((path) => [path.join('.'), lost(before, read(replaced(body, path, value)))] as const);
      expect(worst.filter(([, count]) => count > most)).toEqual([]);
    },
  );

  it('loses only values to an odd unit', () => {
    const unitPaths = leavesOf(body).filter((path) => path.some((key) => String(key).endsWith('units')));
    for (const path of unitPaths) {
      for (const value of odd) expect(() => read(replaced(body, path, value))).not.toThrow();
    }
    expect(unitPaths.length > 0).toBe(name !== 'airports');
  });
});

it('an amount that cannot be rain leaves the decision to the rain’s code', () => {
  for (const value of odd) {
    const all = (block: 'current' | 'hourly' | 'minutely_15') =>
      block === 'current'
        ? { ...openMeteo.current, precipitation: value }
        : { ...openMeteo[block], precipitation: [value, value, value] };
    const body = { ...openMeteo, current: all('current'), hourly: all('hourly'), minutely_15: all('minutely_15') };
    const weather = readOpenMeteo({ latitude: 45, longitude: 7, ...body }, now);
    expect([weather.rainfall, isPrecipitatingNear({ weather, here: [] }, now)]).toEqual([[], true]);
  }
});
