// How a file is imported piece by piece: what is stored at a time, and which problems are named.
import { describe, expect, test } from 'vitest';
import { createCallbackImport } from '#core/callbacks/callback-import.ts';

describe('an import', () => {
  const entry = (changes: object = {}) =>
    JSON.stringify({ receivedAt: '2026-11-21T06:00:00Z', method: 'POST', target: '/x', ...changes });
  function startImport(failure?: Error) {
    const stored: number[] = [];
    const piece = createCallbackImport(async (rows) => {
      if (failure) throw failure;
      stored.push(rows.length);
    });
    return { piece, stored };
  }

  test('goes line by line', async () => {
    const { piece, stored } = startImport();
    const text = `\uFEFF${entry()}\n\n  \n{}\nno\n${entry({ method: 'BAD METHOD' })}\n${entry()}`;
    const first = await piece({
      importId: null,
      format: 'ndjson',
      piece: text.slice(0, entry().length + 3),
      isLast: false,
    });
    expect(first).toEqual({ importId: expect.any(String), imported: 1, problems: [], refused: 0 });
    const last = await piece({
      importId: first.importId,
      format: 'ndjson',
      piece: text.slice(entry().length + 3),
      isLast: true,
    });
    expect(last).toEqual({
      importId: first.importId,
      imported: 2,
      refused: 3,
      problems: [
        { line: 4, message: 'receivedAt: is missing.' },
        { line: 5, message: expect.stringContaining('not JSON') },
        { line: 6, message: 'method: must be an HTTP method.' },
      ],
    });
    expect(stored).toEqual([1, 1]);
    await expect(piece({ importId: first.importId, format: 'ndjson', piece: '', isLast: true })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      details: { field: 'importId' },
    });
  });

  test('stores 200 rows or 4 MB at a time, and names 100 problems', async () => {
    const { piece, stored } = startImport();
    const lines = Array.from({ length: 401 }, () => entry()).join('\n');
    await piece({ importId: null, format: 'ndjson', piece: lines, isLast: true });
    expect(stored.splice(0)).toEqual([200, 200, 1]);
    const large = Array.from({ length: 5 }, () => entry({ body: 'b'.repeat(2 * 1024 * 1024) })).join('\n');
    await piece({ importId: null, format: 'ndjson', piece: large, isLast: true });
    expect(stored.splice(0)).toEqual([2, 2, 1]);
    const wrong = await piece({ importId: null, format: 'ndjson', piece: 'x\n'.repeat(101), isLast: true });
    expect([wrong.refused, wrong.problems.length, stored]).toEqual([101, 100, []]);
  });

  test('takes one document', async () => {
    const { piece, stored } = startImport();
    const text = `\uFEFF[${entry()},7,${entry()}]`;
    const first = await piece({ importId: null, format: 'json', piece: text.slice(0, 50), isLast: false });
    expect([first.imported, stored]).toEqual([0, []]);
    const last = await piece({ importId: first.importId, format: 'json', piece: text.slice(50), isLast: true });
    expect(last).toMatchObject({ imported: 2, refused: 1, problems: [{ line: 2 }] });
  });

  test('takes a document of 128 MB, and ends at a longer one', async () => {
    const { piece } = startImport();
    const longest = ' '.repeat(128 * 1024 * 1024);
    const { importId } = await piece({ importId: null, format: 'json', piece: longest, isLast: false });
    const next = { importId, format: 'json' as const, piece: ' ', isLast: false };
    await expect(piece(next)).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'piece' } });
    await expect(piece(next)).rejects.toMatchObject({ code: 'NOT_FOUND', details: { field: 'importId' } });
  });

  test.each([
    ['json', 'x', /not JSON \(.*JSON/],
    ['json', '{"log":{"entries":[]}}', /not a list/],
    ['har', '[]', /not a HAR/],
    ['har', '{"log":{}}', /not a HAR/],
  ] as const)('of %s names what is wrong with %s', async (format, text, message) => {
    await expect(startImport().piece({ importId: null, format, piece: text, isLast: true })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(message),
      details: { field: 'piece' },
    });
  });

  test('is one of 4 that are open', async () => {
    const { piece } = startImport();
    const open = () => piece({ importId: null, format: 'json', piece: '[', isLast: false });
    const first = await open();
    for (let index = 0; index < 3; index += 1) await open();
    const next = (importId: string, isLast = false) =>
      piece({ importId, format: 'json', piece: isLast ? ']' : '', isLast });
    expect(await next(first.importId)).toMatchObject({ imported: 0 });
    await open();
    await expect(next(first.importId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
