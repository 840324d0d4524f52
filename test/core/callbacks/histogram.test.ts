// Counting by time and verdict in the database, and sorting.
import { describe, expect, test } from 'vitest';
import { axisOf, createHistogram } from '#core/callbacks/callback-histogram.ts';
import type { CallbackOrder } from '#contract/app-rpc/callback-verdicts.ts';
import { receivedResponse } from '#core/receiver/responses/response-outcome.ts';
import { createManualClock } from '../manual-clock.ts';
import { noon, openCallbackStore, ownUri, receivedCallback } from './callback-store.ts';

const minute = 60_000;

const received = (minutes: number, changes: Parameters<typeof receivedCallback>[0] = {}) =>
  receivedCallback({
    receivedAt: noon + minutes * minute,
    ...changes,
    ...(changes.id === '' && { body: '{"hello":"rain"}' }),
  });

/** By ID from 1: what the service that does not sign is held to have meant. */
const rows = [
  received(0),
  received(20),
  received(70),
  received(71, { id: '' }),
  received(72, { target: '/hooks/other' }),
  received(73, { id: 'precipitation_9' }),
];

function openStore(stored = rows, now = noon + 80 * minute) {
  const known = { monitors: new Map([['precipitation_1', ownUri]]) };
  const store = openCallbackStore(stored, { urls: () => known.monitors });
  const histogram = createHistogram({ ...store, clock: createManualClock(now) });
  /** Until no verdict is left to be found. */
  const whole = async (input: Partial<Parameters<typeof histogram>[0]>) => {
    for (;;) {
      const result = await histogram({ query: '', selected: null, seconds: null, bars: 120, ...input });
      if (result.unvalidated === 0) return result;
    }
  };
  return { ...store, known, histogram, whole };
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

  test('counts what a query finds at the first call, whether the database or a look at each callback decides', async () => {
    const { histogram } = openStore([...rows, ...Array(30_000).fill(received(79, { body: '' }))]);
    const first = (query: string) => histogram({ query, seconds: 7200, selected: null, bars: 9 }).then(facetsOf);
    expect(await first('body:callback_uri')).toEqual({ unsigned: 1, 'too-soon': 2, request: 2 });
    expect(await first('verdict:too-soon')).toEqual({ 'too-soon': 2 });
    expect(await first('path:other')).toEqual({ request: 1 });
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
    known.monitors = new Map([['precipitation_9', ownUri]]);
    validator.clear();
    index.clear();
    expect(facetsOf(await whole({}))).toEqual({ unsigned: 1, request: 4 });
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

  test('sorts by verdict, page by page', async () => {
    const { search } = openStore();
    const page = (offset: number) => search.sorted({ query: '', order: 'verdict', throughId: 6, offset, limit: 4 });
    const [first, second] = [await page(0), await page(4)];
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual([3, 2, 1, 6, 5, 4]);
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
    writer.recordOutcomes([...answered, { ...outcome, callbackId: 5, kind: 'closed', endedAfterMs: 1500 }]);
    const sorted = async (order: CallbackOrder) =>
      (await search.sorted({ query: '', order, throughId: 6, offset: 0, limit: 10 })).items.map(({ id }) => id);
    expect(await sorted('slowest')).toEqual([2, 5, 3, 1, 6, 4]);
    expect(await sorted('fastest')).toEqual([1, 3, 5, 2, 6, 4]);
  });
});

const secondMs = 1000;

// Noon is a multiple of all widths up to 12 h. At noon, no bar has started yet; a millisecond later, each has.
test.each<[string, number | null, number, number | null, 0 | 1, number, number, number]>([
  ['the last 15 min', 900, 120, null, 1, -900, 10, 10],
  ['the last hour', 3600, 13, null, 1, -3600, 300, 300],
  ['the last hour, with too few bars of 5 min', 3600, 12, null, 1, -3600, 600, 600],
  ['the last hour in two bars', 3600, 2, null, 0, -3600, 3600, 3600],
  ['a minute in as many bars as seconds begin', 60, 61, null, 0, -60, 1, 1],
  ['a minute in fewer bars', 60, 60, null, 0, -60, 2, 2],
  ['a minute, if there is no callback', null, 120, null, 1, -60, 1, 1],
  ['a minute, if the oldest is newer', null, 120, -5, 1, -60, 1, 1],
  ['all since the oldest', null, 120, -100, 1, -100, 1, 1],
  ['all since the oldest, with too few bars of 1 s', null, 61, -61, 0, -62, 2, 2],
  ['all since one in the middle of a bar', null, 101, -150, 1, -150, 2, 2],
  ['all since one 20 years ago', null, 120, -20 * 365 * 86_400, 1, -632_836_800, 4_622_400, 5_356_800],
])('shows %s', (_, seconds, bars, oldest, afterNoon, from, to, width) => {
  const oldestAt = oldest === null ? null : noon + oldest * secondMs + afterNoon;
  expect(axisOf({ seconds, bars, now: noon + afterNoon, oldestAt })).toEqual({
    from: noon + from * secondMs,
    to: noon + to * secondMs,
    barMs: width * secondMs,
  });
});

test('a query that reads each callback counts from the start on, before the end, in order', async () => {
  const stored = [-20, -10, -5, 0, 4, 5].map((seconds) => receivedCallback({ receivedAt: noon + seconds * secondMs }));
  const { histogram } = openStore([...stored, receivedCallback({ body: '{}' })], noon);
  // 10 s up to now, in bars of 5 s: the next begins at noon and ends before 12:00:05.
  const { from, to, bars } = await histogram({ query: 'body:callback_uri', selected: null, seconds: 10, bars: 3 });
  expect([from, to]).toEqual(['2026-11-21T11:59:50.000Z', '2026-11-21T12:00:05.000Z']);
  const countsOf = bars.map(({ at, counts }) => [at, counts.reduce((sum, { count }) => sum + count, 0)]);
  expect(countsOf).toEqual([
    ['2026-11-21T11:59:50.000Z', 1],
    ['2026-11-21T11:59:55.000Z', 1],
    ['2026-11-21T12:00:00.000Z', 2],
  ]);
});
