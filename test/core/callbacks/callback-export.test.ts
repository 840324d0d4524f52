// The pages of an exported file over the real database.
import { describe, expect, test } from 'vitest';
import type { CallbackChoice } from '#contract/app-rpc/callback-files.ts';
import type { ExportFormat } from '#contract/app-rpc/callback-formats.ts';
import { exportPage } from '#core/callbacks/callback-export.ts';
import { openCallbackStore, receivedCallback } from './callback-store.ts';

describe('an export', () => {
  function start(rows: Parameters<typeof openCallbackStore>[0], baseUrl: string | null = null) {
    const { search } = openCallbackStore(rows);
    return (choice: CallbackChoice, cursor: string | null = null, format: ExportFormat = 'json') =>
      exportPage({ search, version: '1', baseUrl }, { format, choice, cursor });
  }
  const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  const idsIn = (text: string) => (JSON.parse(text) as { id: number }[]).map(({ id }) => id);

  test('has 200 chosen callbacks in a page', () => {
    const page = start(range(201).map(() => receivedCallback()));
    // Some are gone, and the order is that of their IDs.
    expect(idsIn(page({ kind: 'ids', ids: [9, 999, 1] }).text)).toEqual([1, 9]);
    const first = page({ kind: 'ids', ids: range(201) });
    expect([first.count, first.next === null]).toEqual([200, false]);
    expect(page({ kind: 'ids', ids: range(201) }, first.next)).toMatchObject({ count: 1, next: null });
  });

  test('ends a page at 4 MB', () => {
    const page = start(range(5).map(() => receivedCallback({ body: 'x'.repeat(1024 * 1024) })));
    const first = page({ kind: 'ids', ids: range(5) });
    expect(first.count).toBe(4);
    expect(page({ kind: 'ids', ids: range(5) }, first.next)).toMatchObject({ count: 1, next: null });
  });

  test('is valid JSON if pages in the middle and at the end are empty', () => {
    const isFound = (id: number) => id === 1 || id === 2001;
    const page = start(range(3100).map((id) => receivedCallback({ body: isFound(id) ? 'needle' : 'hay' })));
    const choice = { kind: 'query' as const, query: 'body:needle', throughId: 3100 };
    const [counts, texts]: [number[], string[]] = [[], []];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const { text, count, next } = page(choice, cursor ?? null);
      counts.push(count);
      texts.push(text);
      cursor = next;
    }
    expect(counts).toEqual([1, 0, 1, 0]);
    expect(idsIn(texts.join(''))).toEqual([1, 2001]);
  });

  test.each(['', 'x', '1', '1 begun ', ' 1 begun', '12345678901234567 begun', '-1 empty'])(
    'refuses the cursor “%s”',
    (cursor) => {
      const page = start([receivedCallback()]);
      expect(() => page({ kind: 'ids', ids: [1] }, cursor)).toThrow(
        expect.objectContaining({ code: 'INVALID_INPUT', details: { field: 'cursor' } }),
      );
    },
  );
});
