// How much of the store one search reads, and how sorted pages hold together.
import { describe, expect, test } from 'vitest';
import type { CallbackOrder } from '#contract/app-rpc/callback-verdicts.ts';
import { createCallbackSearch } from '#core/callbacks/callback-search.ts';
import { noon, openCallbackStore, receivedCallback } from './callback-store.ts';

function start(rows: Parameters<typeof openCallbackStore>[0], prepare = '') {
  const store = openCallbackStore(rows, { prepare });
  const search = createCallbackSearch({ ...store, budget: { rows: 8, bytes: 1e6 } });
  return { ...store, search };
}
const many = (count: number) => Array.from({ length: count }, () => receivedCallback());

// A verdict costs more than reading a row, so four times fewer rows are read.
test.each([
  ['', 8],
  ['body:callback_uri', 8],
  ['-is:imported', 8],
  ['-is:feed', 8],
  ['-is:noted', 8],
  ['-is:cut', 8],
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
     SELECT id, ${noon}, 'POST', '/', '1.1', '', 200, 0, 0, '[]', x'' FROM ids`,
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
