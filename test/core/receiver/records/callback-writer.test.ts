// What the writer stores of each callback, what it counts, and which callbacks it removes.
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createCallbackWriter } from '#core/receiver/records/callback-writer.ts';
import { openCallbackStore, receivedCallback } from '#test/core/callbacks/callback-store.ts';

const plain = ['content-type', 'application/json'];
const gzip = [...plain, 'Content-Encoding', 'gzip'];
const utf16 = ['Content-Type', 'application/json; charset=utf-16le'];
const latin1 = ['X-A', 'b', 'Content-Type', 'application/json; charset=iso-8859-1'];
/** A JSON object of so many bytes. */
const objectOf = (bytes: number) => `{"id":"m","x":"${'x'.repeat(bytes - 17)}"}`;

test.each<[string, string | Buffer, string[], string | null]>([
  ['an object', '{"a":1,"id":"m"}', plain, 'm'],
  ['an object without an ID', '{"ID":"m"}', plain, null],
  ['an object with a number', '{"id":5}', plain, null],
  ['an object in an object', '{"a":{"id":"m"}}', plain, null],
  ['broken JSON', '{"id":"m"', plain, null],
  ['a list', '[{"id":"m"}]', plain, null],
  ['null', ' null', plain, null],
  ['a number', '\t7', plain, null],
  ['text', 'id', plain, null],
  ['nothing', '', plain, null],
  ['an object behind a space', ' {"id":"m"}', plain, 'm'],
  ['an object behind a tab', '\t{"id":"m"}', plain, 'm'],
  ['an object on the next line', '\r\n{"id":"m"}', plain, 'm'],
  ['an object behind a byte order mark', '\uFEFF{"id":"m"}', plain, 'm'],
  ['an object in UTF-16', Buffer.from('{"id":"m"}', 'utf16le'), utf16, 'm'],
  ['an object in Latin-1', Buffer.from('{"id":"ü"}', 'latin1'), latin1, 'ü'],
  ['a compressed object', gzipSync('{"id":"m"}'), gzip, 'm'],
  ['a compressed object without its coding', gzipSync('{"id":"m"}'), plain, null],
  ['an object that is not compressed', '{"id":"m"}', gzip, 'm'],
  ['a broken compressed object', '{"x"', gzip, null],
  ['an object of 16 KB', objectOf(16_384), plain, 'm'],
  ['an object of more than 16 KB', objectOf(16_385), plain, null],
  ['a compressed object of 16 KB', gzipSync(objectOf(16_384)), gzip, 'm'],
  ['a compressed object of more than 16 KB', gzipSync(objectOf(16_385)), gzip, null],
  ['an object with a long ID', `{"id":"${'i'.repeat(201)}"}`, plain, 'i'.repeat(200)],
])('finds the monitor of %s', (_, body, rawHeaders, monitorId) => {
  const { pages } = openCallbackStore([{ ...receivedCallback({ body }), rawHeaders }]);
  expect(pages.get(1)?.monitorId).toBe(monitorId);
});

test('finds no monitor in a refused request', () => {
  const { pages } = openCallbackStore([receivedCallback({ refusal: 'timeout' }), receivedCallback()]);
  expect([pages.get(1)?.monitorId, pages.get(2)?.monitorId]).toEqual([null, 'precipitation_1']);
});

test('keeps what is special about a callback', () => {
  const rows = [
    {},
    { truncated: true },
    { isImported: true },
    { refusal: 'timeout' as const },
    { body: 'x'.repeat(5000) },
  ];
  const { pages } = openCallbackStore(rows.map((row) => receivedCallback(row)));
  const special = rows.map((_, index) => {
    const { truncated, isImported, isByFeed, refusal, isBodyLost } = pages.get(index + 1) ?? {};
    return [truncated, isImported, isByFeed, refusal?.reason, isBodyLost];
  });
  expect(special).toEqual([
    [false, false, false, undefined, false],
    [true, false, false, undefined, false],
    [false, true, false, undefined, false],
    [false, false, false, 'timeout', false],
    [false, false, false, undefined, false],
  ]);
});

test('keeps a head that is not written as usual', () => {
  const usual = 'POST /a HTTP/1.1\r\nhost: a\r\n\r\n';
  const row = { ...receivedCallback({ target: '/a' }), rawHeaders: ['host', 'a'] };
  const heads = [Buffer.from(usual), Buffer.from(usual.replace('host: ', 'host:'))];
  const { db, pages } = openCallbackStore([row, ...heads.map((head) => ({ ...row, head }))]);
  const shown = [1, 2, 3].map((id) => pages.get(id)?.head());
  expect(shown).toEqual([
    { base64: Buffer.from(usual).toString('base64'), isExact: false },
    { base64: heads[0]?.toString('base64'), isExact: true },
    { base64: heads[1]?.toString('base64'), isExact: true },
  ]);
  expect(db.prepare('SELECT callback_id FROM callback_heads').all()).toEqual([{ callback_id: 3 }]);
});

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

test('stores a batch as a whole or not at all', () => {
  const { db, writer, pages } = openCallbackStore([receivedCallback()]);
  db.exec('ALTER TABLE callback_trailers RENAME TO hidden');
  const broken = receivedCallback({ rawTrailers: ['a', 'b'] });
  expect(() => writer.append([receivedCallback(), broken])).toThrow('no such table');
  expect([writer.counters, pages.counts()]).toEqual([
    expect.objectContaining({ newestId: 1, total: 1 }),
    { newestId: 1, total: 1 },
  ]);
  db.exec('ALTER TABLE hidden RENAME TO callback_trailers');
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
    const endpoint = { id: 'e', name: 'e', path: '/e', keptCallbacks: null, keptDays: null, keptMegabytes: null };
    const { db } = openCallbackStore([]);
    const writer = createCallbackWriter(db, () => [endpoint]);
    writer.append(times.map((receivedAt) => receivedCallback({ receivedAt, target: '/e' })));
    expect([writer.countOlder(3, 10, 4), writer.countOlder(3, 10, 4, 'e')]).toEqual([count, count]);
    expect(writer.newestReceivedAt()).toBe(times.at(-1));
    // Those of others do not count.
    writer.append([receivedCallback({ receivedAt: 1, target: '/other' })]);
    expect(writer.countOlder(3, 10, 4, 'e')).toBe(count);
    expect(writer.countOlder(3, 10, 4, 'unknown')).toBe(0);
  });
});

test('removes the oldest of all, or of an endpoint', () => {
  const endpoint = { id: 'e', name: 'e', path: '/e', keptCallbacks: null, keptDays: null, keptMegabytes: null };
  const { db, pages } = openCallbackStore([]);
  const writer = createCallbackWriter(db, () => [endpoint]);
  writer.append(['/', '/e', '/', '/e', '/e'].map((target) => receivedCallback({ target, body: '12' })));
  expect(writer.endpointCounters('e')).toEqual({ total: 3, bytes: 6 });
  expect([writer.dropOldest(2, 'e'), pages.idsIn({}, 9)]).toEqual([2, [5, 3, 1]]);
  expect([writer.dropOldest(1), pages.idsIn({}, 9)]).toEqual([1, [5, 3]]);
  expect([writer.dropOldest(9), writer.dropOldest(9), writer.remove([])]).toEqual([2, 0, 0]);
  expect(writer.endpointCounters('e')).toEqual({ total: 0, bytes: 0 });
});

test('keeps 5,000 refused requests, and ten percent more at times', () => {
  const { writer, pages } = openCallbackStore([receivedCallback()]);
  const refused = (count: number) =>
    Array.from({ length: count }, () => receivedCallback({ refusal: 'timeout', body: '' }));
  writer.append(refused(5500));
  expect(pages.counts().total).toBe(5501);
  writer.append(refused(1));
  expect(pages.counts()).toEqual({ newestId: 5502, total: 5001 });
  expect(pages.idsIn({ beforeId: 600 }, 2000).slice(-2)).toEqual([503, 1]);
  writer.append(refused(1));
  expect(pages.counts().total).toBe(5002);
});

test('stores each event of a feed once', () => {
  const { writer, pages, db } = openCallbackStore([]);
  const progress = { connectionId: 'a', source: 's', cursor: '1' };
  const event = (id: string) => receivedCallback({ feedEvent: { id, occurredAt: 7 } });
  writer.appendFeed([event('1'), event('2'), event('1')], progress);
  writer.appendFeed([event('2'), event('3')], { ...progress, cursor: '2' });
  writer.appendFeed([event('3')], { ...progress, connectionId: 'b' });
  const origins = [...pages.rows({}, 'oldestFirst')].map(({ feed }) => `${feed?.connectionId} ${feed?.eventId}`);
  expect(origins).toEqual(['a 1', 'a 2', 'a 3', 'b 3']);
  expect(db.prepare('SELECT connection_id AS id, cursor FROM feed_cursors ORDER BY 1').all()).toEqual([
    { id: 'a', cursor: '2' },
    { id: 'b', cursor: '1' },
  ]);
});
