// The weather answer as bytes: what the serialiser writes, which compression a client gets, 304, and that the short way in
// front of Fastify answers exactly like the route behind it, and no longer than it may.
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import '#test/property-seed.ts';
import { describe, expect, it } from 'vitest';
import { collection } from '#contract/service-api/collection.ts';
import { statuses } from '#contract/service-api/vocabulary.ts';
import { holdsAlready } from '#service/http/etag.ts';
import { chooseEncoding } from '#service/weather/response/weather-response.ts';
import { serializePoints, assemblePoints } from '#service/weather/response/weather-points.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { startWeatherService } from './weather-harness.ts';

type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer };

/** Bytes as they come: fetch would decompress them. */
function getRaw(address: string, headers: Record<string, string>, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = httpRequest(address, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    call.on('error', reject);
    call.end();
  });
}

const place = '?location_lat=45.07&location_lng=7.69';

async function startedService() {
  const clock = createManualClock();
  const service = await startWeatherService({ provider: 'simulation' }, clock);
  const authorization = service.authorization;
  const get = (headers: Record<string, string> = {}, query = place, method = 'GET') =>
    getRaw(`${service.baseUrl}/v2/weather/${query}`, { ...authorization, ...headers }, method);
  // The name of the place may come with the second answer; then everything is settled.
  await service.points(0, 0);
  const locality = async () => (await service.points(45.07, 7.69))[0]?.location?.locality;
  await expect.poll(locality).toBeDefined();
  return { ...service, clock, get };
}

describe('the serialiser', () => {
  const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
  const measured = fc.record(
    { temperature: finite, humidity: finite, pressure: finite, wind_speed: finite, rainfall: finite, snowfall: finite },
    { requiredKeys: [] },
  );
  const reading = fc.record(
    {
      status: fc.constantFrom(...statuses),
      measured,
      isScenario: fc.boolean(),
      sources: fc.array(fc.string(), { maxLength: 3 }),
    },
    { requiredKeys: ['status'] },
  );

  it('writes byte for byte what JSON.stringify writes', () => {
    const now = Date.parse('2026-11-21T06:00:00.000Z');
    const location = fc.option(fc.record({ country: fc.string(), locality: fc.string() }), { nil: undefined });
    fc.assert(
      fc.property(fc.array(reading, { maxLength: 20 }), location, fc.string(), (readings, found, source) => {
        const steps = readings.map((one, index) => ({ ...one, at: now + index * 1_800_123 }));
        const weather = { source, grid: { lat: -0.5, lng: 7.7 }, fetchedAt: now, steps, rainfall: [] };
        const points = assemblePoints({ weather, now, baseUrl: 'http://a.test/"x"', location: found });
        expect(serializePoints(points)).toBe(JSON.stringify(collection(points)));
        expect(serializePoints(points)).toBe(JSON.stringify(collection(points)));
      }),
    );
  });
});

describe('a client that accepts', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
    ['gzip, deflate', 'gzip'],
    ['br;q=1.0, gzip;q=0.8', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=0', 'identity'],
    ['br;q=0, *', 'gzip'],
    ['br;q=0.0, gzip;q=0.000', 'identity'],
    ['*', 'br'],
    ['identity', 'identity'],
    ['GZIP', 'gzip'],
  ])('%s gets %s', (header, encoding) => {
    expect(chooseEncoding(header)).toBe(encoding);
  });

  it('gets the same weather in each encoding', async () => {
    const { get } = await startedService();
    const plain = await get();
    const zipped = await get({ 'accept-encoding': 'gzip' });
    const brotli = await get({ 'accept-encoding': 'br' });
    expect([plain, zipped, brotli].map(({ headers }) => headers['content-encoding'])).toEqual([
      undefined,
      'gzip',
      'br',
    ]);
    expect(gunzipSync(zipped.body).equals(plain.body)).toBe(true);
    expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true);
    expect(brotli.body.length).toBeLessThan(zipped.body.length);
    expect(zipped.headers.vary).toBe('Accept-Encoding');
    expect(zipped.headers.etag).toBe(plain.headers.etag);
  });
});

describe('a client that has the answer already', () => {
  it.each([
    ['W/"a"', true],
    ['"a"', true],
    ['"b", W/"a"', true],
    ['*', true],
    ['"b"', false],
    [undefined, false],
  ])('and says so with %s gets 304: %s', (header, isHeld) => {
    expect(holdsAlready(header, 'W/"a"')).toBe(isHeld);
  });

  it('gets 304 without a body, and 200 in the next minute', async () => {
    const { get, clock } = await startedService();
    const first = await get();
    const again = await get({ 'if-none-match': first.headers.etag ?? '' });
    expect(again.status).toBe(304);
    expect(again.body).toHaveLength(0);
    expect(again.headers.etag).toBe(first.headers.etag);
    clock.advance(60_000);
    const later = await get({ 'if-none-match': first.headers.etag ?? '' });
    expect(later.status).toBe(200);
    expect(later.headers.etag).not.toBe(first.headers.etag);
  });
});

describe('the short way in front of Fastify', () => {
  it('answers with the same headers and bytes as the route', async () => {
    const { get } = await startedService();
    for (const headers of [{}, { 'accept-encoding': 'gzip' }, { origin: 'https://example.org' }]) {
      // An address that the short way has not learnt is the route's: the same cell, written differently.
      const query = `?location_lng=7.69&location_lat=45.07${JSON.stringify(headers).length}`;
      const [byRoute, byShortWay] = [await get(headers, query), await get(headers, query)];
      const { date: _one, 'x-request-id': routeId, ...routeHeaders } = byRoute.headers;
      const { date: _other, 'x-request-id': shortId, ...shortHeaders } = byShortWay.headers;
      expect(shortId).toMatch(/^[\w.-]{8,64}$/);
      expect(shortId).not.toBe(routeId);
      expect(shortHeaders).toEqual(routeHeaders);
      expect(byShortWay.body.equals(byRoute.body)).toBe(true);
    }
  });

  it('never outlives its minute, its token, or a scenario', async () => {
    const { get, sandbox, clock, baseUrl } = await startedService();
    const first = await get();
    expect((await get()).body.equals(first.body)).toBe(true);
    await sandbox('POST', 'scenarios', { center: { lat: 45.07, lng: 7.69 }, status: 'hailing', minutes: 5 });
    expect(JSON.parse((await get()).body.toString()).objects[0].weather.status).toBe('hailing');
    await sandbox('DELETE', 'scenarios');
    expect(JSON.parse((await get()).body.toString()).objects[0].weather.status).not.toBe('hailing');
    clock.advance(61_000);
    expect(JSON.parse((await get()).body.toString()).objects[0].timestamp).toBe('2026-11-21T06:01:00');
    expect((await getRaw(`${baseUrl}/v2/weather/${place}`, {})).status).toBe(401);
    expect((await get({ authorization: 'Bearer stolen' })).status).toBe(401);
    clock.advance(3_700_000);
    expect((await get()).status).toBe(401);
  });

  it('refuses a token in the URL like the route does, even if the URL is in the cache', async () => {
    const { get } = await startedService();
    const query = `${place}&access_token=x`;
    expect([(await get({}, query)).status, (await get({}, query)).status]).toEqual([400, 400]);
  });

  it('counts as a cache hit on the sandbox screen', async () => {
    const { get, sandbox } = await startedService();
    const hits = async () => ((await sandbox('GET', 'state')) as { cache: { hits: number } }).cache.hits;
    const before = await hits();
    for (let call = 0; call < 5; call += 1) await get();
    expect((await hits()) - before).toBeGreaterThanOrEqual(5);
  });

  it('answers HEAD with the headers of GET and no body', async () => {
    const { get } = await startedService();
    const full = await get();
    const head = await get({}, place, 'HEAD');
    expect([head.status, head.body.length, head.headers.etag]).toEqual([200, 0, full.headers.etag]);
  });
});
