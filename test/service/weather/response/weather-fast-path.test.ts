// The fast path of weather requests: which it answers, and when it counts them. What it sends is what the route sends
// (weather-response.test.ts).
import type { IncomingMessage, ServerResponse } from 'node:http';
import Fastify from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createWeatherFastPath } from '#service/weather/response/weather-fast-path.ts';
import { createWeatherResponse } from '#service/weather/response/weather-response.ts';
import { systemClock } from '#shared/time/clock.ts';
import type { Weather } from '#service/weather/weather.ts';
import { registerWeatherRoutes } from '#service/weather/weather-routes.ts';

const [plain, empty] = [
  { lat: 45, lng: 7 },
  { lat: 47, lng: 7 },
];
const weather = createWeatherResponse('{"objects":[],"meta":{}}');

function start() {
  const counted: string[] = [];
  const fastPath = createWeatherFastPath({
    peekResponse: (place) => (place === plain ? weather : undefined),
    countRequest(token) {
      if (token !== 'good') return undefined;
      counted.push(token);
      return { 'x-ratelimit-remaining': '7' };
    },
    corsHeaders: {},
  });
  fastPath.remember('/plain', plain);
  fastPath.remember('/empty', empty);
  /** Returns what was sent; undefined if it is left to the route. */
  const send = (url: string, headers: Record<string, string> = {}, method = 'GET') => {
    const sent: unknown[] = [];
    const response = { writeHead: (...head: unknown[]) => sent.push(...head), end: () => {} };
    const request = { url, method, headers: { authorization: 'Bearer good', ...headers } };
    const isSent = fastPath.respond(request as unknown as IncomingMessage, response as unknown as ServerResponse);
    return isSent ? sent : undefined;
  };
  return { counted, fastPath, send };
}

describe('the fast path', () => {
  it('sends the response, or 304 to a client that has it, whatever that accepts, and counts each once', () => {
    const { send, counted } = start();
    const isLimited = expect.objectContaining({ 'x-ratelimit-remaining': '7' }) as unknown;
    expect(send('/plain')).toEqual([200, isLimited]);
    expect(send('/plain', { 'if-none-match': weather.etag, 'accept-encoding': 'br' })).toEqual([304, isLimited]);
    expect(counted).toEqual(['good', 'good']);
  });

  it.each([
    ['a URL that it does not know', '/other', {}, 'GET'],
    ['a cell without a response', '/empty', {}, 'GET'],
    ['an encoding that is not ready', '/plain', { 'accept-encoding': 'br' }, 'GET'],
    ['another scheme', '/plain', { authorization: 'Basic good' }, 'GET'],
    ['another form of the scheme', '/plain', { authorization: 'bearer good' }, 'GET'],
    ['another method', '/plain', {}, 'HEAD'],
    ['a token that is not counted', '/plain', { authorization: 'Bearer bad' }, 'GET'],
  ])('leaves to the route, without counting it: %s', (_name, path, headers, method) => {
    const { send, counted } = start();
    expect([send(path, headers, method), counted]).toEqual([undefined, []]);
  });

  it('remembers URLs of up to 200 characters', () => {
    const { fastPath, send } = start();
    const urls = [200, 201].map((length) => '/'.padEnd(length, 'x'));
    for (const url of urls) fastPath.remember(url, plain);
    expect(urls.map((url) => send(url) !== undefined)).toEqual([true, false]);
  });

  it('learns from the route which place a URL has', async () => {
    const { fastPath, send } = start();
    const server = Fastify();
    onTestFinished(() => server.close());
    registerWeatherRoutes(server, {
      weather: { responseAt: async () => weather } as Partial<Weather> as Weather,
      clock: systemClock,
      requireBearer: async () => {},
      baseUrl: 'http://rainbell.test',
      faults: { hook: async () => {} },
      fastPath: { remember: (url, { lat, lng }) => fastPath.remember(url, lat === 45 && lng === 7 ? plain : empty) },
    });
    const url = '/v2/weather/?location_lat=45&location_lng=7';
    expect([send(url), (await server.inject(url)).statusCode]).toEqual([undefined, 200]);
    expect(send(url)).toBeDefined();
  });
});
