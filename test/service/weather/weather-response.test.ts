// `GET /v2/weather/` over real HTTP (docs/interface.md §4.3): the points, bad input, compression, 304, and that the short way in front of
// Fastify answers exactly like the route behind it, and no longer than it may.
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { getPosition } from 'suncalc';
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { iconName, type Status } from '#contract/service-api/vocabulary.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { startWeatherService } from './weather-harness.ts';

/** Bytes as they come: fetch would decompress them. */
async function getRaw(address: string, headers: Record<string, string>, method: 'GET' | 'HEAD' = 'GET') {
  const response = await request(address, { method, headers });
  const body = Buffer.from(await response.body.arrayBuffer());
  return { status: response.statusCode, headers: response.headers as Record<string, string | undefined>, body };
}

const place = '?location_lat=45.07&location_lng=7.69';

async function startedService() {
  const clock = createManualClock();
  const service = await startWeatherService({ provider: 'simulation' }, clock);
  const get = (headers: Record<string, string> = {}, query = place, method: 'GET' | 'HEAD' = 'GET') =>
    getRaw(`${service.baseUrl}/v2/weather/${query}`, { ...service.authorization, ...headers }, method);
  // The name of the place may come with the second answer; then everything is settled.
  const locality = async () => (await service.points(45.07, 7.69))[0]?.location?.locality;
  await expect.poll(locality).toBeDefined();
  return { ...service, clock, get };
}

describe('a client', () => {
  it('gets the same weather in each encoding, without a body by HEAD, and 304 until the next minute if it has it', async () => {
    const { get, clock } = await startedService();
    const [plain, zipped] = [await get(), await get({ 'accept-encoding': 'gzip' })];
    const brotli = await get({ 'accept-encoding': 'br' });
    const encodings = [plain, zipped, brotli].map(({ headers }) => headers['content-encoding']);
    expect(encodings).toEqual([undefined, 'gzip', 'br']);
    expect(gunzipSync(zipped.body).equals(plain.body)).toBe(true);
    expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true);
    expect(brotli.body.length).toBeLessThan(zipped.body.length);
    const { etag = '' } = plain.headers;
    expect([zipped.headers.vary, zipped.headers.etag]).toEqual(['Accept-Encoding', etag]);
    const head = await get({}, place, 'HEAD');
    expect([head.status, head.body.length, head.headers.etag]).toEqual([200, 0, etag]);
    const again = await get({ 'if-none-match': etag });
    expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, etag]);
    clock.advance(60_000);
    const later = await get({ 'if-none-match': etag });
    expect(later.status).toBe(200);
    expect(later.headers.etag).not.toBe(etag);
  });

  it('gets weather for numbers with spaces or a plus around them, and an error with the rule for others', async () => {
    const service = await startWeatherService({ provider: 'simulation' });
    expect((await service.get('?location_lat=%2B45.07&location_lng=+7.69%20')).status).toBe(200);
    for (const [query, rule] of [
      ['location_lng=7.6', 'location_lat must be a number between -90 and 90.'],
      ['location_lat=45&location_lat=46&location_lng=7.6', 'location_lat must be a number between -90 and 90.'],
      ['location_lat=45&location_lng=-180.5', 'location_lng must be a number between -180 and 180.'],
    ] as const) {
      const answer = await service.get(`?${query}`);
      const error = { error: 'invalid_request', error_description: rule };
      expect([answer.status, await answer.json()]).toEqual([400, error]);
    }
  });

  it('gets now and 72 hours, in UTC without a suffix, each with its sun and icon, also at the poles and on the antimeridian', async () => {
    const { points, baseUrl } = await startWeatherService({ provider: 'simulation' });
    for (const lat of [90, 45, -90]) {
      const found = await points(lat, 7);
      const hours = found.slice(1).map((_, index) => Date.parse('2026-11-21T07:00:00Z') + index * 3_600_000);
      const times = [Date.parse('2026-11-21T06:00:00Z'), ...hours];
      expect(found.map(({ timestamp }) => timestamp)).toEqual(
        times.map((at) => new Date(at).toISOString().slice(0, 19)),
      );
      expect(found).toHaveLength(73);
      for (const [index, { sun_altitude, icon, weather }] of found.entries()) {
        const { altitude } = getPosition(new Date(times[index] ?? 0), lat, 7);
        expect(Math.abs(sun_altitude - altitude)).toBeLessThan(0.0051);
        expect(icon).toBe(`${baseUrl}/v2/icons/${iconName(weather.status as Status, altitude)}`);
      }
    }
    const [[east], [west]] = [await points(10, 180), await points(10, -180)];
    expect(west).toEqual(east);
  });
});

describe('the short way in front of Fastify', () => {
  it('answers with the same headers and bytes as the route', async () => {
    const { get } = await startedService();
    const { etag = '' } = (await get()).headers;
    const all = [{}, { 'accept-encoding': 'gzip' }, { origin: 'https://example.org' }, { 'if-none-match': etag }];
    for (const [index, headers] of all.entries()) {
      // An address that the short way has not learnt is the route's: the same cell, written differently.
      const query = `?location_lng=7.69&location_lat=45.07${index}`;
      const [byRoute, byShortWay] = [await get(headers, query), await get(headers, query)];
      const { date: _one, 'x-request-id': routeId, ...routeHeaders } = byRoute.headers;
      const { date: _other, 'x-request-id': shortId, ...shortHeaders } = byShortWay.headers;
      expect(shortId).toMatch(/^[\w.-]{8,64}$/);
      expect(shortId).not.toBe(routeId);
      expect([byShortWay.status, shortHeaders]).toEqual([byRoute.status, routeHeaders]);
      expect(byShortWay.body.equals(byRoute.body)).toBe(true);
    }
  });

  it('never outlives its minute, its token, or a scenario, and refuses a token in the URL', async () => {
    const { get, sandbox, clock, baseUrl } = await startedService();
    const firstPoint = async () => JSON.parse((await get()).body.toString()).objects[0];
    const first = await get();
    expect((await get()).body.equals(first.body)).toBe(true);
    await sandbox('POST', 'scenarios', { center: { lat: 45.07, lng: 7.69 }, status: 'hailing', minutes: 5 });
    expect((await firstPoint()).weather.status).toBe('hailing');
    await sandbox('DELETE', 'scenarios');
    expect((await firstPoint()).weather.status).not.toBe('hailing');
    clock.advance(61_000);
    expect((await firstPoint()).timestamp).toBe('2026-11-21T06:01:00');
    for (const _each of [1, 2]) expect((await get({}, `${place}&access_token=x`)).status).toBe(400);
    expect((await getRaw(`${baseUrl}/v2/weather/${place}`, {})).status).toBe(401);
    expect((await get({ authorization: 'Bearer stolen' })).status).toBe(401);
    clock.advance(3_700_000);
    expect((await get()).status).toBe(401);
  });
});
