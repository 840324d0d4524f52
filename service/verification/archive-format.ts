// The archive of provider data and airport observations (docs/verification.md, "Archive"): one JSON object per line, one file per
// day and 1° tile. It contains cells, stations, and sources, but no customer data.
import { z } from 'zod';
import { statuses } from '#contract/service-api/vocabulary.ts';
import { formatTimestamp } from '#contract/service-api/timestamp.ts';
import type { LatLng } from '#contract/service-api/geo.ts';
import type { Nowcast } from '#service/weather/met-norway/nowcast.ts';
import type { Observation } from '#service/weather/metar/read-metar.ts';
import type { CellWeather, Rainfall } from '#service/weather/reading/reading.ts';
import { cellOf } from '#service/weather/reading/cells.ts';

const archiveVersion = 1;

/** The first line of each file. */
export const archiveHeader = JSON.stringify({ kind: 'rainbell-archive', version: archiveVersion });

/** Longer lines are damaged. */
export const maxLineLength = 16_384;

/** Unix seconds, from 1970 to 2100. */
const instant = z.int().min(0).max(4_102_444_800);
const cell = z.string().regex(/^-?\d{1,2}\.\d,-?\d{1,3}\.\d$/);
const status = z.enum(statuses);
const name = z.string().min(1).max(60);
/** From, until, mm/h. */
const rain = z.array(z.tuple([instant, instant, z.number().min(0).max(1_000)])).max(200);

export const archiveLineSchema = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('rainbell-archive'), version: z.literal(archiveVersion) }),
  z.object({
    kind: z.literal('forecast'),
    /** When it was fetched. */
    at: instant,
    cell,
    source: name,
    /** When the provider has new data. */
    fresh: instant.optional(),
    /** Whether it precipitates, if the source says so. */
    wet: z.boolean().optional(),
    /** The current weather, and the next hours of a source without it. */
    status: z.tuple([instant, status]).optional(),
    hours: z
      .array(z.tuple([instant, status]))
      .max(6)
      .optional(),
    rain,
  }),
  z.object({ kind: z.literal('radar'), at: instant, cell, rain }),
  z.object({
    kind: z.literal('observation'),
    /** When it was received. */
    at: instant,
    station: z.string().regex(/^[A-Z0-9]{3,5}$/),
    lat: z.number().min(-90).max(90),
    lng: z.number().min(-180).max(180),
    /** When it was observed. */
    time: instant,
    status,
    wet: z.boolean(),
  }),
]);

export type ArchiveLine = z.infer<typeof archiveLineSchema>;
type ForecastLine = Extract<ArchiveLine, { kind: 'forecast' }>;
type RadarLine = Extract<ArchiveLine, { kind: 'radar' }>;
type ObservationLine = Extract<ArchiveLine, { kind: 'observation' }>;

/** One forecast of a cell, as used by the decision. Times are in milliseconds. */
export type RecordedForecast = { at: number; weather: CellWeather };
export type RecordedRadar = { at: number; nowcast: Nowcast };
/** `at`: when it was received. */
export type RecordedObservation = { at: number; observation: Observation };

const seconds = (ms: number) => Math.floor(ms / 1000);
/** How long a forecast is used if no newer one arrives. */
const rainKeptMs = 3 * 3_600_000;
const maxHours = 4;

/** Returns the file of a place without its extension: `2026-11-23/45,7`. */
export function archiveFileOf({ lat, lng }: LatLng, at: number): string {
  return `${dayOf(at)}/${tileOf({ lat, lng })}`;
}

/** Returns the UTC day of a time, `2026-11-23`. */
export function dayOf(instant: number): string {
  return formatTimestamp(instant).slice(0, 10);
}

/** Returns the 1° tile of a place, named by its south-western corner. */
export function tileOf({ lat, lng }: LatLng): string {
  return `${Math.floor(lat)},${lng >= 180 ? -180 : Math.floor(lng)}`;
}

export function forecastLine(place: LatLng, weather: CellWeather): ForecastLine {
  const { current, fetchedAt, freshUntil, isPrecipitating, steps } = weather;
  const hours = steps.filter(({ at }) => at > fetchedAt - 3_600_000).slice(0, maxHours);
  return {
    kind: 'forecast',
    at: seconds(fetchedAt),
    cell: cellOf(place),
    source: weather.source,
    ...(freshUntil === undefined ? {} : { fresh: seconds(freshUntil) }),
    ...(isPrecipitating === undefined ? {} : { wet: isPrecipitating }),
    ...(current ? { status: [seconds(current.at), current.status] } : {}),
    ...(current || hours.length === 0
      ? {}
      : { hours: hours.map(({ at, status: word }): [number, typeof word] => [seconds(at), word]) }),
    rain: rainOf(weather.rainfall, fetchedAt),
  };
}

export function radarLine(place: LatLng, { rainfall }: Nowcast, now: number): RadarLine {
  return { kind: 'radar', at: seconds(now), cell: cellOf(place), rain: rainOf(rainfall, now) };
}

export function observationLine(observation: Observation, now: number): ObservationLine {
  const { station, place, at, status: word, isPrecipitating } = observation;
  return {
    kind: 'observation',
    at: seconds(now),
    station,
    lat: place.lat,
    lng: place.lng,
    time: seconds(at),
    status: word,
    wet: isPrecipitating,
  };
}

/** Drops past and distant intervals, which decide nothing, and merges neighbors with the same rate. */
function rainOf(rainfall: readonly Rainfall[], now: number): [number, number, number][] {
  const kept: [number, number, number][] = [];
  for (const { from, until, mmPerHour } of rainfall) {
    if (until <= now || from >= now + rainKeptMs) continue;
    const last = kept.at(-1);
    if (last && last[2] === mmPerHour && seconds(from) <= last[1]) last[1] = Math.max(last[1], seconds(until));
    else kept.push([seconds(from), seconds(until), mmPerHour]);
  }
  return kept;
}

export function recordedForecast(line: ForecastLine): RecordedForecast {
  const at = line.at * 1000;
  const [lat = 0, lng = 0] = line.cell.split(',').map(Number);
  return {
    at,
    weather: {
      source: line.source,
      grid: { lat, lng },
      fetchedAt: at,
      ...(line.fresh === undefined ? {} : { freshUntil: line.fresh * 1000 }),
      ...(line.wet === undefined ? {} : { isPrecipitating: line.wet }),
      ...(line.status === undefined ? {} : { current: { at: line.status[0] * 1000, status: line.status[1] } }),
      steps: (line.hours ?? []).map(([hour, word]) => ({ at: hour * 1000, status: word })),
      rainfall: rainfallOf(line.rain),
    },
  };
}

export function recordedRadar({ at, rain: rates }: RadarLine): RecordedRadar {
  return { at: at * 1000, nowcast: { rainfall: rainfallOf(rates), updatedAt: at * 1000, current: undefined } };
}

export function recordedObservation(line: ObservationLine): RecordedObservation {
  const { station, lat, lng, time, status: word, wet } = line;
  return {
    at: line.at * 1000,
    observation: { station, place: { lat, lng }, at: time * 1000, status: word, isPrecipitating: wet },
  };
}

function rainfallOf(rates: ForecastLine['rain']): Rainfall[] {
  return rates.map(([from, until, mmPerHour]) => ({ from: from * 1000, until: until * 1000, mmPerHour }));
}
