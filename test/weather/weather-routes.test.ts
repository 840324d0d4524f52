// The routes of weather and nowcast alone: how they are documented, what they answer, and what they pass on.
import Fastify from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { LatLng } from '#contract/service-api/geo.ts';
import { ServiceError } from '#service/errors/service-error.ts';
import { collectOperations } from '#service/http/operation.ts';
import type { Weather, WeatherMinutes } from '#service/weather/weather.ts';
import { registerNowcastRoutes, registerWeatherRoutes } from '#service/weather/weather-routes.ts';
import { createWeatherResponse } from '#service/weather/response/weather-response.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

const now = Date.parse('2026-11-21T06:00:30Z');
const turin = '?location_lat=45.07&location_lng=7.69';
const body = '{"objects":[],"meta":{}}';

function start(minutes?: WeatherMinutes) {
  const server = Fastify();
  onTestFinished(() => server.close());
  const operations = collectOperations(server);
  const passed: unknown[] = [];
  const response = createWeatherResponse(body);
  const weather = {
    async responseAt(place: LatLng, baseUrl: string) {
      passed.push(['weather', place, baseUrl]);
      return response;
    },
    async radarMinutesAt(place: LatLng) {
      passed.push(['minutes', place]);
      return minutes;
    },
  } as unknown as Weather;
  const requireBearer = async ({ headers }: { headers: { authorization?: string | undefined } }) => {
    if (headers.authorization === undefined) throw new ServiceError('invalid_token', 'A token is missing.');
  };
  registerWeatherRoutes(server, {
    weather,
    requireBearer,
    baseUrl: 'http://rainbell.test',
    faults: {
      async hook(request) {
        if (request.headers['x-fault'] !== undefined) throw new ServiceError('server_error', 'A fault is on.');
      },
    },
    fastPath: { remember: (address, cellKey) => void passed.push(['remember', address, cellKey]) },
  });
  registerNowcastRoutes(server, { weather, clock: createManualClock(now), requireBearer });
  const get = (path: string, headers: Record<string, string> = {}) =>
    server.inject({ url: path, headers: { authorization: 'Bearer any', ...headers } });
  return { server, operations, passed, etag: response.etag, get };
}

it('documents both routes', () => {
  const parameters = [
    { name: 'location_lat', in: 'query', example: '45.07' },
    { name: 'location_lng', in: 'query', example: '7.69' },
  ];
  const common = { method: 'get', group: 'Weather', access: 'bearer', isTriable: true, parameters };
  const [weather, nowcast, ...others] = start().operations;
  expect(weather).toMatchObject({ ...common, id: 'get-weather', path: '/v2/weather/', hasEtag: true });
  expect(nowcast).toMatchObject({ ...common, id: 'get-nowcast', path: '/v2/nowcast/', responses: [{ status: 200 }] });
  expect(weather?.responses.map(({ status, schema }) => [status, schema?.safeParse(JSON.parse(body)).success])).toEqual(
    [[200, true]],
  );
  expect([nowcast?.hasEtag, others]).toEqual([undefined, []]);
});

describe('GET /v2/weather/', () => {
  it('answers with the weather of the place, and tells the fast path', async () => {
    const { get, passed, etag } = start();
    const answer = await get(`/v2/weather/${turin}`);
    expect([answer.statusCode, answer.body, answer.headers['content-encoding']]).toEqual([200, body, undefined]);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'private, no-cache',
      vary: 'Accept-Encoding',
      etag,
    });
    expect(passed).toEqual([
      ['weather', { lat: 45.07, lng: 7.69 }, 'http://rainbell.test'],
      ['remember', `/v2/weather/${turin}`, '45.1,7.7'],
    ]);
    const zipped = await get(`/v2/weather/${turin}`, { 'accept-encoding': 'gzip' });
    expect(zipped.headers['content-encoding']).toBe('gzip');
  });

  it('answers 304 to a client that has it', async () => {
    const { get, etag } = start();
    const answer = await get(`/v2/weather/${turin}`, { 'if-none-match': etag });
    expect([answer.statusCode, answer.body, answer.headers['etag']]).toEqual([304, '', etag]);
  });

  it('requires a token and a place, after faults', async () => {
    const { get, server, passed } = start();
    expect((await server.inject({ url: `/v2/weather/${turin}` })).json()).toMatchObject({
      message: 'A token is missing.',
    });
    expect((await get('/v2/weather/')).json()).toMatchObject({ message: expect.stringContaining('location_lat') });
    expect((await server.inject({ url: '/v2/weather/', headers: { 'x-fault': '1' } })).json()).toMatchObject({
      message: 'A fault is on.',
    });
    expect(passed).toEqual([]);
  });
});

describe('GET /v2/nowcast/', () => {
  const meta = { step_minutes: 5, now: '2026-11-21T06:00:30' };

  it('answers with the radar’s steps', async () => {
    const steps = [
      { from: now - 30_000, mmPerHour: 0.4 },
      { from: now + 270_000, mmPerHour: null },
    ];
    const { get, passed } = start({ source: 'radar', updatedAt: now - 60_000, steps });
    expect((await get(`/v2/nowcast/${turin}`)).json()).toEqual({
      objects: [
        { timestamp: '2026-11-21T06:00:00', precipitation_rate: 0.4 },
        { timestamp: '2026-11-21T06:05:00', precipitation_rate: null },
      ],
      meta: { ...meta, source: 'radar', updated_at: '2026-11-21T05:59:30' },
    });
    expect(passed).toEqual([['minutes', { lat: 45.07, lng: 7.69 }]]);
  });

  it('answers with nothing without radar, or without its time', async () => {
    expect((await start().get(`/v2/nowcast/${turin}`)).json()).toEqual({
      objects: [],
      meta: { ...meta, source: null, updated_at: null },
    });
    const undated = start({ source: 'radar', updatedAt: undefined, steps: [] });
    expect((await undated.get(`/v2/nowcast/${turin}`)).json()).toMatchObject({
      meta: { source: 'radar', updated_at: null },
    });
  });

  it('requires a token and a place', async () => {
    const { server, get } = start();
    expect((await server.inject({ url: `/v2/nowcast/${turin}` })).json()).toMatchObject({
      message: 'A token is missing.',
    });
    expect((await get('/v2/nowcast/')).json()).toMatchObject({ message: expect.stringContaining('location_lat') });
  });
});
