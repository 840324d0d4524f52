// What the receiver's thread does for each message, and what it reports.
import { expect, test } from 'vitest';
import { closedAccess } from '#core/receiver/access/listen-access.ts';
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
  await running.call('setRules', { pause: 'refuse', rules: [] });
  const refused = await running.post();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60']);
  await running.call('setRules', { pause: 'drop', rules: [] });
  expect((await running.post()).status).toBe(200);
  expect(running.pages.counts()).toEqual({ newestId: 2, total: 2 });
});

test('moves to a port, and stays if that is in use', async () => {
  const running = await startRunning();
  const other = await startRunning();
  const suggested = await running.call('move', other.port);
  expect(suggested).not.toBe(other.port);
  expect((await running.post()).status).toBe(200);
  await expect(running.post('/', 'x', suggested)).rejects.toThrow('fetch failed');
  expect(await running.call('move', suggested)).toBe(suggested);
  expect((await running.post('/', 'x', suggested)).status).toBe(200);
  await expect(running.post()).rejects.toThrow('fetch failed');
  await running.close();
  await expect(running.post('/', 'x', suggested)).rejects.toThrow('fetch failed');
});

test('listens in place of the port before', async () => {
  const running = await startRunning();
  const other = await startRunning();
  // The next free port, so not the one before.
  const port = await running.call('listen', other.port, closedAccess);
  expect((await running.post('/', 'x', port)).status).toBe(200);
  expect(other.pages.counts().total).toBe(0);
  await running.call('listen', 0, closedAccess);
  await expect(running.post('/', 'x', port)).rejects.toThrow('fetch failed');
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

const endpoint = { name: 'A', id: 'a', path: '/a', keptCallbacks: 1, keptDays: null, keptMegabytes: null };

test('counts what comes to an endpoint, and applies its limits', async () => {
  const running = await startRunning({ endpoints: [{ ...endpoint, keptCallbacks: null }] });
  await running.post('/a', '12');
  await running.post('/b');
  await running.post('/a', '345');
  const counters = () => running.db.prepare("SELECT total, bytes FROM callback_counters WHERE endpoint_id = 'a'").all();
  expect(counters()).toEqual([{ total: 2, bytes: 5 }]);
  await running.call('setEndpoints', [endpoint]);
  await expect.poll(counters).toEqual([{ total: 1, bytes: 3 }]);
  expect(targets(running)).toEqual(['/a', '/b']);
});

const fromFile = {
  receivedAt: 0,
  method: 'PUT',
  target: '/file',
  httpVersion: '1.1',
  remoteAddress: '',
  rawHeaders: [],
  truncated: false,
  answeredStatus: 200,
  body: new Uint8Array([1, 2]),
};

test('stores callbacks of a file and of the feed, and removes them', async () => {
  const running = await startRunning();
  await running.call('store', [{ ...fromFile, isImported: true }]);
  expect(running.pages.get(1)).toMatchObject({ body: Buffer.from([1, 2]), isImported: true });
  const fed = { ...fromFile, feedEvent: { id: 'evt_1', occurredAt: 5 } };
  const progress = { connectionId: 'a', source: 'b', cursor: 'c' };
  await running.call('storeFeed', [fed], progress);
  expect(running.pages.get(2)?.feed).toEqual({ connectionId: 'a', eventId: 'evt_1', occurredAt: 5 });
  await running.call('remove', [1]);
  running.clock.advance(50);
  expect(running.reported('changed')).toEqual([changed(1, 1), changed(2, 1)]);
  await running.call('clear');
  expect(running.pages.counts()).toEqual({ newestId: 2, total: 0 });
});

test('applies the limits to callbacks of a file', async () => {
  const running = await startRunning({ limits: { keptCallbacks: 1 } });
  await running.call('store', [fromFile, fromFile, fromFile]);
  await expect.poll(() => running.pages.counts().total).toBe(1);
});

test('never gives a callback from before its start an outcome', async () => {
  const running = await startRunning({ rows: [receivedCallback()] });
  await running.post();
  expect([1, 2].map((id) => running.pages.get(id)?.outcome.kind)).toEqual(['unrecorded', 'waiting']);
});

test('applies the limits to what it receives', async () => {
  const running = await startRunning({ limits: { keptCallbacks: 1 } });
  for (const path of ['/a', '/b']) await running.post(path);
  await expect.poll(() => targets(running)).toEqual(['/b']);
});

test.each(['refuse', 'drop'])('notes no refused request during a pause: %s', async (pause) => {
  const running = await startRunning({ rules: { pause } });
  await openRaw(running.port, 'POST /a HTTP/1.1\r\nContent-Length: 0\r\n\r\n').answer;
  await running.post();
  expect(running.pages.counts().total).toBe(0);
});

test('holds a request until the user responds, or until it stops', async () => {
  const running = await startRunning({ rules: { rules: [{ name: 'h', path: '/*', steps: [{ kind: 'hold' }] }] } });
  const response = running.post('/held');
  await expect.poll(() => running.pages.counts().total).toBe(1);
  expect(running.reported('held')).toEqual([
    { kind: 'held', held: [expect.objectContaining({ callbackId: 1, target: '/held', rule: 'h' })] },
  ]);
  const typed = { status: 202, headers: [], body: 'typed' };
  expect(await running.call('respondToHeld', 2, typed)).toBe(false);
  expect(await running.call('respondToHeld', 1, typed)).toBe(true);
  expect([(await response).status, await (await response).text()]).toEqual([202, 'typed']);
  expect(running.reported('held')).toEqual([{ kind: 'held', held: [] }]);
  const stopped = running.post('/late');
  await expect.poll(() => running.pages.counts().total).toBe(2);
  const closed = running.close();
  await expect.poll(() => running.clock.advance(0) ?? running.reported('held').length).toBeGreaterThan(0);
  expect((await stopped).status).toBe(503);
  await closed;
});
