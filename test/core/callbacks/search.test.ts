// Looking through all stored callbacks.
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { createCallbackValidator } from '#core/callbacks/callback-validator.ts';
import { createCallbackSearch } from '#core/callbacks/callback-search.ts';
import { openAppDatabase } from '#core/app/open-app-database.ts';
import { createCallbackPages } from '#core/receiver/records/callback-pages.ts';
import { createCallbackWriter } from '#core/receiver/records/callback-writer.ts';
import type { ReceivedCallback } from '#core/receiver/requests/received-callback.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { monitorBody } from './callback-harness.ts';

const json = ['content-type', 'application/json'];

function received(changes: Partial<Omit<ReceivedCallback, 'body'>> & { body?: unknown } = {}): ReceivedCallback {
  const { body = '', ...rest } = changes;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return {
    receivedAt: Date.parse('2026-11-21T06:00:00Z'),
    method: 'POST',
    target: '/hooks/a',
    httpVersion: '1.1',
    remoteAddress: '127.0.0.1',
    rawHeaders: json,
    truncated: false,
    answeredStatus: 200,
    ...rest,
    body: Buffer.from(text),
  };
}

function openSearch(rows: readonly ReceivedCallback[], budget = { rows: 2000, bytes: 1e6 }) {
  const database = openAppDatabase({ file: join(temporaryFolder(), 'app.sqlite'), clock: systemClock });
  onTestFinished(() => database.close());
  const writer = createCallbackWriter(database.db);
  for (let from = 0; from < rows.length; from += 500) writer.append(rows.slice(from, from + 500));
  const pages = createCallbackPages(database.db);
  const signing = () => ({ secrets: [], isClockMovable: false });
  const monitors = () => new Map([['precipitation_1', null]]);
  const validator = createCallbackValidator({ pages, monitors, signing });
  return { db: database.db, ...createCallbackSearch({ pages, validator, budget }) };
}

const rows = [
  received({ body: monitorBody('precipitation_1') }),
  received({ target: '/hooks/b?x=Y', method: 'GET', answeredStatus: 503, rawHeaders: ['User-Agent', 'curl/8'] }),
  received({
    body: { name: 'Grüße aus Torino', list: [{ depth: 7 }] },
    rawHeaders: [...json, 'X-Id', 'a', 'X-Id', 'B'],
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
  test.each([
    ['method:get', [2]],
    ['monitor:precipitation_2', [6, 5]],
    ['path:x=y', [2]],
    ['status:5xx', [2]],
    ['status:closed', [4]],
    ['status:200 -monitor:precipitation*', [3]],
    ['header:user-agent=CURL/8', [2]],
    ['header:x-id=b', [3]],
    ['header:webhook-id', [6, 5, 4]],
    ['grüsse', []],
    ['GRÜSSE', []],
    ['grüße torino', [3]],
    ['"aus torino"', [3]],
    ['json:list.0.depth=7', [3]],
    ['json:list[*].depth', [3]],
    ['json:geo.type=point monitor:*_1', [4, 1]],
    ['is:test', [4]],
    ['is:retry', []],
    ['is:cut', [6]],
    ['monitor:precipitation', []],
    ['monitor:PRECIPITATION_2', [6, 5]],
    ['monitor:*_1 OR method:get', [4, 2, 1]],
    ['json:id=precipitation_', []],
    ['json:id=precipitation_* OR header:x-id=a', [6, 5, 4, 3, 1]],
    ['header:user-agent=curl', []],
    ['header:user-agent=curl/*', [2]],
    ['size:0', [2]],
    ['size:>0 -body:callback_uri', [3]],
    ['before:2026-11-21T06:00', []],
    ['after:2026-11-21T06:00 before:2026-11-22 is:test', [4]],
    ['-outcome:waiting', []],
    ['outcome:waiting method:get', [2]],
    ['from:10.0', [5]],
    ['body:callback_uri -is:test', [6, 5, 1]],
  ])('for %s finds and counts what matches', async (query, ids) => {
    const { search, count } = openSearch(rows);
    const found = search({ query, limit: 100 });
    expect(found.items.map(({ id }) => id)).toEqual(ids);
    expect(await count({ query }, rows.length)).toBe(ids.length);
    expect(found).toMatchObject({ nextBeforeId: null, problems: [] });
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

  test('by a place in a list looks at that place only', () => {
    const list = [7, ...Array.from({ length: 200_000 }, (_, index) => index)];
    const { search } = openSearch([received({ body: { list } }), received({ body: { list: [8] } })]);
    // Of several looks, the one that nothing else disturbed: 48 ms on a slow machine, most of it for parsing.
    const looks = Array.from({ length: 5 }, () => {
      const startedAt = process.threadCpuUsage();
      const found = search({ query: 'json:list.0=7 -json:list.300000 -json:list.x -json:list.length', limit: 100 });
      expect(found.items.map(({ id }) => id)).toEqual([1]);
      return process.threadCpuUsage(startedAt).user / 1000;
    });
    expect(Math.min(...looks)).toBeLessThan(100);
  });

  test('says what is wrong with a term', () => {
    const { search } = openSearch(rows);
    expect(search({ query: 'is:nothing', limit: 100 }).problems).toMatchObject([{ term: 'is:nothing' }]);
  });

  test('of 100,000 callbacks goes on piece by piece, each short, and finds the one', () => {
    const many = Array.from({ length: 100_000 }, (_, index) =>
      received({ body: `{"n":${index}}`, target: `/hooks/${index % 50}` }),
    );
    const { search } = openSearch(many);
    const found: number[] = [];
    // Of CPU, because other work of the machine makes the time on the clock longer.
    const piecesMs: number[] = [];
    let beforeId: number | undefined;
    do {
      const startedAt = process.threadCpuUsage();
      const piece = search({ query: 'json:n=42424', limit: 100, beforeId });
      const { user, system } = process.threadCpuUsage(startedAt);
      piecesMs.push((user + system) / 1000);
      expect(piece.scanned).toBeLessThanOrEqual(2000);
      found.push(...piece.items.map(({ id }) => id));
      beforeId = piece.nextBeforeId ?? undefined;
    } while (beforeId !== undefined);
    expect(found).toEqual([42_425]);
    expect(piecesMs.toSorted((one, other) => one - other)[piecesMs.length >> 1]).toBeLessThan(100);
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

  test('leaves out what is hidden until its deletion is final', () => {
    const { search, db } = openSearch(rows);
    db.exec("INSERT INTO callback_deletions (callback_id, deletion) VALUES (5, 'one')");
    expect(search({ query: 'is:other monitor:*_2', limit: 10 }).items.map(({ id }) => id)).toEqual([6]);
    expect(search({ query: 'monitor:*_2', limit: 10 }).items.map(({ id }) => id)).toEqual([6]);
  });
});
