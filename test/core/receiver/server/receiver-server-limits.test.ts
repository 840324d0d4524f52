// The limits on connections, heads, and bodies.
import { expect, test } from 'vitest';
import { closedAccess, type ReceiverLimits } from '#core/receiver/access/receiver-limits.ts';
import { openRaw } from '#test/core/raw-http.ts';
import { startRunning } from './running-receiver.ts';

/** So that no connection is closed for its time, however busy the machine is. */
const patient = { headersTimeout: 60_000, requestTimeout: 60_000, keepAliveTimeout: 60_000 };
const start = (limits: Partial<ReceiverLimits> = {}) => startRunning({ limits: { ...patient, ...limits } });

const head = (more = '') => `POST /a HTTP/1.1\r\nHost: a\r\n${more}\r\n`;
const closing = (more = '') => head(`Connection: close\r\n${more}`);
const post = async (port: number, text = closing()) => (await openRaw(port, text).answer).slice(9, 12);
/** Sends a request and leaves the connection open. */
async function keepOpen(port: number) {
  const raw = openRaw(port, head());
  await new Promise<void>((resolve) => raw.socket.once('data', () => resolve()));
  return raw;
}

test('accepts more than 2,000 headers', async () => {
  const { pages, port } = await start();
  await post(port, closing('a:\r\n'.repeat(2100)));
  expect(pages.get(1)?.headers).toHaveLength(2102);
});

test('waits for the end of a body until more than enough bytes are beyond the limit, and stores it once', async () => {
  const { pages, port } = await start({ bodyBytes: 10, discardedBytes: 100 });
  const { answer, socket } = openRaw(port, head('Content-Length: 500\r\n') + 'x'.repeat(110));
  // The bytes arrive before another request is answered.
  await post(port);
  expect(pages.counts().total).toBe(1);
  socket.write('y');
  expect(await answer).toMatch(/^HTTP\/1\.1 413 /);
  expect(pages.get(2)?.body.toString()).toBe('xxxxxxxxxx');
  const chunk = `64\r\n${'x'.repeat(100)}\r\n`;
  expect(await post(port, head('Transfer-Encoding: chunked\r\n') + chunk.repeat(9))).toBe('413');
  expect(pages.counts().total).toBe(3);
});

test('has four times as many connections as unfinished requests', async () => {
  const { port } = await start({ connections: 1 });
  const open = [];
  for (let count = 0; count < 4; count += 1) open.push(await keepOpen(port));
  expect(await post(port)).toBe('');
  open[0]?.socket.destroy();
  await expect.poll(() => post(port)).toBe('200');
});

// Heads of 20 MB: one fits into 32 MB, for the time of a burst four.
test('closes the oldest connection whose head could be too much', async () => {
  const { port } = await start({ headerBytes: 20 * 1024 * 1024 });
  const idle = Array.from({ length: 4 }, () => openRaw(port, ''));
  for (const { socket } of idle) await new Promise((resolve) => socket.once('connect', resolve));
  const finished = await keepOpen(port);
  for (const { socket } of idle.slice(0, 2)) socket.write(closing());
  expect(await idle[0]?.answer).toBe('');
  expect(await idle[1]?.answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(finished.socket.destroyed).toBe(false);
});

test('listens on the next free port, and on none that does not exist', async () => {
  const { port } = await start();
  const other = await start();
  const next = await other.call('listen', port, closedAccess);
  expect(next).toBeGreaterThan(port);
  expect(next).toBeLessThan(port + 50);
  await expect(other.call('listen', -1, closedAccess)).rejects.toThrow('port');
});
