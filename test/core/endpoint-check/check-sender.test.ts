// What the sender of the endpoint check reports about odd receivers, and where it refuses to send.
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { createSendGuard } from '#core/http/send-guard.ts';
import { createCheckSender, type CheckRequest, type CheckSender } from '#core/endpoint-check/check-sender.ts';
import { plainTransport } from '#core/http/transport.ts';
import type { LookupFunction } from 'node:net';
import { systemClock } from '#shared/time/clock.ts';
import { listen } from '#test/setup/listen.ts';

const request: CheckRequest = { sent: 'A test', headers: [['content-type', 'text/plain']], body: Buffer.from('hello') };

type Options = { lookup?: LookupFunction; responseMs?: number; signal?: AbortSignal };

/** Waits longer for responses than a busy machine needs, except where a test expects none. */
function senderWith({ responseMs = 100_000, signal, lookup }: Options = {}): CheckSender {
  return createCheckSender({
    clock: systemClock,
    guard: createSendGuard({ adminPorts: () => [1234], ...(lookup && { lookup }) }),
    authority: () => undefined,
    transport: () => plainTransport,
    timing: { responseMs, slowBodyMs: 60, continueMs: 50, brokenOffMs: 50 },
    ...(signal && { signal }),
  });
}

/** Writes the same bytes to each client, once its first bytes arrive. */
async function startSocket(answer: string): Promise<{ url: string; received: () => string }> {
  let received = '';
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.write(answer));
    socket.on('data', (chunk) => (received += chunk.toString()));
  });
  const port = await listen(server);
  return { url: `http://127.0.0.1:${port}/hook`, received: () => received };
}

it('waits for the final response after interim ones, and lists them', async () => {
  const { url } = await startSocket(
    'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n',
  );
  expect(await senderWith().send(url, request)).toMatchObject({ status: 200, interim: [102, 103], problem: null });
});

it('reports interim responses without a final one as no response in time', async () => {
  const { url } = await startSocket('HTTP/1.1 102 Processing\r\n\r\n');
  expect(await senderWith({ responseMs: 2000 }).send(url, request)).toMatchObject({
    status: null,
    interim: [102],
    problem: 'no response within 2 s',
  });
});

it('sends the body without 100 Continue after a while', async () => {
  const { url, received } = await startSocket('');
  const ending = new AbortController();
  const sending = senderWith({ signal: ending.signal }).send(url, { ...request, pace: 'expect-continue' });
  await expect.poll(received).toMatch(/expect: 100-continue[^]*\r\n\r\nhello$/);
  ending.abort();
  expect(await sending).toMatchObject({ status: null });
});

it('breaks a request off after half of its body', async () => {
  const { url, received } = await startSocket('');
  const attempt = await senderWith().send(url, { ...request, pace: 'broken-off' });
  expect(attempt).toMatchObject({ status: null, problem: null });
  await expect.poll(received).toMatch(/content-length: 5[^]*\r\n\r\nhe$/);
});

it('never sends to link-local addresses or to ports of Rainbell, also behind a name', async () => {
  const toMetadata: LookupFunction = (_name, _options, done) => done(null, [{ address: '169.254.169.254', family: 4 }]);
  const sender = senderWith({ lookup: toMetadata });
  await expect(sender.send('http://169.254.169.254/', request)).rejects.toThrow('link-local');
  await expect(sender.send('http://127.0.0.1:1234/', request)).rejects.toThrow('the address of Rainbell itself');
  await expect(sender.send('ftp://example.com/', request)).rejects.toThrow('must start with http');
  expect(await sender.send('http://innocent.example/', request)).toMatchObject({
    status: null,
    problem: expect.stringContaining('so nothing was sent there'),
  });
});
