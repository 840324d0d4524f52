// Parses Open-Meteo's forecast body. Times are Unix seconds or local text with `utc_offset_seconds`, units are in `*_units`, any
// value may be null, and an error can come with any HTTP status. Assumes none of these. An odd value is a missing one.
import { z } from 'zod';
import { hourMs, parseTimestamp } from '@rainbell/shared';
import { meltedPerSnow } from '@rainbell/contract/service-api';
import { measuredOf, asNumber, inUnit, instantOfUnixSeconds } from '../../reading/provider-values.ts';
import {
  requireCurrentWeather,
  type CellWeather,
  ProviderFailure,
  type Rainfall,
  type Reading,
} from '../../reading/reading.ts';
import { kindOfWmoCode, statusOfWmoCode, withWind } from '../../reading/wmo-status.ts';

export const openMeteoName = 'open-meteo';

const units = z.record(z.string(), z.unknown()).catch({});
const block = z
  .looseObject({ time: z.array(z.unknown()).catch([]) })
  .optional()
  .catch(undefined);
const degrees = (limit: number) => z.preprocess(asNumber, z.number().min(-limit).max(limit));

const bodySchema = z.looseObject({
  latitude: degrees(90),
  longitude: degrees(180),
  utc_offset_seconds: z.number().catch(0),
  current_units: units,
  current: z.looseObject({ time: z.unknown() }).optional().catch(undefined),
  hourly_units: units,
  hourly: block,
  minutely_15_units: units,
  minutely_15: block,
});
type Body = z.infer<typeof bodySchema>;
type Units = Readonly<Record<string, unknown>>;
type ValueOf = (name: string) => unknown;

const errorSchema = z.looseObject({ error: z.literal(true), reason: z.string().optional() });

/** Throws a ProviderFailure if the body is an error or not a forecast. */
export function readOpenMeteo(body: unknown, fetchedAt: number): CellWeather {
  const refusal = errorSchema.safeParse(body);
  if (refusal.success)
    throw new ProviderFailure(openMeteoName, `it rejected the request: ${refusal.data.reason ?? 'no reason given'}`);
  const parsed = bodySchema.safeParse(body);
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path.join('.') ?? '';
    throw new ProviderFailure(openMeteoName, `its response is not a forecast (at "${field}")`);
  }
  const forecast = parsed.data;
  const current = readCurrent(forecast);
  const steps = readHours(forecast);
  if (current === undefined && steps.length === 0) {
    throw new ProviderFailure(openMeteoName, 'its response has neither current nor hourly weather');
  }
  return requireCurrentWeather({
    source: openMeteoName,
    grid: { lat: forecast.latitude + 0, lng: forecast.longitude + 0 },
    fetchedAt,
    ...(current === undefined ? {} : { current }),
    steps,
    rainfall: readRainfall(forecast, fetchedAt),
  });
}

function readCurrent(forecast: Body): Reading | undefined {
  const { current } = forecast;
  const at = current && instantOf(current.time, forecast);
  // Current data without weather is useless: the hourly forecast has more.
  if (at === undefined || asNumber(current?.['weather_code']) === undefined) return undefined;
  return readingAt(at, (name) => current?.[name], forecast.current_units, 3_600 / currentSeconds(forecast));
}

function readHours(forecast: Body): Reading[] {
  const { hourly, hourly_units: unitOf } = forecast;
  const readings = (hourly?.time ?? []).flatMap((text, index) => {
    const at = instantOf(text, forecast);
    return at === undefined ? [] : [readingAt(at, (name) => valueAt(hourly?.[name], index), unitOf)];
  });
  const hasWeather = readings.some((reading) => reading.status !== 'unknown');
  return hasWeather ? readings.toSorted((one, other) => one.at - other.at) : [];
}

/** `perHour`: how many of its periods an hour has. */
function readingAt(at: number, valueOf: ValueOf, unitOf: Units, perHour = 1): Reading {
  const valueIn = (name: Parameters<typeof inUnit>[0], field: string) => inUnit(name, valueOf(field), unitOf[field]);
  const windSpeed = valueIn('wind_speed', 'wind_speed_10m');
  const status = withWind(statusOfWmoCode(asNumber(valueOf('weather_code'))), windSpeed);
  const precipitation = valueIn('precipitation', 'precipitation');
  const snowfall = valueIn('snowfall', 'snowfall');
  const isFrozen = status === 'snowy' || status === 'snow flurries';
  // Part of the amount fell as snow; without the snowfall, no one knows how much.
  const water = isFrozen && snowfall === undefined ? undefined : precipitation;
  return {
    at,
    status,
    ...measuredOf({
      temperature: valueIn('temperature', 'temperature_2m'),
      dew_point: valueIn('dew_point', 'dew_point_2m'),
      humidity: valueIn('humidity', 'relative_humidity_2m'),
      pressure: valueIn('pressure', 'pressure_msl'),
      wind_speed: windSpeed,
      wind_direction: valueIn('wind_direction', 'wind_direction_10m'),
      rainfall:
        water === undefined ? undefined : rounded(Math.max(0, water - (snowfall ?? 0) * meltedPerSnow) * perHour),
      snowfall: snowfall === undefined ? undefined : rounded(snowfall * perHour),
    }),
  };
}

function rounded(amount: number): number {
  return Math.round(amount * 100) / 100;
}

/** The period of the current amounts, of at most an hour. */
function currentSeconds({ current }: Body): number {
  const seconds = asNumber(current?.['interval']) ?? 0;
  return seconds >= 60 && seconds <= 3_600 ? seconds : 900;
}

export const quarterMs = 900_000;
/** Like the hours that MET Norway's forecast keeps. */
const maxHours = 9;

/** Reads the sums of quarters of an hour, or those of hours from a mirror without quarters, and the sum until now. */
function readRainfall(forecast: Body, fetchedAt: number): Rainfall[] {
  const quarters = readSums(forecast, forecast.minutely_15, forecast.minutely_15_units, quarterMs);
  const hours = readSums(forecast, forecast.hourly, forecast.hourly_units, hourMs);
  const isSoon = ({ from, until }: Rainfall) => until > fetchedAt && from < fetchedAt + maxHours * hourMs;
  const later = quarters.length > 0 ? quarters : hours.filter(isSoon);
  return [...readCurrentRainfall(forecast, later), ...later];
}

/** Reads `current.precipitation`, the sum of the preceding interval (15 minutes if not given). */
function readCurrentRainfall(forecast: Body, later: readonly Rainfall[]): Rainfall[] {
  const { current, current_units: unitOf } = forecast;
  const at = current && instantOf(current.time, forecast);
  const amount = inUnit('precipitation', current?.['precipitation'], unitOf['precipitation']);
  if (at === undefined || amount === undefined) return [];
  const interval = currentSeconds(forecast) * 1000;
  // Without a forecast, what fell in the last interval is the best estimate for the next one.
  const isForecast = later.some(({ from, until }) => from <= at && until > at);
  const kind = kindOfWmoCode(asNumber(current?.['weather_code']));
  return [
    { from: at - interval, until: isForecast ? at : at + interval, mmPerHour: (amount * hourMs) / interval, kind },
  ];
}

/** Reads sums, each of the time before its own. */
export function readSums(
  forecast: Pick<Body, 'utc_offset_seconds'>,
  sums: Body['hourly'],
  unitOf: Units,
  stepMs: number,
): Rainfall[] {
  return (sums?.time ?? []).flatMap((text, index) => {
    const until = instantOf(text, forecast);
    const amount = inUnit('precipitation', valueAt(sums?.['precipitation'], index), unitOf['precipitation']);
    if (until === undefined || amount === undefined) return [];
    const kind = kindOfWmoCode(asNumber(valueAt(sums?.['weather_code'], index)));
    return [{ from: until - stepMs, until, mmPerHour: (amount * hourMs) / stepMs, kind }];
  });
}

function valueAt(column: unknown, index: number): unknown {
  return Array.isArray(column) ? column[index] : undefined;
}

function instantOf(time: unknown, { utc_offset_seconds }: Pick<Body, 'utc_offset_seconds'>): number | undefined {
  if (typeof time === 'number') return instantOfUnixSeconds(time);
  const local = typeof time === 'string' ? parseTimestamp(time.length === 16 ? `${time}:00` : time) : undefined;
  return local === undefined ? undefined : local - utc_offset_seconds * 1000;
}
