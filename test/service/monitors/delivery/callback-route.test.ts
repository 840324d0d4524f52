// Connections of callbacks for each port; which certificates they trust (docs/tokens.md T18); and responses of odd receivers.
import { createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import type { CallbackGuard } from '#shared/node/callback-guard.ts';
import { createCallbackRoutes } from '#service/monitors/delivery/callback-route.ts';
import { createCallbackSender } from '#service/monitors/delivery/send-callback.ts';
import { listen } from '#test/setup/listen.ts';
import { startTlsHost } from '#test/stories/tls-host.ts';

/** Lets everything pass, and takes every name for this machine. */
const guard: CallbackGuard = {
  problem: async () => undefined,
  literalProblem: () => undefined,
  lookupFor: () => (_name, _options, answer) => answer(null, [{ address: '127.0.0.1', family: 4 }]),
};

function startSender(extraCaPem = (): string | undefined => undefined) {
  const needs = { guard, timeoutMs: 5000, connectionsPerHost: 2, elapsedMs: () => 0 };
  const sender = createCallbackSender({ ...needs, extraCaPem });
  onTestFinished(() => sender.close());
  const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' };
  return (url: string) => sender.send(url, '{}', headers);
}

describe('a callback over TLS (docs/tokens.md T18)', () => {
  test('reaches a host while the sandbox trusts its authority, and no longer once that is withdrawn', async () => {
    const { baseUrl, caPem } = await startTlsHost((_request, response) => void response.end(), 'hooks.example');
    let extraCaPem: string | undefined;
    const sendTo = startSender(() => extraCaPem);
    const send = (host: string) => sendTo(`https://${host}:${new URL(baseUrl).port}/hook`);
    const seen: (number | null)[] = [];
    for (extraCaPem of [undefined, caPem, undefined]) seen.push((await send('hooks.example')).status);
    expect(seen).toEqual([null, 200, null]);
    extraCaPem = caPem;
    expect(await send('other.example')).toMatchObject({ status: null, error: 'tls-name' });
  });
});

const go = 'HTTP/1.1 100 Continue\r\n\r\n';
const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
/** Browsers read 256 KB. */
const cookies = `Set-Cookie: a=${'x'.repeat(3_500)}\r\n`.repeat(60);

/** A receiver that writes its response as given, piece by piece; with `end` it then closes. */
async function startRawReceiver(pieces: readonly string[], end = false) {
  let requests = 0;
  const server = createServer((socket: Socket) => {
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      if (!chunk.toString('latin1').includes('POST ')) return;
      requests += 1;
      socket.setNoDelay(true);
      const [first = '', ...rest] = pieces;
      socket.write(first);
      // Each piece in a packet of its own.
      rest.forEach((piece, index) => void setTimeout(() => socket.write(piece), 20 * (index + 1)));
      if (end) setTimeout(() => socket.end(), 20 * pieces.length);
    });
  });
  const port = await listen(server);
  return { url: `http://hooks.example:${port}/rain`, requests: () => requests };
}

describe('a callback', () => {
  test.each([
    ['after 100 Continue that nobody asked for', [go, ok], false],
    ['after two of them in one packet with the response', [go + go + ok], false],
    [
      'after one that is cut anywhere',
      ['HTTP/1.1 1', '00 Continue\r\nX: y\r', '\n\r\nHTTP/1.1 200 OK\r\nContent-Le', 'ngth: 2\r\n\r\nok'],
      false,
    ],
    ['after 102 Processing', [`HTTP/1.1 102 Processing\r\n\r\n${ok}`], false],
    ['after 103 Early Hints', [`HTTP/1.1 103 Early Hints\r\n\r\n${ok}`], false],
    ['with many cookies', [ok.replace('\r\n', `\r\n${cookies}`)], false],
    ['if its body is shorter than promised', ['HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nok'], true],
    ['if its body ends within a chunk', ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\nok'], true],
  ])('counts as delivered %s', async (_name, pieces, end) => {
    const receiver = await startRawReceiver(pieces, end);
    expect(await startSender()(receiver.url)).toMatchObject({ status: 200, error: null, answer: 'ok' });
    expect(receiver.requests()).toBe(1);
  });

  const both = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n';
  test.each([
    ['with two lengths', [both], 'bad-answer'],
    [
      'after an interim head of more than 4 KB',
      [`HTTP/1.1 100 Continue\r\nX: ${'y'.repeat(5_000)}`, `\r\n\r\n${ok}`],
      'reset',
    ],
  ])('has no response if that comes %s', async (_what, pieces, error) => {
    const receiver = await startRawReceiver(pieces);
    expect(await startSender()(receiver.url)).toMatchObject({ status: null, error });
  });
});

function startRoutes() {
  const ports: number[] = [];
  const routes = createCallbackRoutes({
    guard: {
      ...guard,
      lookupFor(port) {
        ports.push(port);
        return () => {};
      },
    },
    connectionsPerHost: 2,
    connectTimeoutMs: 1_000,
    extraCaPem: () => undefined,
  });
  onTestFinished(() => routes.close());
  return { ports, routes, routeTo: (url: string) => routes.routeTo(new URL(url)) };
}

describe('a route', () => {
  it('has connections for each port, whose addresses are checked with that port', () => {
    const { routeTo, ports } = startRoutes();
    const dispatcher = routeTo('https://a.example/1');
    expect(routeTo('https://b.example/2')).toBe(dispatcher);
    expect(routeTo('https://a.example:8443/')).not.toBe(dispatcher);
    routeTo('http://a.example/');
    expect(ports).toEqual([443, 8_443, 80]);
  });
});
