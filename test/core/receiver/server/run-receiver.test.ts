// What the receiver's thread does for each message, what it reports, and what it writes before it ends.
import { expect, test } from 'vitest';
import { receiverLimits } from '#core/receiver/access/receiver-limits.ts';
import { receivedCallback } from '#test/core/callbacks/callback-store.ts';
import { openRaw } from '#test/core/raw-http.ts';
import { startRunning } from './running-receiver.ts';

const targets = ({ pages }: Awaited<ReturnType<typeof startRunning>>) =>
  pages.page({ beforeId: undefined, limit: 100 }).map(({ target }) => target);
const changed = (newestId: number, total: number, dropped = 0) => ({ kind: 'changed', newestId, total, dropped });

test('stores a request, and reports it at once and then at most every 50 ms', async () => {
  const running = await startRunning();
  expect((await running.post('/a')).status).toBe(200);
  expect(running.reported('changed')).toEqual([changed(1, 1)]);
  await running.post('/b');
  await running.post('/c');
  expect(targets(running)).toEqual(['/c', '/b', '/a']);
  running.clock.advance(49);
  expect(running.reported('changed')).toEqual([]);
  running.clock.advance(1);
  expect(running.reported('changed')).toEqual([changed(3, 3)]);
  running.clock.advance(200);
  expect(running.reported('changed')).toEqual([]);
});

test('records the response 50 ms after it was sent, and reports outcomes every 250 ms', async () => {
  const running = await startRunning();
  await running.post();
  await expect.poll(() => running.clock.advance(50) ?? running.pages.get(1)?.outcome.kind).toBe('answered');
  expect(running.reported('outcomes')).toHaveLength(1);
  await running.post();
  await expect.poll(() => running.clock.advance(50) ?? running.pages.get(2)?.outcome.kind).toBe('answered');
  running.clock.advance(250);
  expect(running.reported('outcomes')).toHaveLength(1);
});

test('stores nothing during a pause, and notes no refused request', async () => {
  const running = await startRunning();
  await running.call('setRules', { pause: 'refuse', rules: [] });
  const response = await running.post();
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '60']);
  await openRaw(running.port, 'POST /a HTTP/1.1\r\nContent-Length: 0\r\n\r\n').answer;
  await running.post();
  expect(running.pages.counts()).toEqual({ newestId: 0, total: 0 });
});

test('applies new limits at once', async () => {
  const running = await startRunning();
  for (const path of ['/a', '/b', '/c']) await running.post(path);
  running.clock.advance(50);
  running.reported('changed');
  await running.call('setLimits', { ...receiverLimits, keptCallbacks: 2, bodyBytes: 4 });
  await expect.poll(() => targets(running)).toEqual(['/c', '/b']);
  running.clock.advance(50);
  expect(running.reported('changed').at(-1)).toEqual(changed(3, 2, 1));
  const long = await running.post('/d', '12345');
  expect([long.status, await long.text()]).toEqual([413, expect.stringContaining('4 bytes')]);
  expect(running.pages.get(4)).toMatchObject({ truncated: true, sizeBytes: 4, answeredStatus: 413 });
});

test('applies the limits to callbacks of a file', async () => {
  const running = await startRunning({ limits: { keptCallbacks: 1 } });
  await running.call('store', [receivedCallback(), receivedCallback(), receivedCallback()]);
  await expect.poll(() => running.pages.counts().total).toBe(1);
});

test('never gives a callback from before its start an outcome', async () => {
  const running = await startRunning({ rows: [receivedCallback()] });
  await running.post();
  expect([1, 2].map((id) => running.pages.get(id)?.outcome.kind)).toEqual(['unrecorded', 'waiting']);
});

type Running = Awaited<ReturnType<typeof startRunning>>;
const noHost = 'POST /a HTTP/1.1\r\nContent-Length: 0\r\n\r\n';

/** One more than has a row at once. */
async function sendRefused({ port }: Running) {
  await Promise.all(Array.from({ length: 51 }, () => openRaw(port, noHost).answer));
}

test('stores what waits before it ends, and does nothing afterwards', async () => {
  const running = await startRunning();
  await running.post();
  await running.post();
  running.reported('changed');
  await running.close();
  expect(running.pages.get(1)?.outcome.kind).toBe('answered');
  running.clock.advance(60_000);
  expect(running.reported('changed')).toEqual([]);
  await expect(running.post()).rejects.toThrow('fetch failed');
});

test('counts refused requests a second later, and shows that', async () => {
  const running = await startRunning();
  await sendRefused(running);
  expect([running.pages.get(50)?.refusal?.count, running.reported('outcomes')]).toEqual([1, []]);
  running.clock.advance(1000);
  expect([running.pages.get(50)?.refusal?.count, running.reported('outcomes').length]).toEqual([2, 1]);
  // A count that cannot be written is lost.
  await sendRefused(running);
  running.db.exec('ALTER TABLE callbacks RENAME TO hidden');
  running.clock.advance(1000);
  expect(running.reported('outcomes')).toEqual([]);
});

test('counts refused requests before it ends', async () => {
  const running = await startRunning();
  await sendRefused(running);
  await running.close();
  expect(running.pages.get(50)?.refusal?.count).toBe(2);
});

test('stores a row for a request that its end breaks off', async () => {
  const running = await startRunning();
  openRaw(running.port, 'POST /half HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc');
  // The first bytes arrive before another request is answered.
  await running.post('/other');
  await running.close();
  expect(running.pages.get(2)).toMatchObject({ target: '/half', refusal: { reason: 'unfinished', count: 1 } });
});
