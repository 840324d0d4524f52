// A client of the old service asks ours for weather while the provider answers what was recorded. The oracle is
// shared/fixtures/expected-status.json; the service runs as a process, exactly as a tester would start it.
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { collectionSchema } from '#contract/collection.ts';
import { parseTimestamp } from '#contract/timestamp.ts';
import { weatherPointSchema } from '#contract/weather.ts';
import { fetchAccessToken, startServiceProcess } from './service-process.ts';

const fixtures = new URL('../fixtures/', import.meta.url);
const expectationSchema = z.looseObject({ current: z.string().nullish(), hourly: z.array(z.string()).optional() });
const expectations = z
  .record(z.string(), z.unknown())
  .parse(JSON.parse(readFileSync(new URL('expected-status.json', fixtures), 'utf8')));

const recordingSchema = z.looseObject({
  latitude: z.number(),
  longitude: z.number(),
  utc_offset_seconds: z.number(),
  current: z.looseObject({ time: z.union([z.string(), z.number()]) }).optional(),
  hourly: z.looseObject({ time: z.array(z.union([z.string(), z.number()])) }).optional(),
});

/** Serves one recorded body for whatever is asked, as the provider did. */
async function replay(body: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json; charset=utf-8').end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => void server.close(() => resolve())));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function instantOf(time: string | number, utcOffsetSeconds: number): number {
  if (typeof time === 'number') return time * 1000;
  const instant = parseTimestamp(`${time}:00`);
  if (instant === undefined) throw new Error(`The recording has an odd time: ${time}`);
  return instant - utcOffsetSeconds * 1000;
}

async function serviceWith(recording: string, clock: number) {
  const data = await mkdtemp(join(tmpdir(), 'rainbell-story-'));
  onTestFinished(() => rm(data, { recursive: true, force: true }));
  const flags = ['--data', data, '--provider', 'open-meteo', '--clock', new Date(clock).toISOString()];
  const service = await startServiceProcess(flags, { RAINBELL_OPEN_METEO_URL: await replay(recording) });
  onTestFinished(async () => void (await service.stop()));
  return service.introduction;
}

describe('a client of the old service', () => {
  const recorded = Object.entries(expectations)
    .filter(([file]) => file.startsWith('open-meteo/'))
    .map(([file, row]) => [file, expectationSchema.parse(row)] as const)
    .filter(([, row]) => row.hourly);

  it.each(recorded)('reads from %s the statuses that it must map to', async (file, expected) => {
    const text = readFileSync(new URL(file, fixtures), 'utf8');
    const recording = recordingSchema.parse(JSON.parse(text));
    const now = instantOf(recording.current?.time ?? 0, recording.utc_offset_seconds);
    const introduction = await serviceWith(text, now);
    const accessToken = await fetchAccessToken(introduction);
    const query = `location_lat=${recording.latitude}&location_lng=${recording.longitude}`;
    const answer = await fetch(`${introduction.baseUrl}/v2/weather/?${query}`, {
      headers: { authorization: `Bearer ${accessToken}` },
    });
    expect(answer.status).toBe(200);
    const { objects } = collectionSchema(weatherPointSchema).parse(await answer.json());

    expect(objects[0]?.weather.status).toBe(expected.current);
    const served = new Map(objects.slice(1).map((point) => [parseTimestamp(point.timestamp), point.weather.status]));
    const hours = (recording.hourly?.time ?? []).map((time) => instantOf(time, recording.utc_offset_seconds));
    const ahead = hours.map((hour, index) => [hour, expected.hourly?.[index]] as const).filter(([hour]) => hour > now);
    expect(ahead.length).toBeGreaterThan(3);
    for (const [hour, status] of ahead) expect([hour, served.get(hour)]).toEqual([hour, status]);
    for (const point of objects) expect(point.sources).toContain('open-meteo');
  });
});
