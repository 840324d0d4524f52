// What one request from a callback sends, over real sockets, and how it ends. Time and name lookups are the test's.
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { createRequestSender, sendableHeaders } from '#core/http/send-request.ts';
import { createSendGuard } from '#core/http/send-guard.ts';
import { plainTransport, type Transport } from '#core/http/transport.ts';
import { makeAuthority, makeLeaf } from '#core/receiver/access/receiver-certificate.ts';
import { createManualClock } from '../manual-clock.ts';
import { startTarget } from './callback-harness.ts';
import { listen } from '#test/setup/listen.ts';

type Setup = {
  transport?: Partial<Transport>;
  authority?: string;
  addresses?: Record<string, string>;
  adminPorts?: readonly number[];
};

function openSender({ transport = {}, authority, addresses = {}, adminPorts = [] }: Setup = {}) {
  const clock = createManualClock(Date.parse('2026-11-21T06:00:00Z'));
  clock.advance(500);
  let timers = 0;
  const sender = createRequestSender({
    clock: {
      ...clock,
      after(ms, run) {
        timers += 1;
        const cancel = clock.after(ms, run);
        return () => {
          timers -= 1;
          cancel();
        };
      },
    },
    guard: createSendGuard({
      adminPorts: () => adminPorts,
      lookup: (name, _options, done) => done(null, [{ address: addresses[name] ?? '127.0.0.1', family: 4 }]),
    }),
    authority: () => authority,
    transport: () => ({ ...plainTransport, ...transport }),
  });
  onTestFinished(() => sender.close());
  const post = (url: string, limit = 100, signal?: AbortSignal) =>
    sender.send({ method: 'POST', url, headers: [], body: Buffer.from('x') }, limit, signal);
  return { clock, sender, post, timers: () => timers };
}

test('reports the response, and the times until its headers and its end', async () => {
  const { clock, post, timers } = openSender();
  const target = await startTarget((response) => {
    clock.advance(30);
    response.writeHead(202, ['X-One', '1', 'x-one', '2']);
    response.end('accepted');
  });
  const { startedAt, tookMs, headers, outcome } = await post(`${target.url}/a?b=1`);
  expect([startedAt, tookMs, headers]).toEqual([Date.parse('2026-11-21T06:00:00.500Z'), 30, []]);
  expect(outcome).toMatchObject({ kind: 'answered', status: 202, truncated: false, firstByteMs: 30 });
  if (outcome.kind !== 'answered') return;
  expect(Buffer.from(outcome.bodyBase64, 'base64').toString()).toBe('accepted');
  expect(outcome.headers.slice(0, 2)).toEqual([
    ['X-One', '1'],
    ['x-one', '2'],
  ]);
  expect(target.seen).toMatchObject([{ method: 'POST', url: '/a?b=1', body: Buffer.from('x') }]);
  expect(timers()).toBe(0);
});

test.each([
  [9, 'abcdefghi', true],
  [10, 'abcdefghij', false],
  [11, 'abcdefghij', false],
  [0, '', true],
])('keeps %i bytes of a response of 10', async (limit, kept, truncated) => {
  const { post } = openSender();
  const { url } = await startTarget((response) => response.end('abcdefghij'));
  const bodyBase64 = Buffer.from(kept).toString('base64');
  expect((await post(url, limit)).outcome).toMatchObject({ bodyBase64, truncated });
});

test.each([
  ['without a signal', undefined],
  ['with a signal', new AbortController().signal],
])('gives up after 20 s %s', async (_, signal) => {
  const { clock, post, timers } = openSender();
  let isLate = true;
  const { url } = await startTarget((response) => {
    clock.advance(isLate ? 20_000 : 19_999);
    if (!isLate) response.end();
  });
  const { outcome, tookMs } = await post(url, 100, signal);
  expect([outcome, tookMs]).toEqual([
    { kind: 'failed', message: expect.stringContaining('did not respond within 20 seconds') },
    20_000,
  ]);
  isLate = false;
  expect((await post(url, 100, signal)).outcome).toMatchObject({ kind: 'answered', status: 200 });
  expect(timers()).toBe(0);
});

test('ends when it is canceled', async () => {
  const { post } = openSender();
  const controller = new AbortController();
  const { url } = await startTarget(() => controller.abort());
  const { outcome } = await post(url, 100, controller.signal);
  expect(outcome).toEqual({ kind: 'failed', message: expect.stringContaining('canceled') });
});

test('names the host whose name leads to a forbidden address', async () => {
  const { post } = openSender({ addresses: { 'meta.test': '169.254.169.254' } });
  const { outcome } = await post('http://meta.test:81/latest');
  expect(outcome).toEqual({ kind: 'failed', message: expect.stringMatching(/^meta\.test:81 is a link-local/) });
});

test('checks each port of a name for itself', async () => {
  const [own, other] = [await startTarget(), await startTarget()];
  const { post, sender } = openSender({ adminPorts: [own.port] });
  expect((await post(`http://name.test:${other.port}/`)).outcome).toMatchObject({ kind: 'answered' });
  expect((await post(`http://name.test:${own.port}/`)).outcome).toMatchObject({ kind: 'failed' });
  expect(() => sender.requireAllowed(`${own.url}/`)).toThrow('requests can’t be sent there');
  expect([other.seen.length, own.seen.length]).toEqual([1, 0]);
});

test('ends although the proxy opens no tunnel', async () => {
  let answer = (socket: Duplex): void => void socket.write('');
  const asked = Promise.withResolvers<void>();
  const server = createServer().on('connect', (_, socket) => {
    asked.resolve();
    answer(socket);
  });
  const { clock, post } = openSender({ transport: { proxyUrl: `http://127.0.0.1:${await listen(server)}` } });
  const waiting = post('https://far.test/');
  await asked.promise;
  clock.advance(20_000);
  expect((await waiting).outcome).toMatchObject({
    message: expect.stringContaining('did not respond within 20 seconds'),
  });
  const canceled = post('https://far.test/', 100, AbortSignal.abort());
  expect((await canceled).outcome).toMatchObject({ message: expect.stringContaining('canceled') });
  answer = (socket) => void socket.end();
  expect((await post('https://far.test/')).outcome).toMatchObject({
    message: expect.stringMatching(/^The proxy 127\.0\.0\.1:\d+ could not be reached/),
  });
});

async function startTlsTarget() {
  const authority = await makeAuthority(Date.now());
  const { key, cert } = await makeLeaf(authority, [], Date.now());
  const server = createTlsServer({ key, cert }, (_, response) => response.end('ok'));
  const port = await listen(server);
  return { authority: authority.cert, url: `https://127.0.0.1:${port}` };
}

test('trusts the receiver’s own authority and those of the connection, and no other', async () => {
  const { authority, url } = await startTlsTarget();
  const trusting = [openSender({ authority }), openSender({ transport: { caPem: `a comment\n${authority}` } })];
  for (const { post } of trusting) expect((await post(url)).outcome).toMatchObject({ kind: 'answered', status: 200 });
  expect((await openSender().post(url)).outcome).toMatchObject({ kind: 'failed' });
});

test('closes a connection before the server’s own limit, so that no request meets its end', async () => {
  const { post } = openSender();
  const server = createServer((_, response) => void response.end('ok'));
  server.keepAliveTimeout = 2000;
  const closed = Promise.withResolvers<void>();
  server.on('connection', (socket) => socket.on('end', closed.resolve));
  await post(`http://127.0.0.1:${await listen(server)}`);
  const begin = performance.now();
  await closed.promise;
  expect(performance.now() - begin).toBeLessThan(1900);
});

test('refuses a header that HTTP does not allow', async () => {
  const { sender } = openSender();
  const request = { method: 'POST', url: 'http://127.0.0.1:1/', headers: [['a b', 'c']] as [string, string][] };
  await expect(sender.send({ ...request, body: Buffer.alloc(0) }, 10)).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    details: { field: 'headers' },
  });
});

test('sends none of the headers that belong to one connection', () => {
  // RFC 9110, 7.6.1, and what follows from URL and body.
  const own =
    'Connection Proxy-Connection Keep-Alive TE Trailer Transfer-Encoding Upgrade Expect Host Content-Length'.split(' ');
  for (const name of own) expect(sendableHeaders([[name, 'x']])).toEqual([]);
  const named = ['X-One', 'x-two', 'X-Three'].map((name): [string, string] => [name, '1']);
  expect(sendableHeaders([['Connection', 'x-one ,X-TWO'], ...named])).toEqual([['X-Three', '1']]);
});
