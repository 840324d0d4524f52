// The weather route alone: how it is documented, what it answers, and what it passes on.
import Fastify from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { LatLng } from '#contract/service-api/geo.ts';
import { ServiceError } from '#service/errors/service-error.ts';
import { collectOperations } from '#service/http/operation.ts';
import type { Weather } from '#service/weather/create-weather.ts';
import { createWeatherResponse } from '#service/weather/response/weather-response.ts';
import { registerWeatherRoutes } from '#service/weather/weather-routes.ts';

const turin = '?location_lat=45.07&location_lng=7.69';
const body = '{"objects":[],"meta":{}}';

function start() {
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
    cellOf: () => 'the cell',
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
  const get = (path: string, headers: Record<string, string> = {}) =>
    server.inject({ url: path, headers: { authorization: 'Bearer any', ...headers } });
  return { server, operations, passed, etag: response.etag, get };
}

it('is documented', () => {
  const parameters = [
    { name: 'location_lat', in: 'query', example: '45.07' },
    { name: 'location_lng', in: 'query', example: '7.69' },
  ];
  const common = { method: 'get', group: 'Weather', access: 'bearer', isTriable: true, parameters };
  const [weather, ...others] = start().operations;
  expect(weather).toMatchObject({ ...common, id: 'get-weather', path: '/v2/weather/', hasEtag: true });
  expect(weather?.responses.map(({ status, schema }) => [status, schema?.safeParse(JSON.parse(body)).success])).toEqual(
    [[200, true]],
  );
  expect(others).toEqual([]);
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
      ['remember', `/v2/weather/${turin}`, 'the cell'],
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
