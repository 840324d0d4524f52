// What the app says when there is no answer, or one that it cannot take, and when a socket was looked up, connected, and secured.
import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { statusFailure } from '#core/http/status-failure.ts';
import { networkFailure } from '#core/http/network-failure.ts';
import {
  createHttpSender,
  httpLimits,
  type HttpLimits,
  type HttpSender,
  type ObservedRequest,
} from '#core/http/http-sender.ts';
import { responseDouble } from '../connection-double.ts';
import { testJsonReader } from '../core-harness.ts';
import { startFakeService } from '../fake-service.ts';
import { createManualClock } from '../manual-clock.ts';
import { listen } from '#test/setup/listen.ts';
import { startTlsHost } from '#test/stories/tls-host.ts';

type SenderOptions = Parameters<typeof createHttpSender>[0];

function sender(limits: Partial<HttpLimits> = {}, clock = systemClock, more: Partial<SenderOptions> = {}): HttpSender {
  const http = createHttpSender({ clock, limits: { ...httpLimits, ...limits }, json: testJsonReader(), ...more });
  onTestFinished(() => http.close());
  return http;
}

/** A server that writes these bytes for any request, and keeps the connection open. */
async function rawServer(bytes: string): Promise<{ url: string; connected: Promise<unknown> }> {
  const connected = Promise.withResolvers<void>();
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      connected.resolve();
      socket.write(bytes);
    });
  });
  return { url: `http://127.0.0.1:${await listen(server)}/`, connected: connected.promise };
}

describe('a request', () => {
  test('brings the headers in order and with duplicates, and decodes the body', async () => {
    const { url } = await rawServer(
      'HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nX-One: 1\r\nSet-Cookie: b=2\r\nContent-Length: 2\r\n\r\nhi',
    );
    const response = await sender().send({ method: 'GET', url, headers: [] });
    expect(response.headers).toEqual([
      ['Set-Cookie', 'a=1'],
      ['X-One', '1'],
      ['Set-Cookie', 'b=2'],
      ['Content-Length', '2'],
    ]);
    expect(response.body.toString()).toBe('hi');
  });

  test('reads a gzip body, and stops at one that grows beyond the limit', async () => {
    const service = await startFakeService({
      'GET /small': () => ({ headers: { 'content-encoding': 'gzip' }, body: gzipSync('small') }),
      'GET /bomb': () => ({ headers: { 'content-encoding': 'gzip' }, body: gzipSync('x'.repeat(200_000)) }),
    });
    const http = sender();
    const small = await http.send({ method: 'GET', url: `${service.baseUrl}/small`, headers: [] });
    expect(small.body.toString()).toBe('small');
    const limit = { what: 'a forecast', bytes: 100 * 1024, items: 500 };
    const bomb = http.send({ method: 'GET', url: `${service.baseUrl}/bomb`, headers: [], limit });
    await expect(bomb).rejects.toMatchObject({
      code: 'PROTOCOL',
      message: expect.stringContaining('more than 100 KB for a forecast'),
    });
  });

  test('ends at the total time limit although bytes keep coming', async () => {
    const clock = createManualClock();
    const { url, connected } = await rawServer('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nsome');
    const answer = sender({ totalMs: 3000 }, clock).send({ method: 'GET', url, headers: [] });
    const failure = answer.catch((reason: unknown) => reason);
    await connected;
    clock.advance(3001);
    expect(await failure).toMatchObject({
      code: 'NETWORK',
      message: expect.stringContaining('did not respond within 3 seconds'),
    });
  });

  test('to a host that never finishes a TLS handshake ends at the time limit of connections', async () => {
    const { url } = await rawServer('');
    const answer = sender({ connectMs: 100 }).send({ method: 'GET', url: url.replace('http:', 'https:'), headers: [] });
    await expect(answer).rejects.toMatchObject({
      message: expect.stringContaining('could not be reached (ETIMEDOUT)'),
    });
  });

  test('to something that is not HTTP says so', async () => {
    const { url } = await rawServer('220 mail.example ESMTP\r\n');
    await expect(sender().send({ method: 'GET', url, headers: [] })).rejects.toMatchObject({
      code: 'NETWORK',
      message: expect.stringContaining('not HTTP'),
    });
  });

  test('does not follow a redirect, which would carry the token elsewhere', async () => {
    const service = await startFakeService({
      'GET /a': () => ({ status: 302, headers: { location: '/b' } }),
    });
    const response = await sender().send({ method: 'GET', url: `${service.baseUrl}/a`, headers: [] });
    expect(service.seen.map((request) => request.url)).toEqual(['/a']);
    expect(statusFailure(response)).toMatchObject({ code: 'PROTOCOL' });
  });
});

describe('the steps of a connection, for the traffic log', () => {
  function observed(caPem: string | null = null) {
    const seen: ObservedRequest[] = [];
    const observe = (one: ObservedRequest) => seen.push(one);
    const http = sender({}, systemClock, { transport: { caPem, proxyUrl: null }, observe });
    return { seen, get: (url: string) => http.send({ method: 'GET', url, headers: [] }) };
  }

  test('the first request to a name reports lookup and connection; a reused connection has no such steps', async () => {
    const service = await startFakeService({ 'GET /': () => ({ body: 'x' }) });
    const { seen, get } = observed();
    const url = `${service.baseUrl.replace('127.0.0.1', 'localhost')}/`;
    for (let count = 0; count < 4; count += 1) {
      // One after the other; the pool may open a second socket while the first is not yet free again.
      await get(url);
    }
    const [first, ...later] = seen.map(({ steps }) => steps);
    expect(first?.lookedUpMs).toBeGreaterThanOrEqual(0);
    expect(first?.connectedMs).toBeGreaterThanOrEqual(first?.lookedUpMs ?? Infinity);
    expect(first?.securedMs).toBeNull();
    expect(later).toContainEqual({ lookedUpMs: null, connectedMs: null, securedMs: null });
  });

  test('over TLS the handshake has its own step, even if it fails', async () => {
    const { baseUrl, caPem } = await startTlsHost((_request, response) => response.end('x'));
    const trusting = observed(caPem);
    await trusting.get(`${baseUrl}/`);
    const steps = trusting.seen[0]?.steps;
    expect(steps?.connectedMs).not.toBeNull();
    expect(steps?.securedMs).toBeGreaterThanOrEqual(steps?.connectedMs ?? Infinity);
    const doubting = observed();
    await expect(doubting.get(`${baseUrl}/`)).rejects.toMatchObject({ code: 'NETWORK' });
    expect(doubting.seen[0]?.steps.connectedMs).not.toBeNull();
  });
});

describe('an error status', () => {
  test.each([
    [401, 'ACCESS_REFUSED'],
    [403, 'ACCESS_REFUSED'],
    [404, 'NOT_FOUND'],
    [410, 'NOT_FOUND'],
    [409, 'REFUSED'],
    [400, 'REFUSED'],
    [500, 'SERVER'],
    [503, 'SERVER'],
  ])('%i is reported as %s', (status, code) => {
    const failure = statusFailure(responseDouble({ status, value: { error: 'x', error_description: 'Because.' } }));
    expect(failure).toMatchObject({ code, details: { httpStatus: status, error: 'x' } });
    expect(failure?.message).toContain('“Because”');
  });

  const date = 'Sun, 06 Nov 1994 08:49:37 GMT';
  test.each([
    ['17', 17],
    [' 17 ', 17],
    ['Sun, 06 Nov 1994 08:49:57 GMT', 20],
    ['1.5', undefined],
    ['-1', undefined],
    ['1994-11-06T08:49:57Z', undefined],
    ['soon', undefined],
  ])('429 with Retry-After “%s” says to wait %s s', (retryAfter, retryAfterSeconds) => {
    const response = responseDouble({
      status: 429,
      headers: [
        ['retry-after', retryAfter],
        ['date', date],
      ],
    });
    expect(statusFailure(response)).toMatchObject({ code: 'RATE_LIMITED', details: { retryAfterSeconds } });
  });
});

describe('a network error', () => {
  test.each([
    ['ECONNREFUSED', 'Nothing is responding at weather.example.test'],
    ['ENOTFOUND', 'could not be resolved'],
    ['EHOSTUNREACH', 'could not be reached (EHOSTUNREACH)'],
    ['EPIPE', 'closed the connection before its response was complete'],
    ['CERT_SIGNATURE_FAILURE', 'certificate could not be verified (CERT_SIGNATURE_FAILURE)'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate could not be verified (UNABLE_TO_VERIFY_LEAF_SIGNATURE)'],
    // Node's code for https: at a port that has only HTTP.
    ['EPROTO', 'If it has no HTTPS, use http:// in the URL.'],
    ['HPE_INVALID_CONSTANT', 'is not HTTP'],
    ['EMFILE', 'The request to weather.example.test failed (EMFILE)'],
  ])('%s is named', (code, words) => {
    const error = Object.assign(new Error('failed'), { code });
    expect(networkFailure(error, 'https://weather.example.test/v2/', undefined).message).toContain(words);
  });
});
