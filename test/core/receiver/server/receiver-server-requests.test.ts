// What the receiver's server does with requests that are long, broken off, pipelined, or from other machines.
import { expect, test } from 'vitest';
import { openRaw } from '#test/core/raw-http.ts';
import { startRunning } from './running-receiver.ts';

type Running = Awaited<ReturnType<typeof startRunning>>;
const refusals = ({ pages }: Running) =>
  pages.page({ beforeId: undefined, limit: 100 }).map(({ refusal }) => refusal?.reason);
/** Lets the waiting outcomes be written first. */
const outcomeOf = ({ clock, pages }: Running, id: number) => clock.advance(50) ?? pages.get(id)?.outcome.kind;
const head = (path: string) => `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n`;

test('stores the beginning of a body that comes in many pieces', async () => {
  const running = await startRunning({ limits: { bodyBytes: 1000 } });
  const body = Array.from({ length: 30_000 }, (_, index) => String(index).padStart(10, '0')).join('');
  const refused = await running.post('/', body);
  expect([refused.status, refused.headers.get('connection')]).toEqual([413, 'close']);
  expect(running.pages.get(1)).toMatchObject({ truncated: true, sizeBytes: 1000 });
  expect(running.pages.get(1)?.body.toString()).toBe(body.slice(0, 1000));
  expect((await running.post('/', body.slice(0, 1000))).status).toBe(200);
  expect(running.pages.get(2)).toMatchObject({ truncated: false, sizeBytes: 1000 });
});

test('answers a sender that ends its side behind the request', async () => {
  const running = await startRunning();
  const { socket, answer } = openRaw(running.port, 'POST /half HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx');
  socket.end();
  expect(await answer).toMatch(/^HTTP\/1\.1 200 OK/);
  expect(running.pages.get(1)?.target).toBe('/half');
});

test.each([
  ['ended', 'destroy', 400, ''],
  ['was reset', 'resetAndDestroy', 0, 'abc'],
] as const)('notes once a request whose connection %s', async (_, end, status, firstBytes) => {
  const running = await startRunning();
  const { socket } = openRaw(running.port, 'POST /half HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc');
  // The first bytes arrive before another request is answered.
  await running.post('/other');
  socket[end]();
  await expect.poll(() => refusals(running)).toEqual(['unfinished', undefined]);
  expect(running.pages.get(2)).toMatchObject({
    target: '/half',
    method: 'POST',
    answeredStatus: status,
    remoteAddress: '127.0.0.1',
  });
  const sent = 'POST /half HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n';
  expect(running.pages.get(2)?.body.toString()).toBe(sent + firstBytes);
});

test.each([
  ['without a Host header', 'HTTP/1.1\r\n'],
  ['with two of them', 'HTTP/1.1\r\nHost: a\r\nhost: b\r\n'],
  ['of HTTP/1.0 with two of them', 'HTTP/1.0\r\nHost: a\r\nHost: a\r\n'],
])('closes the connection of a request %s', async (_, head) => {
  const running = await startRunning();
  const { answer } = openRaw(running.port, `POST /a ${head}Content-Length: 0\r\n\r\n`);
  expect(await answer).toMatch(/^HTTP\/1\.1 400 [^]*connection: close[^]*Host/i);
  await expect.poll(() => refusals(running)).toEqual(['malformed']);
  // HTTP/1.0 needs none.
  expect(await openRaw(running.port, 'GET /b HTTP/1.0\r\n\r\n').answer).toMatch(/^HTTP\/1\.1 200 /);
});

test.each([
  ['closed', 'end'],
  ['reset', 'resetAndDestroy'],
] as const)('records that the sender %s the connection before a delayed response', async (kind, end) => {
  const running = await startRunning({
    rules: { rules: [{ name: 'slow', path: '/a', steps: [{ kind: 'answer', status: 200, delayMs: 60_000 }] }] },
  });
  const { socket } = openRaw(running.port, head('/a') + head('/b'));
  await expect.poll(() => running.pages.counts().total).toBe(2);
  socket[end]();
  await expect.poll(() => outcomeOf(running, 1)).toBe(kind);
  // The second response waited for the first, so what the connection has sent is not of it.
  expect(running.pages.get(2)?.outcome).toMatchObject({ kind, bytesSent: null });
});

test('records that it dropped a response when it ended, also if its sender has ended its side', async () => {
  const running = await startRunning({
    rules: { rules: [{ name: 'a', path: '/a', steps: [{ kind: 'answer', status: 200, body: 'x'.repeat(65_536) }] }] },
  });
  const { socket } = openRaw(running.port, '');
  socket.pause();
  let id = -1;
  // Until the buffers between them are full.
  do {
    id += 2;
    socket.write(head('/a'));
    await expect.poll(() => running.pages.counts().total, { interval: 1 }).toBe(id);
    await running.post();
  } while (outcomeOf(running, id) === 'answered');
  socket.end();
  await running.post();
  await running.close();
  expect(outcomeOf(running, id)).toBe('dropped');
});
