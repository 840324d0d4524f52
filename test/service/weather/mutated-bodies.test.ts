// Providers change without a word. Whatever is left out, nulled, retyped or blown up in a recorded body: it is read as weather
// whose points keep the interface's promises, or refused as a ProviderFailure; never anything else.
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import '#test/property-seed.ts';
import { expect, it } from 'vitest';
import { parseTimestamp } from '#shared/time/timestamp.ts';
import { isKnownStatus } from '#contract/service-api/vocabulary.ts';
import { weatherPointSchema } from '#contract/service-api/weather.ts';
import { serializePoints, assemblePoints } from '#service/weather/response/weather-points.ts';
import { readLocationforecast } from '#service/weather/providers/met-norway/met-norway.ts';
import { stationsNear } from '#service/weather/metar/metar.ts';
import { weatherAt } from '#service/weather/sources/observations.ts';
import { readMetars } from '#service/weather/metar/read-metar.ts';
import { readOpenMeteo } from '#service/weather/providers/open-meteo/read-open-meteo.ts';
import { isPrecipitatingNear } from '#service/monitors/sweep/precipitation.ts';
import { type CellWeather, ProviderFailure } from '#service/weather/reading/reading.ts';

const fixtures = new URL('../../fixtures/', import.meta.url);
const recordingsIn = (folder: string) =>
  readdirSync(new URL(`${folder}/`, fixtures))
    .filter((name) => name.endsWith('.json'))
    .map((name) => [`${folder}/${name}`, readFileSync(new URL(`${folder}/${name}`, fixtures), 'utf8')] as const);

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Every container in the document, so that a mutation can reach anywhere. */
function containersOf(value: Json): (Json[] | { [name: string]: Json })[] {
  if (value === null || typeof value !== 'object') return [];
  return [value, ...Object.values(value).flatMap(containersOf)];
}

const junk = fc.oneof(
  fc.constantFrom<Json[]>(null, true, '', 'NaN', '10+', '2025-02-30T25:61'),
  fc.constantFrom(1e308, -1e308, -0, 0.1, 99_999_999_999_999),
  fc.constantFrom<Json[]>([], {}, [[]]),
);
const mutation = fc.record({ where: fc.nat(), which: fc.nat(), what: fc.option(junk, { nil: undefined }) });

function mutated(text: string, mutations: readonly { where: number; which: number; what: Json | undefined }[]): Json {
  const body = JSON.parse(text) as Json;
  for (const { where, which, what } of mutations) {
    const containers = containersOf(body);
    const container = containers[where % Math.max(1, containers.length)];
    if (container === undefined) break;
    const names = Object.keys(container);
    const name = names[which % Math.max(1, names.length)];
    if (name === undefined) continue;
    if (what !== undefined) Object.assign(container, { [name]: structuredClone(what) });
    else if (Array.isArray(container)) container.splice(Number(name), 1);
    else delete container[name];
  }
  return body;
}

function expectSoundPoints(weather: CellWeather, now: number): void {
  const points = assemblePoints({ weather, now, baseUrl: 'http://a.test', location: undefined });
  let last = Number.NEGATIVE_INFINITY;
  for (const point of points) {
    const at = parseTimestamp(point.timestamp) ?? Number.NaN;
    expect(at).toBeGreaterThan(last);
    expect(at).toBeLessThanOrEqual(now + 72 * 3_600_000);
    last = at;
    expect(isKnownStatus(point.weather.status)).toBe(true);
    expect(Object.values(point.weather.measured ?? {}).every(Number.isFinite)).toBe(true);
    expect(Math.abs(point.sun_altitude)).toBeLessThanOrEqual(91);
  }
  const text = serializePoints(points);
  const sent = JSON.parse(text) as { objects: unknown[] };
  for (const point of sent.objects) weatherPointSchema.parse(point);
  expect(text).toBe(JSON.stringify({ objects: points, meta: {} }));
  isPrecipitatingNear({ weather, here: [] }, now);
}

function readOrRefuse<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof ProviderFailure) return undefined;
    throw error;
  }
}

type Reader = (body: unknown, now: number) => CellWeather;
const readers: readonly [folder: string, read: Reader][] = [
  ['open-meteo', readOpenMeteo],
  ['met-norway', readLocationforecast],
  [
    'aviationweather',
    (body, now) => {
      const [here] = readMetars(body) ?? [];
      const place = here?.place ?? { lat: 0, lng: 0 };
      const weather = { source: 'open-meteo', grid: place, fetchedAt: now, steps: [], rainfall: [] };
      return weatherAt({ ...weather, stations: stationsNear(readMetars(body) ?? [], place, now, 10) }, place, now);
    },
  ],
];
const recordings = readers.flatMap(([folder, read]) =>
  recordingsIn(folder).map(([name, text]) => [name, text, read] as const),
);

/** The first time in a recording: Unix seconds, or text in about UTC. */
function timeOf(text: string): number {
  const form = /"(?:time|obsTime)"\s*:\s*\[?\s*"?(\d{10}|\d{4}-\d\d-\d\dT\d\d:\d\d)/;
  const [, time = ''] = form.exec(text) ?? [];
  return time.includes('-') ? Date.parse(`${time}Z`) : Number(time) * 1000;
}

it.each(recordings)('%s that was tampered with is weather or a refusal', (_name, text, read) => {
  const recordedAt = timeOf(text);
  expect(recordedAt).toBeGreaterThan(Date.UTC(2020, 0));
  const changes = fc.array(mutation, { minLength: 1, maxLength: 12 });
  const hoursOff = fc.oneof(fc.constant(0), fc.integer({ min: -80, max: 80 }));
  const run = fc.check(
    fc.property(changes, hoursOff, (mutations, off) => {
      const now = recordedAt + off * 3_600_000;
      const weather = readOrRefuse(() => read(mutated(text, mutations), now));
      if (weather) expectSoundPoints(weather, now);
    }),
    { numRuns: 150 },
  );
  expect(fc.defaultReportMessage(run)).toBeUndefined();
});
