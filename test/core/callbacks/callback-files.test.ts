// Limits and boundaries of files with callbacks, and of deletions that end with the app.
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { CallbackChoice } from '#contract/app-rpc/callback-files.ts';
import type { ExportFormat } from '#contract/app-rpc/callback-formats.ts';
import { createCallbackDeletions } from '#core/callbacks/callback-deletions.ts';
import { createCallbackExport } from '#core/callbacks/callback-export.ts';
import { createCallbackImport } from '#core/callbacks/callback-import.ts';
import type { ReceivedCallback } from '#core/receiver/requests/received-callback.ts';
import { quietLog } from '../core-harness.ts';
import { createManualClock } from '../manual-clock.ts';
import { openCallbackStore, receivedCallback } from './callback-store.ts';

describe('an import', () => {
  const entry = (target: string) => JSON.stringify({ receivedAt: '2026-11-21T06:00:00Z', method: 'POST', target });
  function start() {
    const stored: ReceivedCallback[] = [];
    const { piece } = createCallbackImport({ store: async (rows) => void stored.push(...rows) });
    return { piece, targets: () => stored.map(({ target }) => target) };
  }

  test('joins a line that is in two pieces', async () => {
    const { piece, targets } = start();
    const text = `${entry('/a')}\n${entry('/b')}`;
    const first = await piece({ importId: null, format: 'ndjson', piece: text.slice(0, -10), isLast: false });
    expect(targets()).toEqual(['/a']);
    await piece({ importId: first.importId, format: 'ndjson', piece: text.slice(-10), isLast: true });
    expect(targets()).toEqual(['/a', '/b']);
  });

  test('takes a document of 128 MB, and ends at a longer one', async () => {
    const { piece } = start();
    const longest = ' '.repeat(128 * 1024 * 1024);
    const { importId } = await piece({ importId: null, format: 'json', piece: longest, isLast: false });
    const next = { importId, format: 'json' as const, piece: ' ', isLast: false };
    await expect(piece(next)).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'piece' } });
    await expect(piece(next)).rejects.toMatchObject({ code: 'NOT_FOUND', details: { field: 'importId' } });
  });

  test.each([
    ['json', '{', /not JSON \(.*JSON/],
    ['json', '{"log":{"entries":[]}}', /not a list/],
    ['har', '[]', /not a HAR/],
    ['har', '{"log":{}}', /not a HAR/],
  ] as const)('of %s names what is wrong with %s', async (format, text, message) => {
    await expect(start().piece({ importId: null, format, piece: text, isLast: true })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(message),
      details: { field: 'piece' },
    });
  });

  test('names what is wrong with a line', async () => {
    const { problems } = await start().piece({ importId: null, format: 'ndjson', piece: '{\n{}', isLast: true });
    expect(problems).toEqual([
      { line: 1, message: expect.stringMatching(/not JSON \(.*JSON/) },
      { line: 2, message: expect.stringContaining('receivedAt') },
    ]);
  });
});

describe('an export', () => {
  function start(rows: Parameters<typeof openCallbackStore>[0], baseUrl: string | null = null) {
    const { pages, search } = openCallbackStore(rows);
    const files = createCallbackExport({ pages, search, version: '1', baseUrl: () => baseUrl });
    return (choice: CallbackChoice, cursor: string | null = null, format: ExportFormat = 'json') =>
      files.page({ format, choice, cursor });
  }
  const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  const idsIn = (text: string) => (JSON.parse(text) as { id: number }[]).map(({ id }) => id);

  test('has 200 chosen callbacks in a page', () => {
    const page = start(range(201).map(() => receivedCallback()));
    const first = page({ kind: 'ids', ids: range(201) });
    expect([first.count, first.next === null]).toEqual([200, false]);
    expect(page({ kind: 'ids', ids: range(201) }, first.next)).toMatchObject({ count: 1, next: null });
    expect(page({ kind: 'ids', ids: range(200) })).toMatchObject({ count: 200, next: null });
  });

  test('ends a page at 2 MB', () => {
    const page = start(range(3).map(() => receivedCallback({ body: 'x'.repeat(1024 * 1024) })));
    const first = page({ kind: 'ids', ids: range(3) });
    expect(first.count).toBe(2);
    expect(page({ kind: 'ids', ids: range(3) }, first.next)).toMatchObject({ count: 1, next: null });
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

  test.each([
    [null, 'http://127.0.0.1/hooks/a'],
    ['https://127.0.0.1:4545', 'https://127.0.0.1:4545/hooks/a'],
  ])('has URLs of the receiver for callbacks without a Host header: %s', (baseUrl, url) => {
    const page = start([{ ...receivedCallback(), rawHeaders: [] }], baseUrl);
    const { log } = JSON.parse(page({ kind: 'ids', ids: [1] }, null, 'har').text) as {
      log: { entries: { request: { url: string } }[] };
    };
    expect(log.entries[0]?.request.url).toBe(url);
  });

  test.each(['x', '1', '1 begun ', '12345678901234567 begun', '-1 empty'])('refuses the cursor “%s”', (cursor) => {
    const page = start([receivedCallback()]);
    expect(() => page({ kind: 'ids', ids: [1] }, cursor)).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', details: { field: 'cursor' } }),
    );
  });
});

describe('a deletion', () => {
  function start(count: number) {
    const store = openCallbackStore(Array.from({ length: count }, () => receivedCallback()));
    const clock = createManualClock();
    const state = { changed: 0, removed: 0 };
    const deletions = createCallbackDeletions({
      ...store,
      remove: async (ids) => void (state.removed += store.writer.remove(ids)),
      clock,
      log: quietLog,
      onChanged: () => void (state.changed += 1),
    });
    return { clock, deletions, state };
  }

  test('hides no more callbacks once the app closes', async () => {
    const { deletions } = start(1200);
    const deleted = deletions.delete({ kind: 'query', query: '', throughId: 1200 });
    await deletions.close();
    expect(await deleted).toMatchObject({ count: 500 });
  });

  test('ends once, when the app closes before its time', async () => {
    const { clock, deletions, state } = start(1);
    await deletions.delete({ kind: 'ids', ids: [1] });
    await deletions.close();
    expect(state).toEqual({ changed: 2, removed: 1 });
    clock.advance(8000);
    await setImmediate();
    expect(state).toEqual({ changed: 2, removed: 1 });
  });

  test('is undone once', async () => {
    const { deletions } = start(1);
    const { deletionId } = await deletions.delete({ kind: 'ids', ids: [1] });
    expect(deletions.undo(deletionId)).toEqual({ count: 1 });
    expect(() => deletions.undo(deletionId)).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
  });
});
