// How a file is imported piece by piece: what is stored at a time, and which problems are named.
import { describe, expect, test } from 'vitest';
import { createCallbackImport } from '#core/callbacks/callback-import.ts';

describe('a file', () => {
  const entry = (changes: object = {}) =>
    JSON.stringify({ receivedAt: '2026-11-21T06:00:00Z', method: 'POST', target: '/x', ...changes });
  function startImport(failure?: Error) {
    const stored: number[] = [];
    const { piece } = createCallbackImport({
      async store(rows) {
        if (failure) throw failure;
        stored.push(rows.length);
      },
    });
    return { piece, stored };
  }

  test('is imported line by line', async () => {
    const { piece, stored } = startImport();
    const text = `\uFEFF${entry()}\n\n  \n{}\nno\n${entry()}`;
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
      refused: 2,
      problems: [
        { line: 4, message: expect.stringContaining('receivedAt') },
        { line: 5, message: expect.stringContaining('JSON') },
      ],
    });
    expect(stored).toEqual([1, 1]);
    await expect(piece({ importId: first.importId, format: 'ndjson', piece: '', isLast: true })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      details: { field: 'importId' },
    });
  });

  test('is imported 200 rows or 4 MB at a time, and names 100 problems', async () => {
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

  test('is imported as one document', async () => {
    const { piece, stored } = startImport();
    const text = `\uFEFF[${entry()},7,${entry()}]`;
    const first = await piece({ importId: null, format: 'json', piece: text.slice(0, 50), isLast: false });
    expect([first.imported, stored]).toEqual([0, []]);
    const last = await piece({ importId: first.importId, format: 'json', piece: text.slice(50), isLast: true });
    expect(last).toMatchObject({ imported: 2, refused: 1, problems: [{ line: 2 }] });
    const har = JSON.stringify({
      log: { entries: [{ startedDateTime: '2026-11-21T06:00:00Z', request: { method: 'GET', url: '/' } }] },
    });
    expect(await piece({ importId: null, format: 'har', piece: har, isLast: true })).toMatchObject({
      imported: 1,
      refused: 0,
    });
    for (const [format, wrong] of [
      ['json', 'x'],
      ['json', '{}'],
      ['har', '[]'],
      ['har', '{"log":{"entries":7}}'],
    ] as const)
      // oxlint-disable-next-line no-await-in-loop
      await expect(piece({ importId: null, format, piece: wrong, isLast: true })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        details: { field: 'piece' },
      });
  });

  test('is one of 4 that are open', async () => {
    const { piece } = startImport();
    const open = () => piece({ importId: null, format: 'json', piece: '[', isLast: false });
    const first = await open();
    for (let index = 0; index < 3; index += 1)
      // oxlint-disable-next-line no-await-in-loop
      await open();
    const next = (importId: string, isLast = false) =>
      piece({ importId, format: 'json', piece: isLast ? ']' : '', isLast });
    expect(await next(first.importId)).toMatchObject({ imported: 0 });
    await open();
    await expect(next(first.importId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('fails if it cannot be stored', async () => {
    const failure = new Error('locked');
    await expect(
      startImport(failure).piece({ importId: null, format: 'ndjson', piece: entry(), isLast: true }),
    ).rejects.toBe(failure);
  });
});
