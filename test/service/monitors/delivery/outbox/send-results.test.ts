// What a callback is sent, and the result of each response and error (docs/delivery.md S3, S6, S8).
import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type CallbackGuard, forbiddenCode } from '#shared/network/callback-guard.ts';
import { productVersion, projectPage } from '#shared/project.ts';
import type { CallbackTransport } from '#service/monitors/delivery/callback-route.ts';
import { createCallbackSender } from '#service/monitors/delivery/send-callback.ts';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';

const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' };
const user = `Basic ${Buffer.from('rain:secret9931').toString('base64')}`;

type Options = { guard?: Partial<CallbackGuard>; transport?: CallbackTransport; times?: number[]; timeoutMs?: number };

/** By default, every name is this machine. */
function createSender({ guard = {}, times = [], timeoutMs = 5_000, ...rest }: Options = {}) {
  const sender = createCallbackSender({
    guard: {
      problem: async () => undefined,
      literalProblem: () => undefined,
      lookupFor: () => (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
      ...guard,
    },
    timeoutMs,
    connectionsPerHost: 2,
    elapsedMs: () => times.shift() ?? 0,
    ...rest,
  });
  onTestFinished(() => sender.close());
  return sender;
}

/** Fails as the lookup of the name or the connection would. */
const failWith = (error: Error) =>
  createSender({ guard: { lookupFor: () => (_name, _options, done) => done(error, '', 0) } }).send(
    'http://hooks.example/',
    '{}',
    headers,
  );
const coded = (code: string) => Object.assign(new Error('failed'), { code });

describe('a callback', () => {
  async function headersOf(authorization?: string): Promise<IncomingHttpHeaders> {
    const endpoint = await startCallbackEndpoint();
    await createSender().send(endpoint.url, '{"id":"ä"}', headers, authorization);
    expect(endpoint.received).toMatchObject([{ method: 'POST', path: '/rain', body: '{"id":"ä"}' }]);
    const { host: _host, connection: _connection, ...sent } = endpoint.received[0]!.headers;
    return sent;
  }
  const own = {
    ...headers,
    'content-type': 'application/json',
    'user-agent': `Rainbell/${productVersion} (+${projectPage})`,
    'rainbell-event': '1',
    'content-length': '11',
  };

  it('has its signature, and credentials only if there are some', async () => {
    expect(await headersOf()).toEqual(own);
    expect(await headersOf(user)).toEqual({ ...own, authorization: user });
  });
});

describe('the result of a response', () => {
  it.each([
    [200, null],
    [299, null],
    [300, 'http 300'],
    [404, 'http 404'],
    [500, 'http 500'],
  ])('with status %i', async (status, error) => {
    const endpoint = await startCallbackEndpoint((_callback, response) => void response.writeHead(status).end('text'));
    const result = await createSender({ times: [10, 52.6] }).send(endpoint.url, '{}', headers);
    expect(result).toEqual({ status, error, latencyMs: 43, answer: 'text', retryAfterSeconds: undefined });
  });

  it.each([
    ['0', 0],
    ['120', 120],
    ['999999', 999_999],
    ['1000000000', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['Wed, 21 Oct 2026 07:28:30 GMT', 30],
  ])('with Retry-After: %s', async (text, retryAfterSeconds) => {
    const endpoint = await startCallbackEndpoint(
      (_callback, response) =>
        void response.writeHead(503, { 'retry-after': text, date: 'Wed, 21 Oct 2026 07:28:00 GMT' }).end(),
    );
    expect(await createSender().send(endpoint.url, '{}', headers)).toMatchObject({ retryAfterSeconds });
  });

  it('is that of the response after interim ones, without NUL', async () => {
    const endpoint = await startCallbackEndpoint((_callback, response) => {
      response.writeEarlyHints({ link: '</a>; rel=preload', 'retry-after': '7' });
      response.writeHead(503).end('a\0b');
    });
    const result = await createSender().send(endpoint.url, '{}', headers);
    expect(result).toMatchObject({ status: 503, answer: 'a\uFFFDb', retryAfterSeconds: undefined });
  });

  it.each([
    [200, { status: 200, error: null, answer: 'part' }],
    [300, { status: null, error: 'reset' }],
    [500, { status: null, error: 'reset' }],
  ])('that breaks off after a %i counts only if it is a success', async (status, result) => {
    const endpoint = await startCallbackEndpoint((_callback, response) => {
      response.writeHead(status).write('part', () => response.destroy());
    });
    expect(await createSender().send(endpoint.url, '{}', headers)).toMatchObject(result);
  });

  it('is there once 64 KB of it were read, although it does not end', async () => {
    const endpoint = await startCallbackEndpoint((_callback, response) => {
      response.writeHead(500).write('x'.repeat(64 * 1024 + 1));
    });
    const result = await createSender({ timeoutMs: 60_000 }).send(endpoint.url, '{}', headers);
    expect(result).toMatchObject({ status: 500, answer: 'x'.repeat(2_048) });
  });

  it('of 404 that does not end in time is a timeout', async () => {
    const endpoint = await startCallbackEndpoint((_callback, response) => void response.writeHead(404).write('part'));
    const result = await createSender({ timeoutMs: 500 }).send(endpoint.url, '{}', headers);
    expect(result).toMatchObject({ status: null, error: 'timeout' });
  });

  it('does not repeat credentials', async () => {
    const endpoint = await startCallbackEndpoint((_callback, response) => void response.end('secret9931'));
    const sender = createSender();
    expect(await sender.send(endpoint.url, '{}', headers, user)).toMatchObject({ answer: '••••' });
    expect(await sender.send(endpoint.url, '{}', headers)).toMatchObject({ answer: 'secret9931' });
  });
});

describe('the result of an attempt without a response', () => {
  it.each([
    [forbiddenCode, 'forbidden'],
    ['ECONNREFUSED', 'refused'],
    ['ECONNRESET', 'reset'],
    ['EPIPE', 'reset'],
    ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
    ['ETIMEDOUT', 'timeout'],
    ['ENOTFOUND', 'unknown-host'],
    ['EAI_AGAIN', 'unknown-host'],
    ['EHOSTUNREACH', 'unreachable'],
    ['ENETUNREACH', 'unreachable'],
    ['CERT_HAS_EXPIRED', 'tls-expired'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'not-tls'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls-untrusted'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls-untrusted'],
    // By an authority with the name of a trusted one, as of another Rainbell.
    ['CERT_SIGNATURE_FAILURE', 'tls-untrusted'],
    ['HPE_INVALID_CONSTANT', 'bad-answer'],
    ['ENOSYS', 'failed'],
  ])('after %s is %s', async (code, error) => {
    const result = { status: null, error, latencyMs: 0, answer: '', retryAfterSeconds: undefined };
    expect(await failWith(coded(code))).toEqual(result);
  });

  it.each([
    ['the first of several addresses', new AggregateError([coded('ECONNREFUSED'), coded('ENETUNREACH')]), 'refused'],
    [
      'several addresses as a whole',
      Object.assign(new AggregateError([new Error('no code')]), { code: 'ETIMEDOUT' }),
      'timeout',
    ],
    ['a cause', new Error('fetch failed', { cause: coded('ECONNRESET') }), 'reset'],
    ['a parser', Object.assign(new Error('Invalid header'), { name: 'HTTPParserError' }), 'bad-answer'],
    ['nothing that is known', new Error('unknown'), 'failed'],
  ])('is that of %s', async (_which, error, word) => {
    expect(await failWith(error)).toMatchObject({ status: null, error: word });
  });

  it('is reset if the receiver closes the connection', async () => {
    const endpoint = await startCallbackEndpoint((_callback, response) => void response.destroy());
    expect(await createSender().send(endpoint.url, '{}', headers)).toMatchObject({ status: null, error: 'reset' });
  });

  it('is timeout after the time limit', async () => {
    const sender = createSender({ guard: { lookupFor: () => () => {} }, timeoutMs: 5, times: [0, 5.4] });
    expect(await sender.send('http://hooks.example/', '{}', headers)).toMatchObject({ error: 'timeout', latencyMs: 5 });
  });

  it('is failed for a URL that cannot be parsed', async () => {
    expect(await createSender().send('nowhere', '{}', headers)).toMatchObject({ status: null, error: 'failed' });
  });
});

describe('a forbidden address', () => {
  it('gets no request', async () => {
    const endpoint = await startCallbackEndpoint();
    const guard = { literalProblem: () => 'is private' };
    const result = await createSender({ guard, times: [1, 4] }).send(endpoint.url, '{}', headers);
    expect(result).toMatchObject({ status: null, error: 'forbidden', latencyMs: 3 });
    expect(endpoint.received).toEqual([]);
  });

  it('gets no request through a proxy, whose connections the guard does not see', async () => {
    const proxy = await startCallbackEndpoint();
    const guard = { problem: async () => 'is private' };
    const transport = { proxyUrl: `http://127.0.0.1:${proxy.port}` };
    const sender = createSender({ guard, transport, times: [1, 4] });
    expect(await sender.send('http://hooks.example/', '{}', headers)).toMatchObject({
      error: 'forbidden',
      latencyMs: 3,
    });
    expect(proxy.received).toEqual([]);
  });

  it('of a name is left to the connection without a proxy', async () => {
    const endpoint = await startCallbackEndpoint();
    const sender = createSender({ guard: { problem: async () => 'is private' } });
    expect(await sender.send(`http://hooks.example:${endpoint.port}/`, '{}', headers)).toMatchObject({ status: 204 });
  });
});

it('a sender that sent nothing closes', async () => {
  await expect(createSender().close()).resolves.toBeUndefined();
});
