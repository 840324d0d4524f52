// One odd value in a provider's data drops only itself: sentinels for missing values, impossible values, nulls, and text where a
// number belongs. Each leaf of a small body is replaced in turn, and everything else must read as before. Whichever other part is odd,
// the body is read as sound weather, or refused; never anything else.
import { describe, expect, it } from 'vitest';
import { collectionSchema } from '#contract/service-api/collection.ts';
import { isKnownStatus } from '#contract/service-api/vocabulary.ts';
import { weatherPointSchema } from '#contract/service-api/weather.ts';
import { isPrecipitatingNear } from '#service/monitors/sweep/precipitation.ts';
import { stationsNear } from '#service/weather/metar/metar.ts';
import { readMetars } from '#service/weather/metar/read-metar.ts';
import { readLocationforecast } from '#service/weather/providers/met-norway/met-norway.ts';
import { readNowcast } from '#service/weather/providers/met-norway/nowcast.ts';
import { readOpenMeteo } from '#service/weather/providers/open-meteo/read-open-meteo.ts';
import { type CellWeather, ProviderFailure } from '#service/weather/reading/reading.ts';
import { assemblePoints, serializePoints } from '#service/weather/response/weather-points.ts';
import { weatherAt } from '#service/weather/sources/observations.ts';
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
  latitude: 45.2,
  longitude: 7.6,
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

/** The paths of all parts: the whole, lists, objects, and leaves. */
function partsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([key, part]) => partsOf(part, [...path, key]));
  return [path, ...inner];
}

const partAt = (value: unknown, path: Path): unknown =>
  path.reduce((inner, key) => (inner as Record<string | number, unknown> | undefined)?.[key], value);
const leavesOf = (value: unknown) => partsOf(value).filter((path) => typeof (partAt(value, path) ?? '') !== 'object');

function replaced(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) return by;
  const copy = structuredClone(value) as Record<string | number, unknown>;
  copy[key] = replaced(copy[key], rest, by);
  return copy;
}

/** How many leaves the readings of two bodies differ in, or have only in the first. */
function lost(before: unknown, after: unknown): number {
  return leavesOf(before).filter((path) => partAt(after, path) !== partAt(before, path)).length;
}

const place = { lat: 45.2, lng: 7.6 };
const nothing = { source: 'none', grid: place, fetchedAt: now, steps: [], rainfall: [] };
/** Without one of these, the body is refused. */
const ofPlace = ['geometry', 'geometry.coordinates', 'geometry.coordinates.0', 'geometry.coordinates.1'];
const ofDocument = ['', ...ofPlace, 'properties', 'properties.meta', 'properties.timeseries'];
type Limits = { /** Of one reading. */ most: number; needed: string[] };
const readers: readonly [name: string, body: unknown, read: (body: unknown) => CellWeather, limits: Limits][] = [
  // The current time has a reading of 9 values, and a rate of 4.
  ['Open-Meteo', openMeteo, (body) => readOpenMeteo(body, now), { most: 14, needed: ['', 'latitude', 'longitude'] }],
  ['MET Norway', met, (body) => readLocationforecast(body, now), { most: 15, needed: ofDocument }],
  [
    'MET Norway’s radar',
    met,
    (body) => ({ ...nothing, rainfall: readNowcast(body)?.rainfall ?? [] }),
    { most: 5, needed: ofDocument },
  ],
  [
    'airports',
    metars,
    (body) => ({ ...nothing, stations: stationsNear(readMetars(body) ?? [], place, now, 50) }),
    { most: 16, needed: [] },
  ],
];

/** Readings by their times and stations, so that a missing one does not move the others. */
function readingsOf({ current, steps, rainfall, stations = [] }: CellWeather) {
  return {
    current,
    steps: Object.fromEntries(steps.map((each) => [each.at, each])),
    rainfall: Object.fromEntries(rainfall.map((each) => [each.until, each])),
    stations: Object.fromEntries(stations.map((each) => [each.station, each])),
  };
}

const pointsSchema = collectionSchema(weatherPointSchema);

/** Whether clients get valid points, in ascending order. */
function isSound(weather: CellWeather): boolean {
  const laid = weatherAt(weather, place, now);
  isPrecipitatingNear({ weather: laid, here: [] }, now);
  const points = assemblePoints({ weather: laid, now, baseUrl: 'http://a.test', location: undefined });
  const times = points.map(({ timestamp }) => timestamp);
  return (
    pointsSchema.safeParse(JSON.parse(serializePoints(points))).success &&
    points.every(({ weather: { status } }) => isKnownStatus(status)) &&
    times.every((time, index) => index === 0 || time > (times[index - 1] ?? time))
  );
}

describe.each(readers)('%s', (_name, body, read, { most, needed }) => {
  const before = readingsOf(read(body));
  // The document's own place, zone, and kind, and the units, are not one value among many.
  const isOfWhole = (path: Path) =>
    /\b(geometry|type|radar_coverage|latitude|longitude|utc_offset_seconds|units|\w+_units)\b/.test(path.join(' '));
  const leaves = leavesOf(body).filter((path) => !isOfWhole(path));

  it.each(odd.map((value) => [JSON.stringify(value), value] as const))(
    'loses at most one reading to %s',
    (_text, value) => {
      const worst = leaves.map((path) => {
        const count = lost(before, readingsOf(read(replaced(body, path, value))));
        return [path.join('.'), count] as const;
      });
      expect(worst.filter(([, count]) => count > most)).toEqual([]);
    },
  );

  it('is read as sound weather, or refused, whichever part is odd or missing', () => {
    const outcomeOf = (changed: unknown) => {
      try {
        return isSound(read(changed)) ? 'sound' : 'odd';
      } catch (error) {
        return error instanceof ProviderFailure ? 'refused' : error;
      }
    };
    const values = [undefined, null, 'odd', {}, [], true, 1e308, '2025-02-30T25:61'];
    const outcomes = partsOf(body).flatMap((path) =>
      values.map((value) => [path.join('.'), value, outcomeOf(replaced(body, path, value))] as const),
    );
    expect(outcomes.filter(([, , outcome]) => outcome !== 'sound' && outcome !== 'refused')).toEqual([]);
    const refused = outcomes.flatMap(([path, , outcome]) => (outcome === 'refused' ? path : []));
    expect([...new Set(refused)]).toEqual(needed);
  });
});

it('an amount that cannot be rain leaves the decision to the rain’s code', () => {
  for (const value of odd) {
    const amounts = [value, value, value];
    const weather = readOpenMeteo(
      {
        ...openMeteo,
        current: { ...openMeteo.current, precipitation: value },
        hourly: { ...openMeteo.hourly, precipitation: amounts },
        minutely_15: { ...openMeteo.minutely_15, precipitation: amounts },
      },
      now,
    );
    expect([weather.rainfall, isPrecipitatingNear({ weather, here: [] }, now)]).toEqual([[], true]);
  }
});
