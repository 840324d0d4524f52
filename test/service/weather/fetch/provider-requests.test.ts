// Requests to providers over HTTP: what is sent, and which responses are failures.
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createProviderHttp } from '#service/weather/fetch/provider-http.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { nowhere, serveWeatherOf } from '#test/service/weather/weather-harness.ts';

const now = Date.parse('2026-11-21T06:00:00Z');

function openHttp() {
  const http = createProviderHttp({ userAgent: 'Rainbell/test', clock: createManualClock(now) });
  onTestFinished(() => http.close());
  return http;
}

async function start(listener: Parameters<typeof serveWeatherOf>[0]) {
  const address = new URL(await serveWeatherOf(listener));
  return { address, http: openHttp() };
}

describe('a request', () => {
  it('asks for JSON, is conditional only with validators, and names the given agent', async () => {
    const headers: unknown[] = [];
    const { address, http } = await start((request, response) => {
      const { accept, 'user-agent': agent } = request.headers;
      headers.push([accept, agent, request.headers['if-modified-since'], request.headers['if-none-match']]);
      response.end('[]');
    });
    await http.fetchJson('met', address);
    await http.fetchDocument('met', address, { userAgent: 'Rainbell contact', validators: { lastModified: 'then' } });
    await http.fetchDocument('met', address, { validators: { etag: '"a"' } });
    expect(headers).toEqual([
      ['application/json', 'Rainbell/test', undefined, undefined],
      ['application/json', 'Rainbell contact', 'then', undefined],
      ['application/json', 'Rainbell/test', undefined, '"a"'],
    ]);
  });

  it('for more places may have a larger response', async () => {
    const { address, http } = await start((_request, response) => response.end(JSON.stringify('x'.repeat(2_030_000))));
    await expect(http.fetchJson('met', address, 2)).resolves.toHaveLength(2_030_000);
    await expect(http.fetchJson('met', address)).rejects.toThrow('2 MB');
    const documents = [http.fetchDocument('met', address, { places: 2 }), http.fetchDocument('met', address, {})];
    expect((await Promise.allSettled(documents)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });
});

describe('a response', () => {
  it('may be compressed, and start with a byte order mark', async () => {
    const { address, http } = await start((request, response) => {
      expect(request.headers['accept-encoding']).toBe('gzip');
      response.setHeader('content-encoding', 'gzip').end(gzipSync('\uFEFF{"a":1}'));
    });
    expect(await http.fetchJson('met', address)).toEqual({ a: 1 });
  });

  it('without news has no body, whatever its encoding', async () => {
    const { address, http } = await start((_request, response) =>
      response.writeHead(304, { 'content-encoding': 'gzip', expires: 'Sat, 21 Nov 2026 06:10:00 GMT' }).end(),
    );
    expect(await http.fetchDocument('met', address, { validators: { etag: '"a"' } })).toMatchObject({ isNew: false });
  });

  it('that asks for patience says how long', async () => {
    const { address, http } = await start((_request, response) => {
      response.setHeader('date', 'Tue, 15 Nov 2022 09:00:00 GMT');
      response.writeHead(429, { 'retry-after': 'Tue, 15 Nov 2022 09:02:00 GMT' }).end('{"reason":"too many"}');
    });
    const failure = { message: 'it returned 429: too many', status: 429, retryAfterSeconds: 120 };
    await expect(http.fetchJson('met', address)).rejects.toMatchObject(failure);
  });

  it('is read with status 203 too, and has nothing with 204', async () => {
    const { address, http } = await start((request, response) =>
      response.writeHead(Number(request.url?.slice(1)), { 'content-encoding': 'zip' }).end(),
    );
    expect(await http.fetchDocument('met', new URL('/204', address), {})).toEqual({
      isNew: true,
      body: undefined,
      validators: {},
      lifetimeMs: undefined,
    });
    expect(await http.fetchJson('met', new URL('/304', address))).toBeUndefined();
    const other = await start((_request, response) => response.writeHead(203).end('{"ok":true}'));
    expect(await other.http.fetchJson('met', other.address)).toEqual({ ok: true });
  });

  it('has validators and a lifetime, by its own date or our clock, even if a header is repeated', async () => {
    const { address, http } = await start((request, response) => {
      response.sendDate = false;
      if (request.url === '/dated') response.setHeader('date', 'Sat, 21 Nov 2026 05:59:00 GMT');
      response.setHeader('expires', ['Sat, 21 Nov 2026 06:10:00 GMT', 'never']);
      response.setHeader('etag', ['"a"', '"b"']).end('{}');
    });
    const document = { isNew: true, body: {}, validators: { etag: '"a"' } };
    expect(await http.fetchDocument('met', address, {})).toEqual({ ...document, lifetimeMs: 600_000 });
    expect(await http.fetchDocument('met', new URL('/dated', address), {})).toEqual({
      ...document,
      lifetimeMs: 660_000,
    });
  });

  it.each([
    [404, 'not found', 'it returned 404'],
    [500, '{"error":true,"reason" : "too busy"}', 'it returned 500: too busy'],
    [302, `{"reason":"${'x'.repeat(200)}"}`, `it returned 302: ${'x'.repeat(200)}`],
    [400, `{"reason":"${'x'.repeat(201)}"}`, 'it returned 400'],
    [400, '{"reason":""}', 'it returned 400'],
  ])('with status %d is a failure', async (status, body, message) => {
    const { address, http } = await start((_request, response) => response.writeHead(status).end(body));
    await expect(http.fetchJson('met', address)).rejects.toMatchObject({
      name: 'ProviderFailure',
      provider: 'met',
      message,
      status,
      retryAfterSeconds: undefined,
      isOfNetwork: false,
    });
  });

  it('that is not JSON is a failure', async () => {
    const { address, http } = await start((_request, response) => response.end('<html>'));
    await expect(http.fetchJson('met', address)).rejects.toMatchObject({
      name: 'ProviderFailure',
      provider: 'met',
      message: 'its response is not JSON',
      cause: expect.any(SyntaxError),
      isOfNetwork: false,
    });
  });
});

describe('a request without a response', () => {
  it('is a failure of the network, which does not name the URL', async () => {
    const failure = {
      name: 'ProviderFailure',
      provider: 'met',
      message: 'it could not be reached (ECONNREFUSED)',
      isOfNetwork: true,
      cause: expect.objectContaining({ code: 'ECONNREFUSED' }),
    };
    await expect(openHttp().fetchJson('met', new URL(`${nowhere}/?apikey=secret`))).rejects.toMatchObject(failure);
    const { address, http } = await start((_request, response) => response.socket?.destroy());
    await expect(http.fetchJson('met', address)).rejects.toMatchObject({
      message: expect.stringMatching(/^it could not be reached \(UND_ERR_SOCKET\)$/),
      isOfNetwork: true,
    });
  });

  it('ends with the service, which sends no more', async () => {
    let reached = 0;
    const { address, http } = await start(() => void (reached += 1));
    await http.ready();
    const request = http.fetchJson('met', address).catch((error: unknown) => error);
    await expect.poll(() => reached).toBe(1);
    await http.close();
    expect(await request).toMatchObject({ provider: 'met', isOfNetwork: true });
    await expect(http.fetchJson('met', address)).rejects.toMatchObject({
      provider: 'met',
      message: 'the service is closing',
      isOfNetwork: true,
    });
    expect(reached).toBe(1);
  });
});
