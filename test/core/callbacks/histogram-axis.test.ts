// The exact bars of a histogram, and its counts for a query that each callback must be read for.
import { describe, expect, test } from 'vitest';
import { axisOf, createHistogram } from '#core/callbacks/callback-histogram.ts';
import { createCallbackIndex } from '#core/callbacks/callback-index.ts';
import { createManualClock } from '../manual-clock.ts';
import { noon, openCallbackStore, receivedCallback } from './callback-store.ts';

const secondMs = 1000;
const dayMs = 86_400_000;

// Noon is a multiple of all widths up to 12 h. A millisecond later, each bar has started.
test.each([
  ['the last 15 min', { seconds: 900, bars: 120 }, null, -900, 10, 10],
  ['the last hour', { seconds: 3600, bars: 13 }, null, -3600, 300, 300],
  ['the last hour, with too few bars of 5 min', { seconds: 3600, bars: 12 }, null, -3600, 600, 600],
  ['a minute, if there is no callback', { seconds: null, bars: 120 }, null, -60, 1, 1],
  ['a minute, if the oldest is newer', { seconds: null, bars: 120 }, -5, -60, 1, 1],
  ['all since the oldest', { seconds: null, bars: 120 }, -100, -100, 1, 1],
  ['all since one in the middle of a bar', { seconds: null, bars: 101 }, -150, -150, 2, 2],
])('shows %s', (_, { seconds, bars }, oldest, from, to, width) => {
  const oldestAt = oldest === null ? null : noon + oldest * secondMs + 1;
  expect(axisOf({ seconds, bars, now: noon + 1, oldestAt })).toEqual({
    from: noon + from * secondMs,
    to: noon + to * secondMs,
    barMs: width * secondMs,
  });
});

test.each([
  [
    { seconds: 60, bars: 61, oldestAt: null },
    { from: -60_000, to: 1000, barMs: 1000 },
  ],
  [
    { seconds: 60, bars: 60, oldestAt: null },
    { from: -60_000, to: 2000, barMs: 2000 },
  ],
  [
    { seconds: null, bars: 61, oldestAt: null },
    { from: -60_000, to: 1000, barMs: 1000 },
  ],
  [
    { seconds: null, bars: 61, oldestAt: noon - 30_000 },
    { from: -60_000, to: 1000, barMs: 1000 },
  ],
  [
    { seconds: null, bars: 61, oldestAt: noon - 61_000 },
    { from: -62_000, to: 2000, barMs: 2000 },
  ],
  [
    { seconds: 3600, bars: 2, oldestAt: null },
    { from: -3_600_000, to: 3_600_000, barMs: 3_600_000 },
  ],
])('bars for %j are whole', (input, { from, to, barMs }) => {
  expect(axisOf({ ...input, now: noon })).toEqual({ from: noon + from, to: noon + to, barMs });
});

test('has bars of whole days if a week is too short', () => {
  // 8,000 days in 99 bars of the span: 80.8 days each, so 81.
  const { from, to, barMs } = axisOf({ seconds: 8000 * 86_400, bars: 100, now: noon, oldestAt: null });
  expect(barMs).toBe(81 * dayMs);
  expect([from % barMs, to % barMs]).toEqual([0, 0]);
  expect(noon - 8000 * dayMs - from).toBeLessThan(barMs);
  expect(to - noon).toBeLessThanOrEqual(barMs);
});

describe('a query that reads each callback', () => {
  const rows = [-20, -10, -5, 0, 4].map((seconds) => receivedCallback({ receivedAt: noon + seconds * secondMs }));
  const start = () => {
    const { db, pages, validator, eventIds, search } = openCallbackStore([...rows, receivedCallback({ body: '{}' })]);
    const index = createCallbackIndex({ db, validator, eventIds, now: () => performance.now() });
    const clock = createManualClock(noon);
    return createHistogram({ index, search, validator, newestId: () => pages.counts().newestId, clock });
  };

  test('counts from the start on, before the end, in order', async () => {
    // 10 s up to now, in bars of 5 s: the next begins at noon and ends before 12:00:05.
    const { from, to, bars } = await start()({ query: 'body:callback_uri', selected: null, seconds: 10, bars: 3 });
    expect([from, to]).toEqual(['2026-11-21T11:59:50.000Z', '2026-11-21T12:00:05.000Z']);
    const countsOf = bars.map(({ at, counts }) => [at, counts.reduce((sum, { count }) => sum + count, 0)]);
    expect(countsOf).toEqual([
      ['2026-11-21T11:59:50.000Z', 1],
      ['2026-11-21T11:59:55.000Z', 1],
      ['2026-11-21T12:00:00.000Z', 2],
    ]);
  });

  test('counts verdicts of the selected time', async () => {
    const selected = { from: '2026-11-21T11:59:50Z', to: '2026-11-21T12:00:00Z' };
    const { facets } = await start()({ query: 'body:callback_uri', selected, seconds: null, bars: 120 });
    expect(facets.reduce((sum, { count }) => sum + count, 0)).toBe(2);
    const nothing = { from: selected.to, to: selected.to };
    const none = await start()({ query: '', selected: nothing, seconds: null, bars: 120 });
    expect(none.facets.every(({ count }) => count === 0)).toBe(true);
  });

  test('refuses a term that means nothing', async () => {
    await expect(start()({ query: 'size:x', selected: null, seconds: 10, bars: 3 })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'query' },
    });
  });
});
