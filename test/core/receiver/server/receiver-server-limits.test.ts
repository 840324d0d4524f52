// The limits on connections, heads, and bodies.
import { expect, onTestFinished, test } from 'vitest';
import { closedAccess } from '#core/receiver/access/listen-access.ts';
import { receiverLimits } from '#core/receiver/access/receiver-limits.ts';
import { wholeBody, type ReceivedCallback } from '#core/receiver/requests/received-callback.ts';
import { createResponsePlan } from '#core/receiver/rules/response-plan.ts';
import { createReceiverServer } from '#core/receiver/server/receiver-server.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { openRaw } from '#test/core/raw-http.ts';

/** So that no connection is closed for its time, however busy the machine is. */
const patient = { headersTimeout: 60_000, requestTimeout: 60_000, keepAliveTimeout: 60_000 };

async function start(changes: Partial<typeof receiverLimits> = {}) {
  const clock = createManualClock();
  const callbacks: ReceivedCallback[] = [];
  const server = createReceiverServer({
    clock,
    limits: () => ({ ...receiverLimits, ...patient, ...changes }),
    commit: {
      waitingBytes: 0,
      add({ callback, settled }) {
        callbacks.push(callback);
        settled(undefined, callbacks.length);
      },
      expectMore: () => {},
      flushAll: () => {},
    },
    plan: () => createResponsePlan({ pause: 'off', rules: [] }, { clock, random: () => 0 }),
    isDamaged: () => false,
    access: closedAccess,
    record: () => {},
    refuse: () => {},
    onHeld: () => {},
  });
  const port = await server.listen(0);
  onTestFinished(() => server.close());
  return { callbacks, port, server };
}

const head = (more = '') => `POST /a HTTP/1.1\r\nHost: a\r\n${more}\r\n`;
const closing = (more = '') => head(`Connection: close\r\n${more}`);
const post = async (port: number, text = closing()) => (await openRaw(port, text).answer).slice(9, 12);
/** Sends a request and leaves the connection open. */
async function keepOpen(port: number) {
  const raw = openRaw(port, head());
  await new Promise<void>((resolve) => raw.socket.once('data', () => resolve()));
  return raw;
}

test.each([
  [16 * 1024, undefined],
  [16 * 1024 + 1, 24],
])('with heads of %i bytes, counts %s bytes of a head', async (headerBytes, counted) => {
  const { callbacks, port } = await start({ headerBytes });
  await post(port, closing('Content: 1\r\n'));
  // Of its names and values: Host, a, Connection, close, Content, 1, without what is between them.
  expect(callbacks[0]?.headBytes).toBe(counted === undefined ? undefined : counted + 4);
});

test('accepts more than 2,000 headers', async () => {
  const { callbacks, port } = await start();
  await post(port, closing('a:\r\n'.repeat(2100)));
  expect(callbacks[0]?.rawHeaders).toHaveLength(2 * 2102);
});

test('waits for the end of a body until more than enough bytes are beyond the limit, and stores it once', async () => {
  const { callbacks, port } = await start({ bodyBytes: 10, discardedBytes: 100 });
  const { answer, socket } = openRaw(port, head('Content-Length: 500\r\n') + 'x'.repeat(110));
  // The bytes arrive before another request is answered.
  await post(port);
  expect(callbacks).toHaveLength(1);
  socket.write('y');
  expect(await answer).toMatch(/^HTTP\/1\.1 413 /);
  expect(callbacks[1] && wholeBody(callbacks[1].body).toString()).toBe('xxxxxxxxxx');
  const chunk = `64\r\n${'x'.repeat(100)}\r\n`;
  expect(await post(port, head('Transfer-Encoding: chunked\r\n') + chunk.repeat(9))).toBe('413');
  expect(callbacks).toHaveLength(3);
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
  const { port, server } = await start();
  const other = await start();
  await other.server.close();
  const next = await other.server.listen(port);
  expect(next).toBeGreaterThan(port);
  expect(next).toBeLessThan(port + 50);
  await server.close();
  await expect(server.listen(-1)).rejects.toThrow('port');
});
