// Parses Open-Meteo's forecast body. Times are Unix seconds or local text with `utc_offset_seconds`, units are in `*_units`, any
// value may be null, and an error can come with any HTTP status. Assumes none of these.
import { z } from 'zod';
import { parseTimestamp } from '#contract/service-api/timestamp.ts';
import { measuredOf } from '#service/weather/reading/measured-values.ts';
import { requireCurrentWeather } from '#service/weather/reading/require-current-weather.ts';
import { inUnit } from '#service/weather/reading/provider-units.ts';
import { renameLegacyFields } from './legacy-fields.ts';
import { instantOfUnixSeconds } from '#service/weather/reading/unix-time.ts';
import { type CellWeather, ProviderFailure, type Rainfall, type Reading } from '#service/weather/reading/reading.ts';
import { statusOfWmoCode, withWind } from '#service/weather/reading/wmo-status.ts';

export const openMeteoName = 'open-meteo';

const time = z.union([z.number(), z.string()]);
const units = z.record(z.string(), z.string()).optional();
const value = z.number().nullish();
const column = z.array(z.number().nullable());

const bodySchema = z.looseObject({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  utc_offset_seconds: z.number().default(0),
  current_units: units,
  current: z.looseObject({ time, interval: z.number().optional() }).catchall(z.unknown()).optional(),
  hourly_units: units,
  hourly: z.looseObject({ time: z.array(time) }).optional(),
  minutely_15_units: units,
  minutely_15: z.looseObject({ time: z.array(time) }).optional(),
});
type Body = z.infer<typeof bodySchema>;
type Units = Readonly<Record<string, string>> | undefined;
type ValueOf = (name: string) => number | null | undefined;

const errorSchema = z.looseObject({ error: z.literal(true), reason: z.string().optional() });

/** Throws a ProviderFailure if the body is an error or not a forecast. */
export function readOpenMeteo(body: unknown, fetchedAt: number): CellWeather {
  const refusal = errorSchema.safeParse(body);
  if (refusal.success)
    throw new ProviderFailure(openMeteoName, `it rejected the request: ${refusal.data.reason ?? 'no reason given'}`);
  const parsed = bodySchema.safeParse(renameLegacyFields(body));
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
    rainfall: [...readCurrentRainfall(forecast), ...readQuarters(forecast)],
  });
}

function readCurrent(forecast: Body): Reading | undefined {
  const { current } = forecast;
  const at = current && instantOf(current.time, forecast);
  // Current data without weather is useless: the hourly forecast has more.
  if (at === undefined || typeof current?.['weather_code'] !== 'number') return undefined;
  return readingAt(at, (name) => asNumber(current[name]), forecast.current_units);
}

function readHours(forecast: Body): Reading[] {
  const { hourly } = forecast;
  if (!hourly) return [];
  const columns = numberColumns(hourly);
  const readings = hourly.time.flatMap((text, index) => {
    const at = instantOf(text, forecast);
    return at === undefined ? [] : [readingAt(at, (name) => columns.get(name)?.[index], forecast.hourly_units)];
  });
  const hasWeather = readings.some((reading) => reading.status !== 'unknown');
  return hasWeather ? readings.toSorted((one, other) => one.at - other.at) : [];
}

function readingAt(at: number, valueOf: ValueOf, unitOf: Units): Reading {
  const windSpeed = inUnit('metresPerSecond', valueOf('wind_speed_10m'), unitOf?.['wind_speed_10m']);
  return {
    at,
    status: withWind(statusOfWmoCode(valueOf('weather_code')), windSpeed),
    ...measuredOf({
      temperature: inUnit('kelvin', valueOf('temperature_2m'), unitOf?.['temperature_2m']),
      dew_point: inUnit('kelvin', valueOf('dew_point_2m'), unitOf?.['dew_point_2m']),
      humidity: inUnit('same', valueOf('relative_humidity_2m'), unitOf?.['relative_humidity_2m']),
      pressure: inUnit('same', valueOf('pressure_msl'), unitOf?.['pressure_msl']),
      wind_speed: windSpeed,
      wind_direction: inUnit('same', valueOf('wind_direction_10m'), unitOf?.['wind_direction_10m']),
      ...amountsOf(valueOf, unitOf),
    }),
  };
}

/** Open-Meteo's documentation: snowfall in cm is its liquid equivalent in mm, divided by 10, times 7. */
const meltedPerSnow = 1 / 7;

type Amounts = { rainfall?: number | undefined; snowfall: number | undefined };

function amountsOf(valueOf: ValueOf, unitOf: Units): Amounts {
  const precipitation = inUnit('millimetres', valueOf('precipitation'), unitOf?.['precipitation']);
  const snowfall = inUnit('millimetres', valueOf('snowfall'), unitOf?.['snowfall']);
  if (precipitation === undefined) return { snowfall };
  const rain = Math.max(0, precipitation - (snowfall ?? 0) * meltedPerSnow);
  return { rainfall: Math.round(rain * 100) / 100, snowfall };
}

/** Reads `current.precipitation`, the sum of the preceding interval (15 minutes if not given). */
function readCurrentRainfall(forecast: Body): Rainfall[] {
  const { current } = forecast;
  const at = current && instantOf(current.time, forecast);
  const unit = forecast.current_units?.['precipitation'];
  const amount = inUnit('millimetres', asNumber(current?.['precipitation']), unit);
  if (at === undefined || amount === undefined) return [];
  const interval = (current?.interval ?? 900) * 1000;
  // The sum of the last quarter of an hour is the best estimate for the current one.
  return [{ from: at - interval, until: at + interval, mmPerHour: (amount * 3_600_000) / interval }];
}

const quarterMs = 900_000;

function readQuarters(forecast: Body): Rainfall[] {
  const quarters = forecast.minutely_15;
  if (!quarters) return [];
  const amounts = numberColumns(quarters).get('precipitation') ?? [];
  const unit = forecast.minutely_15_units?.['precipitation'];
  return quarters.time.flatMap((text, index) => {
    const until = instantOf(text, forecast);
    const amount = inUnit('millimetres', amounts[index], unit);
    if (until === undefined || amount === undefined) return [];
    return [{ from: until - quarterMs, until, mmPerHour: amount * 4 }];
  });
}

function numberColumns(block: Readonly<Record<string, unknown>>): ReadonlyMap<string, (number | null)[]> {
  return new Map(Object.entries(block).map(([name, values]) => [name, column.safeParse(values).data ?? []]));
}

function asNumber(candidate: unknown): number | null | undefined {
  return value.safeParse(candidate).data;
}

function instantOf(text: number | string, { utc_offset_seconds }: Body): number | undefined {
  if (typeof text === 'number') return instantOfUnixSeconds(text);
  const local = parseTimestamp(text.length === 16 ? `${text}:00` : text);
  return local === undefined ? undefined : local - utc_offset_seconds * 1000;
}
