// How we speak HTTP to weather providers: packed bodies, limits, conditional requests, and what they ask of us.
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createProviderHttp } from '#service/weather/fetch/provider-http.ts';
import { parseHttpDate } from '#contract/service-api/http-date.ts';
import { ProviderFailure } from '#service/weather/reading/reading.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { serveWeatherOf } from './weather-harness.ts';

async function httpTo(listener: Parameters<typeof serveWeatherOf>[0]) {
  const address = new URL(await serveWeatherOf(listener));
  const http = createProviderHttp({ userAgent: 'Rainbell/test', clock: createManualClock() });
  onTestFinished(() => http.close());
  return {
    json: () => http.fetchJson('tester', address),
    document: (validators = {}) => http.fetchDocument('tester', address, { validators }),
  };
}

describe('a request to a provider', () => {
  it('identifies itself, accepts gzip, and reads compressed responses', async () => {
    const { json } = await httpTo((request, response) => {
      expect(request.headers['user-agent']).toBe('Rainbell/test');
      expect(request.headers['accept-encoding']).toBe('gzip');
      response.setHeader('content-encoding', 'gzip').end(gzipSync('{"packed":true}'));
    });
    expect(await json()).toEqual({ packed: true });
  });

  it('reads No Content as nothing', async () => {
    const { json } = await httpTo((_request, response) => response.writeHead(204).end());
    expect(await json()).toBeUndefined();
  });

  it('reads JSON behind a byte order mark', async () => {
    const { json } = await httpTo((_request, response) => response.end('\uFEFF{"a":1}'));
    expect(await json()).toEqual({ a: 1 });
  });

  it('stops unpacking a bomb', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, 32));
    const { json } = await httpTo((_request, response) => response.setHeader('content-encoding', 'gzip').end(bomb));
    await expect(json()).rejects.toThrow('its response is larger than 2 MB');
  });

  it('names an unknown compression, and a body that is broken', async () => {
    const unknown = await httpTo((_request, response) => response.setHeader('content-encoding', 'zip').end('x'));
    await expect(unknown.json()).rejects.toThrow('unsupported encoding');
    const broken = await httpTo((_request, response) => response.setHeader('content-encoding', 'gzip').end('{}'));
    await expect(broken.json()).rejects.toBeInstanceOf(ProviderFailure);
  });

  it('asks whether anything is new with exactly what it was given', async () => {
    const lastModified = 'Tue, 15 Nov 2022 08:12:31 GMT';
    const { document } = await httpTo((request, response) => {
      const isHeld =
        request.headers['if-modified-since'] === lastModified && request.headers['if-none-match'] === '"a"';
      response.setHeader('date', 'Tue, 15 Nov 2022 09:00:00 GMT').setHeader('expires', 'Tue, 15 Nov 2022 09:30:00 GMT');
      response.setHeader('last-modified', lastModified).setHeader('etag', '"a"');
      response.writeHead(isHeld ? 304 : 200, { 'content-encoding': isHeld ? 'gzip' : 'identity' });
      response.end(isHeld ? '' : '{}');
    });
    const first = await document();
    expect(first).toEqual({
      isNew: true,
      body: {},
      validators: { lastModified, etag: '"a"' },
      lifetimeMs: 30 * 60_000,
    });
    expect(await document({ lastModified, etag: '"a"' })).toEqual({ isNew: false, lifetimeMs: 30 * 60_000 });
  });

  it.each([
    ['30', 30],
    ['Tue, 15 Nov 2022 09:02:00 GMT', 120],
    ['Tue, 15 Nov 2022 08:00:00 GMT', 0],
    ['soon', undefined],
  ])('reads Retry-After: %s', async (retryAfter, seconds) => {
    const { json } = await httpTo((_request, response) => {
      response.setHeader('date', 'Tue, 15 Nov 2022 09:00:00 GMT');
      response.writeHead(429, { 'retry-after': retryAfter }).end('{"reason":"too many"}');
    });
    const failure = await json().catch((error: unknown) => error);
    expect(failure).toMatchObject({ message: 'it returned 429: too many', status: 429, retryAfterSeconds: seconds });
  });
});

describe('a date of HTTP', () => {
  it('is read in its one form, and nothing else is', () => {
    expect(parseHttpDate('Sun, 06 Nov 1994 08:49:37 GMT')).toBe(Date.parse('1994-11-06T08:49:37Z'));
    for (const text of [undefined, '', '0', 'Sun, 06 Abc 1994 08:49:37 GMT', '1994-11-06T08:49:37Z']) {
      expect(parseHttpDate(text)).toBeUndefined();
    }
  });
});
