// What a callback is sent, and the result of each response and error (docs/delivery.md S3 to S8). Responses of odd receivers:
// callback-route.test.ts.
import type { IncomingHttpHeaders } from 'node:http';
import { Agent } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type CallbackGuard, forbiddenCode } from '#shared/node/callback-guard.ts';
import { productVersion, projectPage } from '#shared/project.ts';
import { createCallbackSender, sendPost } from '#service/monitors/delivery/send-callback.ts';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';

const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' };
const user = `Basic ${Buffer.from('rain:secret9931').toString('base64')}`;

type Options = { guard?: Partial<CallbackGuard>; times?: number[]; timeoutMs?: number };

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

it('a callback has its signature, and credentials only if there are some', async () => {
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
  expect(await headersOf()).toEqual(own);
  expect(await headersOf(user)).toEqual({ ...own, authorization: user });
});

describe('the result of a response', () => {
  it.each([
    [299, null],
    [300, 'http 300'],
  ])('with status %i', async (status, error) => {
    const endpoint = await startCallbackEndpoint((_callback, response) => void response.writeHead(status).end('text'));
    const result = await createSender({ times: [10, 52.6] }).send(endpoint.url, '{}', headers);
    expect(result).toEqual({ status, error, latencyMs: 43, answer: 'text', retryAfterSeconds: undefined });
  });

  it('is that of the response after interim ones, without NUL', async () => {
    const endpoint = await startCallbackEndpoint((_callback, response) => {
      response.writeEarlyHints({ link: '</a>; rel=preload', 'retry-after': '7' });
      response.writeHead(503).end('a\0b');
    });
    const result = await createSender().send(endpoint.url, '{}', headers);
    expect(result).toMatchObject({ status: 503, answer: 'a\uFFFDb', retryAfterSeconds: undefined });
  });

  it('has when to try again, in seconds or by the date of the response', async () => {
    const date = 'Wed, 21 Oct 2026 07:28:00 GMT';
    const texts = ['120', 'Wed, 21 Oct 2026 07:28:30 GMT'];
    const endpoint = await startCallbackEndpoint(
      (_callback, response, index) => void response.writeHead(503, { 'retry-after': texts[index], date }).end(),
    );
    const sender = createSender();
    for (const retryAfterSeconds of [120, 30])
      expect(await sender.send(endpoint.url, '{}', headers)).toMatchObject({ retryAfterSeconds });
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
    let isClosed = false;
    const endpoint = await startCallbackEndpoint((_callback, response) => {
      response.on('close', () => (isClosed = true));
      response.writeHead(500).write('x'.repeat(64 * 1024 + 1));
    });
    const result = await createSender({ timeoutMs: 60_000 }).send(endpoint.url, '{}', headers);
    expect(result).toMatchObject({ status: 500, answer: 'x'.repeat(2_048) });
    await expect.poll(() => isClosed).toBe(true);
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

  it('is timeout after the time limit, also while its name is looked up', async () => {
    const sender = createSender({ guard: { lookupFor: () => () => {} }, timeoutMs: 5, times: [0, 5.4] });
    expect(await sender.send('http://hooks.example/', '{}', headers)).toMatchObject({ error: 'timeout', latencyMs: 5 });
  });

  it('is timeout while it waits for a connection, and then it is never sent', async () => {
    let release = () => {};
    const endpoint = await startCallbackEndpoint((_callback, response, index) => {
      if (index === 0) release = () => void response.writeHead(204).end();
      else response.writeHead(204).end();
    });
    const agent = new Agent({ connections: 1, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
    onTestFinished(() => agent.destroy());
    const post = (body: string, timeoutMs: number) =>
      sendPost({ dispatcher: agent, url: new URL(endpoint.url), headers: {}, body, timeoutMs });
    const first = post('first', 10_000);
    await endpoint.waitFor(1);
    await expect(post('second', 300)).rejects.toMatchObject({ name: 'TimeoutError' });
    const third = post('third', 10_000);
    release();
    expect([(await first).status, (await third).status]).toEqual([204, 204]);
    expect(endpoint.received.map(({ body }) => body)).toEqual(['first', 'third']);
  });
});
