// Counting by time and verdict in the database, and sorting.
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { axisOf, createHistogram } from '#core/callbacks/callback-histogram.ts';
import { createCallbackIndex } from '#core/callbacks/callback-index.ts';
import { createCallbackValidator } from '#core/callbacks/callback-validator.ts';
import { createEventIds } from '#core/callbacks/event-ids.ts';
import { createCallbackSearch } from '#core/callbacks/callback-search.ts';
import { openAppDatabase } from '#core/app/open-app-database.ts';
import { createCallbackPages } from '#core/receiver/records/callback-pages.ts';
import type { CallbackOrder } from '#contract/app-rpc/callback-verdicts.ts';
import { receivedResponse } from '#core/receiver/responses/response-outcome.ts';
import { createCallbackWriter } from '#core/receiver/records/callback-writer.ts';
import type { ReceivedCallback } from '#core/receiver/requests/received-callback.ts';
import { createManualClock } from '../manual-clock.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { monitorBody } from './callback-harness.ts';

const noon = Date.parse('2026-11-21T12:00:00Z');
const minute = 60_000;

function received(minutes: number, changes: Partial<Omit<ReceivedCallback, 'body'>> & { id?: string } = {}) {
  const { id = 'precipitation_1', ...rest } = changes;
  const body = id === '' ? '{"hello":"rain"}' : JSON.stringify(monitorBody(id));
  return {
    receivedAt: noon + minutes * minute,
    method: 'POST',
    target: '/hooks/a',
    httpVersion: '1.1',
    remoteAddress: '127.0.0.1',
    rawHeaders: ['content-type', 'application/json', 'host', '127.0.0.1'],
    truncated: false,
    answeredStatus: 200,
    ...rest,
    body: Buffer.from(body),
  } satisfies ReceivedCallback;
}

/** By ID from 1: what the service that does not sign is held to have meant. */
const rows = [
  received(0),
  received(20),
  received(70),
  received(71, { id: '' }),
  received(72, { target: '/hooks/other' }),
  received(73, { id: 'precipitation_9' }),
];

function openStore(stored: readonly ReceivedCallback[] = rows) {
  const database = openAppDatabase({ file: join(temporaryFolder(), 'app.sqlite'), clock: systemClock });
  onTestFinished(() => database.close());
  const { db } = database;
  const writer = createCallbackWriter(db);
  for (let from = 0; from < stored.length; from += 500) writer.append(stored.slice(from, from + 500));
  const pages = createCallbackPages(db);
  const known = { monitors: new Map([['precipitation_1', 'http://127.0.0.1/hooks/a']]) };
  const signing = () => ({ secrets: [], isClockMovable: false });
  const validator = createCallbackValidator({ pages, monitors: () => known.monitors, signing });
  const eventIds = createEventIds(db);
  const index = createCallbackIndex({ db, validator, eventIds, now: () => performance.now() });
  const search = createCallbackSearch({ pages, validator, index });
  const clock = createManualClock(noon + 80 * minute);
  const histogram = createHistogram({ index, search, validator, newestId: () => pages.counts().newestId, clock });
  /** Until no verdict is left to be found. */
  const whole = async (input: Partial<Parameters<typeof histogram>[0]>) => {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop
      const result = await histogram({ query: '', selected: null, seconds: null, bars: 120, ...input });
      if (result.unvalidated === 0) return result;
    }
  };
  return { db, writer, search, index, known, validator, whole };
}

const facetsOf = ({ facets }: { facets: { verdict: string; count: number }[] }) =>
  Object.fromEntries(facets.filter(({ count }) => count > 0).map(({ verdict, count }) => [verdict, count]));

describe('the histogram', () => {
  test('counts each bar by verdict', async () => {
    const { whole } = openStore();
    const { barSeconds, bars, ...rest } = await whole({ seconds: 2 * 3600, bars: 13 });
    expect(barSeconds).toBe(600);
    expect(bars).toEqual([
      { at: '2026-11-21T12:00:00.000Z', counts: [{ verdict: 'unsigned', count: 1 }] },
      { at: '2026-11-21T12:20:00.000Z', counts: [{ verdict: 'too-soon', count: 1 }] },
      {
        at: '2026-11-21T13:10:00.000Z',
        counts: [
          { verdict: 'too-soon', count: 1 },
          { verdict: 'request', count: 3 },
        ],
      },
    ]);
    expect(facetsOf(rest)).toEqual({ unsigned: 1, 'too-soon': 2, request: 3 });
  });

  test('counts what a query finds, whether the database or a look at each callback decides', async () => {
    const { whole } = openStore();
    expect(facetsOf(await whole({ query: 'path:other' }))).toEqual({ request: 1 });
    expect(facetsOf(await whole({ query: 'body:callback_uri' }))).toEqual({
      unsigned: 1,
      'too-soon': 2,
      request: 2,
    });
  });

  test('asks the database for no list of what was read, which each of its windows would read', async () => {
    const { index, search, validator } = openStore();
    const count = () => Promise.reject(new Error('asked the database'));
    const newestId = () => rows.length;
    const clock = createManualClock(noon + 80 * minute);
    const histogram = createHistogram({ index: { ...index, count }, search, validator, newestId, clock });
    const input = { selected: null, seconds: null, bars: 120 };
    expect((await histogram({ ...input, query: 'body:callback_uri' })).facets).toContainEqual({
      verdict: 'request',
      count: 2,
    });
    await expect(histogram({ ...input, query: 'path:other' })).rejects.toThrow('asked the database');
  });

  test('counts the verdicts of the selected time, and leaves the bars as they are', async () => {
    const { whole } = openStore();
    const selected = { from: '2026-11-21T12:20:00Z', to: '2026-11-21T13:11:00Z' };
    const result = await whole({ selected });
    expect(facetsOf(result)).toEqual({ 'too-soon': 2 });
    expect(result.bars.flatMap(({ counts }) => counts).reduce((sum, { count }) => sum + count, 0)).toBe(6);
  });

  test('follows new callbacks, deleted ones, and verdicts that changed', async () => {
    const { whole, writer, db, known, validator, index } = openStore();
    await whole({});
    writer.append([received(79, { id: '' })]);
    db.exec("INSERT INTO callback_deletions (callback_id, deletion) VALUES (4, 'one')");
    expect(facetsOf(await whole({}))).toEqual({ unsigned: 1, 'too-soon': 2, request: 3 });
    writer.remove([4, 5]);
    known.monitors = new Map([['precipitation_9', 'http://127.0.0.1/hooks/a']]);
    validator.clear();
    index.clear();
    expect(facetsOf(await whole({}))).toEqual({ unsigned: 1, request: 4 });
  });

  test.each([
    [{ seconds: 900, bars: 120, oldestAt: null }, 10],
    [{ seconds: 3600, bars: 120, oldestAt: null }, 60],
    [{ seconds: 86_400, bars: 120, oldestAt: null }, 1800],
    [{ seconds: null, bars: 120, oldestAt: noon - 5000 }, 1],
    [{ seconds: null, bars: 120, oldestAt: noon - 4 * 86_400_000 }, 3600],
    [{ seconds: null, bars: 120, oldestAt: noon - 20 * 365 * 86_400_000 }, 62 * 86_400],
  ])('of %o has bars of %i s, and at most the requested number', (input, seconds) => {
    const { from, to, barMs } = axisOf({ ...input, now: noon });
    expect(barMs / 1000).toBe(seconds);
    expect((to - from) / barMs).toBeLessThanOrEqual(input.bars);
    expect(to).toBeGreaterThan(noon);
    expect(from).toBeLessThanOrEqual(input.oldestAt ?? noon);
  });
});

describe('a filter beside the query', () => {
  const filter = { from: '2026-11-21T13:10:00Z', to: '2026-11-21T13:12:00Z' };
  test.each([
    [{ query: '', verdicts: ['too-soon' as const] }, [3, 2]],
    [{ query: 'verdict:unsigned OR verdict:request' }, [6, 5, 4, 1]],
    [{ query: '-verdict:request' }, [3, 2, 1]],
    [{ query: '', ...filter }, [4, 3]],
    [{ query: 'path:/hooks/a OR path:other', ...filter, verdicts: ['request' as const] }, [4]],
  ])('finds, counts, and sorts by %o', async (wanted, ids) => {
    const { search } = openStore();
    expect(search.search({ ...wanted, limit: 100 }).items.map(({ id }) => id)).toEqual(ids);
    expect(await search.count(wanted, rows.length)).toBe(ids.length);
    expect(search.search({ ...wanted, limit: 100 }).items.map(({ id }) => id)).toEqual(ids);
    const sorted = await search.sorted({ ...wanted, order: 'oldest', throughId: 6, offset: 0, limit: 100 });
    expect(sorted.items.map(({ id }) => id)).toEqual(ids.toReversed());
  });

  test.each([
    ['largest', [6, 5, 3, 2, 1, 4]],
    ['smallest', [4, 6, 5, 3, 2, 1]],
    ['path', [6, 4, 3, 2, 1, 5]],
    ['monitor', [5, 3, 2, 1, 6, 4]],
    ['verdict', [3, 2, 1, 6, 5, 4]],
  ] as const)('sorts by %s, page by page', async (order, ids) => {
    const { search } = openStore();
    const page = (offset: number) => search.sorted({ query: '', order, throughId: 6, offset, limit: 4 });
    const [first, second] = [await page(0), await page(4)];
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids);
    expect(first.total).toBe(6);
  });

  test('sorts by how long the responses took, those without one last', async () => {
    const { search, writer } = openStore();
    const outcome = { planned: receivedResponse, startedAfterMs: 1, bytesSent: 100, isKeptAlive: true };
    const took: [number, number][] = [
      [1, 255],
      [2, 70_000],
      [3, 256],
    ];
    const answered = took.map(([callbackId, endedAfterMs]) => ({
      ...outcome,
      callbackId,
      endedAfterMs,
      kind: 'answered' as const,
    }));
    writer.append([], [...answered, { ...outcome, callbackId: 5, kind: 'closed', endedAfterMs: 1500 }]);
    const sorted = async (order: CallbackOrder) =>
      (await search.sorted({ query: '', order, throughId: 6, offset: 0, limit: 10 })).items.map(({ id }) => id);
    expect(await sorted('slowest')).toEqual([2, 5, 3, 1, 6, 4]);
    expect(await sorted('fastest')).toEqual([1, 3, 5, 2, 6, 4]);
  });
});
