// What the receiver's thread does for each message, and what it reports.
import { expect, test } from 'vitest';
import { receiverLimits } from '#core/receiver/access/receiver-limits.ts';
import { receivedCallback } from '#test/core/callbacks/callback-store.ts';
import { openRaw } from '#test/core/raw-http.ts';
import { startRunning } from './running-receiver.ts';

const answer = (status: number) => ({ name: 'a', path: '/*', steps: [{ kind: 'answer', status }] });
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

test('answers by new rules, and by those from the start', async () => {
  const running = await startRunning({ rules: { rules: [answer(201)] } });
  expect((await running.post()).status).toBe(201);
  await running.call('setRules', { pause: 'off', rules: [] });
  expect((await running.post()).status).toBe(200);
});

test.each([
  ['refuse', 503, '60'],
  ['drop', 200, null],
] as const)(
  'during a pause of kind %s answers %i, and stores nothing of a request, even a refused one',
  async (...given) => {
    const [pause, status, retryAfter] = given;
    const running = await startRunning();
    await running.call('setRules', { pause, rules: [] });
    const response = await running.post();
    expect([response.status, response.headers.get('retry-after')]).toEqual([status, retryAfter]);
    await openRaw(running.port, 'POST /a HTTP/1.1\r\nContent-Length: 0\r\n\r\n').answer;
    await running.post();
    expect(running.pages.counts()).toEqual({ newestId: 0, total: 0 });
  },
);

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
