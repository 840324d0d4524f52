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
  it('asks for JSON, is conditional only if the stored copy has a date, and names the given agent', async () => {
    const headers: unknown[] = [];
    const { address, http } = await start((request, response) => {
      const { accept, 'user-agent': agent } = request.headers;
      headers.push([accept, agent, request.headers['if-modified-since']]);
      response.end('[]');
    });
    await http.fetchJson('met', address);
    await http.fetchDocument('met', address, { userAgent: 'Rainbell contact', lastModified: 'then' });
    expect(headers).toEqual([
      ['application/json', 'Rainbell/test', undefined],
      ['application/json', 'Rainbell contact', 'then'],
    ]);
  });
});

describe('a response', () => {
  const text = '{"weather":"☔"}';

  it.each([
    [undefined, 200, Buffer.from(text)],
    ['identity', 203, Buffer.from(text)],
    [' GZip ', 200, gzipSync(`\uFEFF${text}`)],
  ])(
    'in the encoding %j with status %i is read, whatever its chunks, and may start with a byte order mark',
    async (encoding, status, bytes) => {
      const { address, http } = await start((request, response) => {
        expect(request.headers['accept-encoding']).toBe('gzip');
        response.statusCode = status;
        if (encoding !== undefined) response.setHeader('content-encoding', encoding);
        for (const byte of bytes) response.write(Buffer.of(byte));
        response.end();
      });
      expect(await http.fetchJson('met', address)).toEqual({ weather: '☔' });
    },
  );

  it.each([
    ['br', 'its response has an unsupported encoding'],
    ['gzip, br', 'its response has an unsupported encoding'],
    ['gzip', 'its response cannot be decompressed'],
  ])('in the encoding %s that it should not have, or does not have, is a failure', async (encoding, message) => {
    const { address, http } = await start((_request, response) =>
      response.setHeader('content-encoding', encoding).end(text),
    );
    await expect(http.fetchJson('met', address)).rejects.toMatchObject({
      message,
      provider: 'met',
      isOfNetwork: false,
    });
  });

  it.each([
    [1, 2_000_000, '2 MB'],
    [3, 2_080_000, '2.08 MB'],
  ])('for %i places has at most %i bytes, plain and unpacked', async (places, bytes, said) => {
    const { address, http } = await start((request, response) => {
      const [, encoding, length] = (request.url ?? '').split('/');
      const body = JSON.stringify('x'.repeat(Number(length) - 2));
      if (encoding === 'gzip') response.setHeader('content-encoding', 'gzip').end(gzipSync(body));
      else response.end(body);
    });
    for (const encoding of ['plain', 'gzip']) {
      const ask = (length: number) => http.fetchJson('met', new URL(`/${encoding}/${length}`, address), places);
      expect(await ask(bytes)).toHaveLength(bytes - 2);
      await expect(ask(bytes + 1)).rejects.toThrow(`its response is larger than ${said}`);
    }
  });

  it('that asks for patience says how long', async () => {
    const { address, http } = await start((_request, response) => {
      response.setHeader('date', 'Tue, 15 Nov 2022 09:00:00 GMT');
      response.writeHead(429, { 'retry-after': 'Tue, 15 Nov 2022 09:02:00 GMT' }).end('{"reason":"too many"}');
    });
    const failure = { message: 'it returned 429: too many', status: 429, retryAfterSeconds: 120 };
    await expect(http.fetchJson('met', address)).rejects.toMatchObject(failure);
  });

  it('has nothing with 204, and no news with 304', async () => {
    const { address, http } = await start((request, response) =>
      response.writeHead(Number(request.url?.slice(1)), { 'content-encoding': 'zip' }).end(),
    );
    const nothing = { isNew: true, body: undefined, lastModified: undefined, lifetimeMs: undefined };
    expect(await http.fetchDocument('met', new URL('/204', address), {})).toEqual(nothing);
    expect(await http.fetchJson('met', new URL('/304', address))).toBeUndefined();
  });

  it('has its date and a lifetime, by its own date or our clock, even if a header is repeated', async () => {
    const { address, http } = await start((request, response) => {
      response.sendDate = false;
      if (request.url === '/dated') response.setHeader('date', 'Sat, 21 Nov 2026 05:59:00 GMT');
      response.setHeader('expires', ['Sat, 21 Nov 2026 06:10:00 GMT', 'never']);
      response.setHeader('last-modified', ['then', 'now']).end('{}');
    });
    const document = { isNew: true, body: {}, lastModified: 'then' };
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
    [200, '<html>', 'its response is not JSON'],
  ])('with status %d is a failure', async (status, body, message) => {
    const { address, http } = await start((_request, response) => response.writeHead(status).end(body));
    const expected = { status: status === 200 ? undefined : status, retryAfterSeconds: undefined, isOfNetwork: false };
    await expect(http.fetchJson('met', address)).rejects.toMatchObject({
      name: 'ProviderFailure',
      provider: 'met',
      message,
      ...expected,
    });
  });
});

describe('a request without a response', () => {
  it('is a failure of the network, which does not name the URL', async () => {
    const { address, http } = await start((_request, response) => response.socket?.destroy());
    for (const [url, code] of [
      [new URL(`${nowhere}/?apikey=secret`), 'ECONNREFUSED'],
      [address, 'UND_ERR_SOCKET'],
    ] as const) {
      await expect(http.fetchJson('met', url)).rejects.toMatchObject({
        name: 'ProviderFailure',
        provider: 'met',
        message: `it could not be reached (${code})`,
        isOfNetwork: true,
      });
    }
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
