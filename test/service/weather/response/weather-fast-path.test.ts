// The fast path of weather requests: which it answers, with which headers, and when it counts them.
import { createServer, type IncomingHttpHeaders, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LatLng } from '#contract/service-api/geo.ts';
import { createWeatherFastPath } from '#service/weather/response/weather-fast-path.ts';
import { createWeatherResponse } from '#service/weather/response/weather-response.ts';

const body = '{"objects":[],"meta":{}}';
const weather = createWeatherResponse(body);
const zipped = createWeatherResponse(body);
const [plainPlace, zippedPlace, emptyPlace] = [
  { lat: 45, lng: 7 },
  { lat: 46, lng: 7 },
  { lat: 47, lng: 7 },
];
const responses = new Map([
  [plainPlace, weather],
  [zippedPlace, zipped],
]);
let counted: string[] = [];
const fastPath = createWeatherFastPath({
  peekResponse: (place: LatLng) => responses.get(place),
  countRequest(token) {
    counted.push(token);
    return token === 'good' ? { 'x-ratelimit-remaining': '7' } : undefined;
  },
  corsHeaders: { 'access-control-allow-origin': '*' },
});
const server = createServer((request, response) => {
  if (!fastPath.respond(request, response)) response.writeHead(299).end();
});

beforeAll(async () => {
  await zipped.bytes('gzip');
  fastPath.remember('/plain', plainPlace);
  fastPath.remember('/zipped', zippedPlace);
  fastPath.remember('/empty', emptyPlace);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise((resolve) => void server.close(resolve)));

type Answer = { status: number | undefined; headers: IncomingHttpHeaders; bytes: Buffer };
function send(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  counted = [];
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(45_000);
    const all = { authorization: 'Bearer good', ...headers };
    httpRequest({ port, path, method, agent: false, headers: all, signal }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const { date: _, connection: _c, ...others } = response.headers;
        resolve({ status: response.statusCode, headers: others, bytes: Buffer.concat(chunks) });
      });
    })
      .on('error', reject)
      .end();
  });
}

const common = {
  'cache-control': 'private, no-cache',
  etag: weather.etag,
  vary: 'Accept-Encoding',
  'access-control-allow-origin': '*',
  'x-ratelimit-remaining': '7',
};
const full = { ...common, 'content-type': 'application/json; charset=utf-8' };

describe('the fast path', () => {
  it('sends the response with its headers, and counts the request once', async () => {
    const answer = await send('/plain');
    expect([answer.status, answer.bytes.toString(), counted]).toEqual([200, body, ['good']]);
    expect(answer.headers).toEqual({ ...full, 'content-length': String(body.length) });
  });

  it('sends the response compressed if it is so already', async () => {
    for (const _each of [1, 2]) {
      const { status, headers, bytes } = await send('/zipped', { 'accept-encoding': 'gzip' });
      expect([status, gunzipSync(bytes).toString()]).toEqual([200, body]);
      expect(headers).toEqual({ ...full, 'content-encoding': 'gzip', 'content-length': String(bytes.length) });
    }
  });

  it('sends 304 to a client that has the response, whatever it accepts', async () => {
    for (const encoding of ['identity', 'br']) {
      const answer = await send('/plain', { 'if-none-match': weather.etag, 'accept-encoding': encoding });
      expect([answer.status, answer.bytes.length, counted]).toEqual([304, 0, ['good']]);
      expect(answer.headers).toEqual(common);
    }
  });

  it.each([
    ['a URL that it does not know', '/other', {}],
    ['a cell without a response', '/empty', {}],
    ['an encoding that is not ready', '/plain', { 'accept-encoding': 'br' }],
    ['another scheme', '/plain', { authorization: 'Basic good' }],
    ['another form of the scheme', '/plain', { authorization: 'bearer good' }],
  ])('leaves to the route, without counting it: %s', async (_name, path, headers) => {
    expect([(await send(path, headers)).status, counted]).toEqual([299, []]);
  });

  it('leaves other methods to the route', async () => {
    for (const method of ['HEAD', 'POST', 'OPTIONS']) {
      expect([(await send('/plain', {}, method)).status, counted]).toEqual([299, []]);
    }
  });

  it('leaves a token that is not counted to the route', async () => {
    expect([(await send('/plain', { authorization: 'Bearer bad' })).status, counted]).toEqual([299, ['bad']]);
  });

  it('remembers URLs of up to 200 characters', async () => {
    for (const [length, status] of [
      [200, 200],
      [201, 299],
    ] as const) {
      const path = `/${'x'.repeat(length - 1)}`;
      fastPath.remember(path, plainPlace);
      expect((await send(path)).status).toBe(status);
    }
  });
});
