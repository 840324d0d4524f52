// Looking through all stored callbacks: what is found (query-rows.test.ts has each term), how much one search reads, and sorted pages.
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { CallbackOrder } from '#contract/app-rpc/callback-verdicts.ts';
import { createCallbackSearch } from '#core/callbacks/callback-search.ts';
import type { ReceivedCallback } from '#core/receiver/requests/received-callback.ts';
import { monitorBody } from './callback-harness.ts';
import { noon, openCallbackStore, receivedCallback } from './callback-store.ts';

const json = ['content-type', 'application/json'];

type Changes = NonNullable<Parameters<typeof receivedCallback>[0]>;

function received({ body = '', ...changes }: Omit<Changes, 'body'> & { body?: unknown } = {}) {
  const text = Buffer.isBuffer(body) || typeof body === 'string' ? body : JSON.stringify(body);
  return receivedCallback({ rawHeaders: json, ...changes, body: text });
}

function openSearch(rows: readonly ReceivedCallback[], budget = { rows: 2000, bytes: 1e6 }, prepare = '') {
  const store = openCallbackStore(rows, { prepare, urls: () => new Map([['precipitation_1', null]]) });
  return { ...store, ...createCallbackSearch({ ...store, budget }) };
}

const rows = [
  received({ body: monitorBody('precipitation_1') }),
  received({ target: '/hooks/b?x=Y', method: 'GET', answeredStatus: 503, rawHeaders: ['User-Agent', 'curl/8'] }),
  received({
    body: '{"name":"Grüße aus Torino","list":[{"depth":7}],"n":822106502566256641}',
    rawHeaders: [...json, 'X-Id', 'a', 'X-Id', 'B', 'X-Place', Buffer.from('Zürich 東京').toString('latin1')],
  }),
  received({
    body: monitorBody('precipitation_1'),
    rawHeaders: [...json, 'webhook-id', 'test_1', 'rainbell-event', '1'],
    answeredStatus: 0,
  }),
  received({
    body: monitorBody('precipitation_2'),
    rawHeaders: [...json, 'webhook-id', 'e1'],
    remoteAddress: '10.0.0.9',
  }),
  received({ body: monitorBody('precipitation_2'), rawHeaders: [...json, 'webhook-id', 'e1'], truncated: true }),
];

describe('a search', () => {
  test('finds and counts what matches all terms', async () => {
    const { search, count } = openSearch(rows);
    for (const [query, ids] of [
      ['grüße torino', [3]],
      ['"aus torino"', [3]],
      ['東京', [3]],
      ['header:x-place=*東京', [3]],
      ['json:list[*].depth', [3]],
      ['json:n=822106502566256641', [3]],
      ['json:n=822106502566256600', []],
      ['json:geo.type=point monitor:*_1', [4, 1]],
      ['json:id=precipitation_* OR header:x-id=a', [6, 5, 4, 3, 1]],
      ['body:callback_uri -is:test', [6, 5, 1]],
    ] as const) {
      const found = search({ query, limit: 100 });
      expect([query, found.items.map(({ id }) => id)]).toEqual([query, ids]);
      expect([query, await count({ query }, rows.length)]).toEqual([query, ids.length]);
      expect(found).toMatchObject({ nextBeforeId: null, problems: [] });
    }
  });

  test('finds what matches beside a callback that nests too deep to be written as JSON', async () => {
    const deep = received({ body: `{"id":${'['.repeat(20_000)}${']'.repeat(20_000)}}` });
    const { search, count } = openSearch([...rows, deep]);
    const query = 'json:id=precipitation_1';
    expect(search({ query, limit: 100 }).items.map(({ id }) => id)).toEqual([4, 1]);
    expect(await count({ query }, rows.length + 1)).toBe(2);
  });

  test.each([
    ['json:geo.type=point', 1],
    ['body:point', 1],
    ['body:caf\u00e9', 2],
  ])('of %s looks into decoded bodies', (query, id) => {
    const encoded = { ...received(), body: gzipSync('{"geo":{"type":"Point"}}') };
    const latin = { ...received(), body: Buffer.from('caf\u00e9', 'latin1') };
    const { search } = openSearch([
      { ...encoded, rawHeaders: [...json, 'Content-Encoding', 'gzip'] },
      { ...latin, rawHeaders: ['Content-Type', 'text/plain; charset=ISO-8859-1'] },
    ]);
    expect(search({ query, limit: 10 }).items.map((item) => item.id)).toEqual([id]);
  });

  test('ends a piece after a number of decoded bytes', () => {
    const bomb = { ...received(), body: gzipSync(Buffer.alloc(900_000)), rawHeaders: ['Content-Encoding', 'gzip'] };
    const { search } = openSearch(Array.from({ length: 20 }, () => bomb));
    expect(search({ query: 'body:rain', limit: 100 })).toMatchObject({ scanned: 2, items: [] });
    expect(search({ query: 'method:post', limit: 100 }).scanned).toBe(20);
  });

  test('ends a piece after a number of body bytes, and at the page’s limit', () => {
    const { search } = openSearch(
      Array.from({ length: 10 }, () => received({ body: 'x'.repeat(1000) })),
      { rows: 2000, bytes: 3000 },
    );
    expect(search({ query: 'body:y', limit: 100 })).toMatchObject({ items: [], scanned: 3, nextBeforeId: 8 });
    expect(search({ query: 'x', limit: 2 })).toMatchObject({ scanned: 2, nextBeforeId: 9 });
    expect(search({ query: 'x', limit: 100, afterId: 9 })).toMatchObject({ scanned: 1, nextBeforeId: null });
  });
});

const start = (stored: readonly ReceivedCallback[], prepare = '') => {
  const { search, count, sorted, writer } = openSearch(stored, { rows: 8, bytes: 1e6 }, prepare);
  return { search: { search, count, sorted }, writer };
};
const many = (count: number) => Array.from({ length: count }, () => receivedCallback());

// A verdict costs more than reading a row, so four times fewer rows are read.
test.each([
  ['', 8],
  ['body:callback_uri', 8],
  ['-is:imported', 8],
  ['-is:refused', 8],
  ['is:event', 2],
  ['-is:error', 2],
  ['verdict:verified', 2],
  ['body:callback_uri -is:test', 2],
])('reads for “%s” %i rows', (query, scanned) => {
  const { search } = start(many(9));
  expect(search.search({ query, limit: 100 })).toMatchObject({ scanned, nextBeforeId: 10 - scanned });
});

test('reads on in several pieces to count and to sort', async () => {
  const { search } = start([...many(20), receivedCallback({ body: 'other' })]);
  const query = 'body:callback_uri';
  expect(await search.count({ query }, 21)).toBe(20);
  expect(await search.count({ query }, 7)).toBe(7);
  const { items, total } = await search.sorted({ query, order: 'oldest', throughId: 19, offset: 0, limit: 100 });
  // Of equal times, the newest is first.
  expect([items.map(({ id }) => id), total]).toEqual([Array.from({ length: 19 }, (_, index) => 19 - index), 19]);
});

test('counts more than 50,000 callbacks', async () => {
  const { search } = start(
    [],
    `WITH RECURSIVE ids (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM ids WHERE id < 50002)
     INSERT INTO callbacks (id, received_at, method, target, http_version, remote_address, answered_status, flags,
       size_bytes, headers, body)
     SELECT id, ${noon}, 'POST', '/', '1.1', '', 200, 0, 0, '[]', x'' FROM ids;
     UPDATE callback_counters SET newest_id = 50002 WHERE endpoint_id = ''`,
  );
  expect([await search.count({ query: '' }, 50_002), await search.count({ query: '' }, 50_001)]).toEqual([
    50_002, 50_001,
  ]);
});

describe('sorted pages', () => {
  const rows = [
    receivedCallback({ receivedAt: noon + 2, target: '/b', answeredStatus: 500, id: 'precipitation_2' }),
    receivedCallback({ receivedAt: noon + 1, target: '/c', answeredStatus: 200, body: 'a long body that names none' }),
    receivedCallback({ receivedAt: noon + 3, target: '/a', answeredStatus: 404, body: '{"id":"precipitation_1"}' }),
  ];

  test.each<[CallbackOrder, number[]]>([
    ['newest', [3, 1, 2]],
    ['oldest', [2, 1, 3]],
    ['path', [3, 1, 2]],
    ['monitor', [3, 1, 2]],
    ['answer', [2, 3, 1]],
    ['largest', [1, 2, 3]],
    ['smallest', [3, 2, 1]],
  ])('are sorted by %s', async (order, ids) => {
    const { search } = start(rows);
    const sorted = async (query: string) =>
      (await search.sorted({ query, order, throughId: 3, offset: 0, limit: 10 })).items.map(({ id }) => id);
    expect(await sorted('')).toEqual(ids);
    // Each callback must be read for this one.
    expect(await sorted('-body:nothing')).toEqual(ids);
    expect(await sorted('-body:nothing -path:/c')).toEqual(ids.filter((id) => id !== 2));
  });

  test('stay the same until the first is read again, or something else is wanted', async () => {
    const { search, writer } = start(many(6));
    const page = async (offset: number, order: CallbackOrder = 'newest') => {
      const { items, total } = await search.sorted({ query: '', order, throughId: 6, offset, limit: 2 });
      return [items.map(({ id }) => id), total];
    };
    expect(await page(0)).toEqual([[6, 5], 6]);
    writer.remove([3, 6]);
    // Another callback does not take the place of a deleted one.
    expect(await page(2)).toEqual([[4], 6]);
    expect(await page(4)).toEqual([[2, 1], 6]);
    expect(await page(2, 'largest')).toEqual([[2, 1], 4]);
    expect(await page(0)).toEqual([[5, 4], 4]);
  });

  test('and counts refuse a term that means nothing', async () => {
    const { search } = start(rows);
    const failure = { code: 'INVALID_INPUT', details: { field: 'query' }, message: expect.stringContaining('size:x') };
    await expect(search.count({ query: 'size:x' }, 3)).rejects.toMatchObject(failure);
    const wanted = { query: 'size:x', order: 'newest' as const, throughId: 3, offset: 0, limit: 1 };
    await expect(search.sorted(wanted)).rejects.toMatchObject(failure);
    expect(search.search({ query: 'size:x', limit: 1 }).problems).toHaveLength(1);
  });
});
