// The weather's route behind the fast path: what it tells that path, and its own 304, which is that of a URL the path does not know.
import Fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import type { Weather } from '#service/weather/weather.ts';
import { createWeatherResponse } from '#service/weather/response/weather-response.ts';
import { registerWeatherRoutes } from '#service/weather/weather-routes.ts';

it('answers, gives the fast path the URL and its place, and answers 304 to a client that has the response', async () => {
  const server = Fastify();
  onTestFinished(() => server.close());
  const response = createWeatherResponse('{"objects":[],"meta":{}}');
  const remembered: unknown[][] = [];
  registerWeatherRoutes(server, {
    weather: { responseAt: async () => response } as Partial<Weather> as Weather,
    requireBearer: async () => {},
    baseUrl: 'http://rainbell.test',
    faults: { hook: async () => {} },
    fastPath: { remember: (...known) => void remembered.push(known) },
  });
  const url = '/v2/weather/?location_lat=45.07&location_lng=7.69';
  const first = await server.inject(url);
  expect([first.statusCode, first.body]).toEqual([200, '{"objects":[],"meta":{}}']);
  expect(remembered).toEqual([[url, { lat: 45.07, lng: 7.69 }]]);
  const again = await server.inject({ url, headers: { 'if-none-match': response.etag } });
  expect([again.statusCode, again.body, again.headers['etag']]).toEqual([304, '', response.etag]);
});
