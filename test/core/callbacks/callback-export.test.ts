// The pages of an exported file over the real database.
import { expect, test } from 'vitest';
import { createCallbackExport } from '#core/callbacks/callback-export.ts';
import { openCallbackStore, receivedCallback } from './callback-store.ts';

test('a file is exported in pages of 200 callbacks or 2 MB', () => {
  const { pages, search } = openCallbackStore([
    ...Array.from({ length: 201 }, () => receivedCallback({ body: 'a' })),
    ...Array.from({ length: 5 }, () => receivedCallback({ body: Buffer.alloc(1024 * 1024, 97) })),
  ]);
  const { page } = createCallbackExport({ pages, search, version: '0.1.0', baseUrl: () => null });
  const ids = { kind: 'ids' as const, ids: [204, 203, 202, 9, 999, 1] };
  const one = page({ format: 'json', choice: ids, cursor: null });
  expect([one.count, one.next, one.text.startsWith('[\n{"id":1,'), one.text.endsWith('}')]).toEqual([
    4,
    '4 begun',
    true,
    true,
  ]);
  const two = page({ format: 'json', choice: ids, cursor: one.next });
  expect([two.count, two.next, two.text.startsWith(',\n{"id":204,'), two.text.endsWith('}\n]\n')]).toEqual([
    1,
    null,
    true,
    true,
  ]);
  const gone = { kind: 'ids' as const, ids: Array.from({ length: 201 }, (_, index) => index + 1000) };
  expect(page({ format: 'json', choice: gone, cursor: null })).toEqual({ text: '[\n\n]\n', count: 0, next: null });
  const all = { kind: 'query' as const, query: '', throughId: 201 };
  const first = page({ format: 'ndjson', choice: all, cursor: null });
  expect([first.count, first.next]).toEqual([200, '200 begun']);
  const last = page({ format: 'ndjson', choice: all, cursor: first.next });
  expect([last.count, last.next, JSON.parse(last.text)]).toMatchObject([1, null, { id: 201 }]);
  const none = { kind: 'query' as const, query: 'body:z', throughId: 206 };
  const emptyPage = page({ format: 'json', choice: none, cursor: null });
  expect(emptyPage).toMatchObject({ text: '[\n', count: 0, next: '205 empty' });
  expect(page({ format: 'json', choice: none, cursor: '205 empty' })).toEqual({
    text: '\n]\n',
    count: 0,
    next: null,
  });
  expect(page({ format: 'json', choice: { ...all, throughId: 1 }, cursor: '0 empty' }).text).toMatch(
    /^\{"id":1,.*\}\n\]\n$/s,
  );
  expect(page({ format: 'json', choice: { ...all, throughId: 1 }, cursor: '0 begun' }).text).toMatch(
    /^,\n\{"id":1,.*\}\n\]\n$/s,
  );
  for (const cursor of ['', '1', 'x begun', '1 begun ', ' 1 begun', '12345678901234567 begun'])
    expect(() => page({ format: 'json', choice: all, cursor })).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', details: { field: 'cursor' } }),
    );
  const har = JSON.parse(page({ format: 'har', choice: { kind: 'ids', ids: [1, 2] }, cursor: null }).text) as {
    log: { entries: object[] };
  };
  expect(har).toMatchObject({ log: { version: '1.2', creator: { name: 'Rainbell', version: '0.1.0' } } });
  expect(har.log.entries).toMatchObject([{ request: { url: 'http://127.0.0.1/hooks/a' } }, {}]);
  expect(page({ format: 'csv', choice: { kind: 'ids', ids: [1, 2] }, cursor: null }).text.split('\r\n')).toHaveLength(
    4,
  );
});
