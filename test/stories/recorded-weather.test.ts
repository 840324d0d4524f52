// A client of the old service asks ours for weather while Open-Meteo answers what was recorded. The oracle is
// test/fixtures/expected-status.json. Airports: read-metar.test.ts.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { collectionSchema } from '#contract/service-api/collection.ts';
import { parseTimestamp } from '#shared/time/timestamp.ts';
import { type WeatherPoint, weatherPointSchema } from '#contract/service-api/weather.ts';
import { introductionOf } from '#service/app/embedded-service.ts';
import type { Config } from '#service/config/config.ts';
import { startOwnService } from '#test/service/start-own-service.ts';
import { fetchAccessToken } from './service-process.ts';
import { listen } from '#test/setup/listen.ts';

const fixtures = new URL('../fixtures/', import.meta.url);

function readFixture(file: string): string {
  return readFileSync(new URL(file, fixtures), 'utf8');
}

const expectations = z.record(z.string(), z.unknown()).parse(JSON.parse(readFixture('expected-status.json')));

/** The recordings of a provider for which there is an expectation, parsed by its form. */
function expected<Row>(provider: string, form: z.ZodType<Row>): [string, Row][] {
  return Object.entries(expectations)
    .filter(([file]) => file.startsWith(`${provider}/`))
    .map(([file, row]) => [file, form.parse(row)]);
}

/** Serves one recorded body for every request, as the provider did. */
async function replay(body: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json; charset=utf-8').end(body);
  });
  const port = await listen(server);
  return `http://127.0.0.1:${port}`;
}

type Question = { clock: number; lat: number; lng: number; config: Partial<Config> };

/** What `GET /v2/weather/` answers, from a service with the given clock and providers. */
async function requestWeather({ clock, lat, lng, config }: Question): Promise<WeatherPoint[]> {
  const introduction = introductionOf(await startOwnService({ ...config, clockStart: new Date(clock).toISOString() }));
  const { baseUrl } = introduction;
  const accessToken = await fetchAccessToken(introduction);
  const answer = await fetch(`${baseUrl}/v2/weather/?location_lat=${lat}&location_lng=${lng}`, {
    headers: { authorization: `Bearer ${accessToken}` },
  });
  expect(answer.status).toBe(200);
  return collectionSchema(weatherPointSchema).parse(await answer.json()).objects;
}

function byInstant(points: readonly WeatherPoint[]): Map<number | undefined, string> {
  return new Map(points.map((point) => [parseTimestamp(point.timestamp), point.weather.status]));
}

describe('a client of the old service, with Open-Meteo as it was recorded', () => {
  const form = z.looseObject({ current: z.string().nullish(), hourly: z.array(z.string()).optional() });
  const time = z.union([z.string(), z.number()]);
  const recordingSchema = z.looseObject({
    latitude: z.number(),
    longitude: z.number(),
    utc_offset_seconds: z.number(),
    current: z.looseObject({ time }),
    hourly: z.looseObject({ time: z.array(time) }),
  });
  const instantOf = (text: string | number, utcOffsetSeconds: number) =>
    typeof text === 'number' ? text * 1000 : (parseTimestamp(`${text}:00`) ?? Number.NaN) - utcOffsetSeconds * 1000;
  const recorded = expected('open-meteo', form).filter(([, row]) => row.hourly);

  it.each(recorded)('reads from %s the statuses that it must map to', async (file, row) => {
    const text = readFixture(file);
    const { latitude: lat, longitude: lng, ...recording } = recordingSchema.parse(JSON.parse(text));
    const clock = instantOf(recording.current.time, recording.utc_offset_seconds);
    const config = { provider: 'open-meteo', openMeteoUrl: await replay(text) } as const;
    const points = await requestWeather({ clock, lat, lng, config });

    expect(points[0]?.weather.status).toBe(row.current);
    const served = byInstant(points.slice(1));
    const hours = recording.hourly.time.map((hour) => instantOf(hour, recording.utc_offset_seconds));
    const ahead = hours.map((hour, index) => [hour, row.hourly?.[index]] as const).filter(([hour]) => hour > clock);
    expect(ahead.length).toBeGreaterThan(3);
    for (const [hour, status] of ahead) expect([hour, served.get(hour)]).toEqual([hour, status]);
    for (const point of points) expect(point.sources).toContain('open-meteo');
  });
});
