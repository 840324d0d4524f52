// Callbacks over time by verdict, for the strip above the list and the numbers beside it.
import { type CallbackHistogram, verdictNames } from '@rainbell/contract/app-rpc';
import { type Clock, formatInstant, parseTimestamp } from '@rainbell/shared';
import type { Handlers } from '../app/handlers.ts';
import type { StoredCallback } from '../receiver/records/stored-callback.ts';
import type { CallbackIndex, IndexAxis, IndexCount } from './callback-index.ts';
import type { CallbackSearch } from './callback-search.ts';
import type { CallbackValidator } from './callback-validator.ts';

type HistogramInput = Parameters<Handlers<'callbacks'>['callbacks']['histogram']>[0]['input'];

/** In seconds. Above an hour only if the axis is longer than days. */
const barWidths = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21_600, 86_400, 604_800];
/** Time to compute verdicts, per call. */
const budgetMs = 40;

type HistogramDependencies = {
  index: CallbackIndex;
  search: Pick<CallbackSearch, 'read' | 'pieces'>;
  validator: Pick<CallbackValidator, 'validate'>;
  clock: Clock;
};

/** Throws AppFailure INVALID_INPUT for a term that means nothing. */
export function createHistogram({ index, search, validator, clock }: HistogramDependencies) {
  /** What a scan found is judged at once: the index may get it much later, and a scan costs more than a verdict. */
  function countFound(found: readonly StoredCallback[], { from, to, barMs }: IndexAxis): IndexCount[] {
    const rows = found.filter(({ receivedAt }) => receivedAt >= from && receivedAt < to);
    return rows.map((row) => ({
      bar: Math.floor((row.receivedAt - from) / barMs),
      verdict: verdictNames.indexOf(validator.validate(row).verdictName),
      count: 1,
    }));
  }

  async function count(query: string, axis: IndexAxis): Promise<IndexCount[]> {
    const counts: IndexCount[] = [];
    for await (const { found, ...piece } of search.pieces({ query }, Infinity))
      counts.push(...(found ? countFound(found, axis) : index.count(piece, axis)));
    return counts;
  }

  return async ({ query, selected, seconds, bars }: HistogramInput): Promise<CallbackHistogram> => {
    // Before the axis, which begins with the oldest that is indexed.
    await search.read({ query });
    const unvalidated = await index.advance(budgetMs);
    const axis = axisOf({ seconds, bars, now: clock.now(), oldestAt: index.oldestAt() });
    const counts = await count(query, axis);
    const span = selected && { from: parseTimestamp(selected.from) ?? 0, to: parseTimestamp(selected.to) ?? 0 };
    const inFacets = span ? await count(query, { ...span, barMs: Math.max(1, span.to - span.from) }) : counts;
    return {
      from: formatInstant(axis.from),
      to: formatInstant(axis.to),
      barSeconds: axis.barMs / 1000,
      bars: [...Map.groupBy(counts, ({ bar }) => bar)]
        .toSorted(([one], [other]) => one - other)
        .map(([bar, ofBar]) => ({
          at: formatInstant(axis.from + bar * axis.barMs),
          counts: sumsOf(ofBar).filter((sum) => sum.count > 0),
        })),
      facets: sumsOf(inFacets),
      unvalidated,
    };
  };
}

function sumsOf(counts: readonly IndexCount[]) {
  return verdictNames.map((verdict, code) => {
    const own = counts.filter((one) => one.verdict === code);
    return { verdict, count: own.reduce((sum, { count }) => sum + count, 0) };
  });
}

/** In whole bars: the last `seconds`, or from the oldest callback on. Exported for its test. */
export function axisOf({
  seconds,
  bars,
  now,
  oldestAt,
}: Pick<HistogramInput, 'seconds' | 'bars'> & { now: number; oldestAt: number | null }): IndexAxis {
  const start = seconds === null ? Math.min(oldestAt ?? now, now - 60_000) : now - seconds * 1000;
  // One bar may begin before the span.
  const width = barWidths.find((one) => (now - start) / 1000 / one <= bars - 1);
  const barMs = (width ?? Math.ceil((now - start) / 1000 / 86_400 / (bars - 1)) * 86_400) * 1000;
  const to = (Math.floor(now / barMs) + 1) * barMs;
  const from = Math.floor(start / barMs) * barMs;
  return { from: Math.max(from, to - bars * barMs), to, barMs };
}
