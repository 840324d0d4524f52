// What the writer stores of each callback, of refused requests and of a feed, what it counts, and which callbacks it removes.
import { describe, expect, test } from 'vitest';
import { everyRow } from '#core/receiver/records/callback-pages.ts';
import { createCallbackWriter } from '#core/receiver/records/callback-writer.ts';
import { receivedResponse } from '#core/receiver/responses/response-outcome.ts';
import { noon, openCallbackStore, receivedCallback } from '#test/core/callbacks/callback-store.ts';
import type { RefusalReason } from '#contract/app-rpc/callback-outcome.ts';

const endpoint = { id: 'e', name: 'e', path: '/e', keptCallbacks: null, keptDays: null, keptMegabytes: null };

// As JSON, two names and values of n and m characters have n + m + 7.
test.each([
  ['of 34 KB', 'x'.repeat(34 * 1024 - 8), 0],
  ['of more than 34 KB', 'x'.repeat(34 * 1024 - 7), 34 * 1024 + 1],
  ['of more than 34 KB in characters of two bytes', 'ü'.repeat(17 * 1024), 34 * 1024 + 8],
])('counts a head %s for the limit of bytes', (_, value, counted) => {
  const row = { ...receivedCallback({ body: '123' }), rawHeaders: ['a', value] };
  const { writer, db } = openCallbackStore([row]);
  expect(db.prepare('SELECT octet_length(headers) AS bytes FROM callbacks').get()?.['bytes']).toBe(
    Buffer.byteLength(JSON.stringify(row.rawHeaders)),
  );
  expect(writer.counters).toEqual({ newestId: 1, total: 1, bytes: 3 + counted });
  writer.remove([1, 9]);
  expect(writer.counters).toEqual({ newestId: 1, total: 0, bytes: 0 });
});

test('stores a batch as a whole or not at all, and with it the cursor of a feed', () => {
  const { db, writer, pages } = openCallbackStore([receivedCallback()]);
  db.exec(
    "CREATE TRIGGER broken BEFORE INSERT ON callbacks WHEN new.trailers IS NOT NULL BEGIN SELECT RAISE(ABORT, 'broken'); END",
  );
  const broken = receivedCallback({ rawTrailers: ['a', 'b'] });
  expect(() => writer.append([receivedCallback(), broken])).toThrow('broken');
  const feedEvent = { id: 'e', occurredAt: 1 };
  const feed = (row: typeof broken) => () =>
    writer.appendFeed([{ ...row, feedEvent }], { connectionId: 'a', source: 's', cursor: 'c' });
  expect(feed(broken)).toThrow('broken');
  expect(db.prepare("SELECT 1 FROM documents WHERE name LIKE 'feed cursor %'").get()).toBeUndefined();
  db.exec("CREATE TRIGGER no_cursor BEFORE INSERT ON documents BEGIN SELECT RAISE(ABORT, 'no cursor'); END");
  expect(feed(receivedCallback())).toThrow('no cursor');
  expect([writer.counters, pages.counts()]).toEqual([
    expect.objectContaining({ newestId: 1, total: 1 }),
    { newestId: 1, total: 1 },
  ]);
  db.exec('DROP TRIGGER broken');
  expect(writer.append([receivedCallback()])).toBe(2);
  expect(createCallbackWriter(db).counters).toEqual(writer.counters);
});

describe('the age of callbacks', () => {
  // Times of receipt in the order of IDs; how many of the first to delete, if what is older than 3 goes at 10.
  test.each<[number[], number]>([
    [[], 0],
    [[1, 2, 3], 2],
    [[3, 1], 0],
    [[1, 5, 1], 1],
    [[2], 1],
    [[20], 0],
    // Dated later than now, by a clock that was ahead: as old as the next one.
    [[20, 1, 5], 2],
    [[1, 20, 2, 20], 3],
    [[20, 10, 1], 0],
    [[20, 20, 20, 20, 1], 4],
    [[1, 1, 1, 1, 1], 4],
  ])('%j: %i are older', (times, count) => {
    const { db } = openCallbackStore([]);
    const writer = createCallbackWriter(db, () => [endpoint]);
    writer.append(times.map((receivedAt) => receivedCallback({ receivedAt, target: '/e' })));
    expect(writer.newestReceivedAt()).toBe(times.at(-1));
    // Those of others are ignored.
    writer.append([receivedCallback({ receivedAt: 1, target: '/other' })]);
    expect(writer.dropOlder(3, 10, 4, 'unknown')).toBe(0);
    expect([writer.dropOlder(3, 10, 4, 'e'), writer.endpointCounters('e').total]).toEqual([
      count,
      times.length - count,
    ]);
    const { writer: ofAll } = openCallbackStore(times.map((receivedAt) => receivedCallback({ receivedAt })));
    expect(ofAll.dropOlder(3, 10, 4)).toBe(count);
  });
});

test('counts a long response for the limit of bytes', () => {
  const { db } = openCallbackStore([]);
  const writer = createCallbackWriter(db, () => [endpoint]);
  writer.append(['/e', '/e', '/'].map((target) => receivedCallback({ target, body: '12' })));
  const ended = { kind: 'answered' as const, startedAfterMs: 1, endedAfterMs: 2, bytesSent: 3, isKeptAlive: true };
  const outcomes = ['ü'.repeat(2010), 'short', 'x'.repeat(5000)].map((body, index) => {
    return { ...ended, callbackId: index + 1, planned: { ...receivedResponse, body } };
  });
  writer.recordOutcomes(outcomes);
  const sizes = db.prepare('SELECT octet_length(response) AS bytes FROM callback_outcomes').all();
  const [first = 0, , third = 0] = sizes.map(({ bytes }) => Number(bytes));
  expect([writer.endpointCounters('e').bytes, writer.counters.bytes]).toEqual([4 + first, 6 + first + third]);
  writer.remove([1, 2, 3]);
  expect([writer.endpointCounters('e').bytes, writer.counters.bytes]).toEqual([0, 0]);
});

test('removes the oldest of all, or of an endpoint', () => {
  const { db, pages } = openCallbackStore([]);
  const writer = createCallbackWriter(db, () => [endpoint]);
  writer.append(['/', '/e', '/', '/e', '/e'].map((target) => receivedCallback({ target, body: '12' })));
  expect(writer.endpointCounters('e')).toEqual({ total: 3, bytes: 6 });
  expect([writer.dropOldest(2, 'e'), pages.ids({}, everyRow, 'id DESC')]).toEqual([2, [5, 3, 1]]);
  expect([writer.dropOldest(1), pages.ids({}, everyRow, 'id DESC')]).toEqual([1, [5, 3]]);
  expect([writer.dropOldest(9), writer.dropOldest(9), writer.remove([])]).toEqual([2, 0, 0]);
  expect(writer.endpointCounters('e')).toEqual({ total: 0, bytes: 0 });
});

test('counts no refused request for an endpoint', () => {
  const { db } = openCallbackStore([]);
  const writer = createCallbackWriter(db, () => [endpoint]);
  writer.append([
    receivedCallback({ target: '/e', refusal: 'timeout' }),
    receivedCallback({ target: '/e', body: '1' }),
  ]);
  expect(writer.endpointCounters('e')).toEqual({ total: 1, bytes: 1 });
  expect(db.prepare('SELECT id FROM callbacks WHERE endpoint_id IS NOT NULL').all()).toEqual([{ id: 2 }]);
});

function start() {
  const { db, pages, writer } = openCallbackStore([]);
  const append = (ids: readonly string[], connectionId = 'a', cursor = 'c') => {
    const rows = ids.map((id) => receivedCallback({ feedEvent: { id, occurredAt: 1 } }));
    writer.appendFeed(rows, { connectionId, source: 's', cursor });
    return pages.counts().newestId;
  };
  return { append, db };
}

test('keeps the newest cursor of each connection, with its source', () => {
  const { append, db } = start();
  append([], 'a', '');
  append([], 'b', '7');
  append([], 'b', '8');
  expect(db.prepare("SELECT name, json FROM documents WHERE name LIKE 'feed cursor %' ORDER BY name").all()).toEqual([
    { name: 'feed cursor a', json: '{"source":"s","cursor":""}' },
    { name: 'feed cursor b', json: '{"source":"s","cursor":"8"}' },
  ]);
});

test('stores an event of a connection once', () => {
  const { append } = start();
  expect([append(['1', '1', '2']), append(['1', '3']), append(['1'], 'b')]).toEqual([2, 3, 4]);
});

test('adds what was counted to the newest with the same reason', () => {
  const reasons: RefusalReason[] = ['timeout', 'timeout', 'malformed'];
  const { pages, writer } = openCallbackStore(reasons.map((refusal) => receivedCallback({ refusal })));
  writer.addRefusals([
    { reason: 'timeout', count: 4, lastAt: noon + 1000 },
    { reason: 'malformed', count: 2, lastAt: noon - 1000 },
    { reason: 'connect', count: 9, lastAt: noon },
  ]);
  const at = (ms: number) => new Date(noon + ms).toISOString();
  expect([1, 2, 3].map((id) => pages.get(id)?.refusal)).toEqual([
    { reason: 'timeout', count: 1, lastAt: at(0) },
    { reason: 'timeout', count: 5, lastAt: at(1000) },
    // The clock was set back.
    { reason: 'malformed', count: 3, lastAt: at(0) },
  ]);
});
