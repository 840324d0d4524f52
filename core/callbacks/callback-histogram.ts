// Callbacks over time by verdict, for the strip above the list and the numbers beside it.
import {
  type CallbackFilter,
  type CallbackHistogram,
  type CallbackQuery,
  verdictNames,
} from '@rainbell/contract/app-rpc';
import { type Clock, formatInstant, parseTimestamp } from '@rainbell/shared';
import type { AddCount, CallbackIndex, IndexAxis } from './callback-index.ts';
import { requireQuery, type CallbackSearch } from './callback-search.ts';
import type { CallbackValidator } from './callback-validator.ts';
import { splitQuery } from './query-match.ts';

type HistogramInput = Pick<CallbackFilter, 'query'> & {
  selected: { from: string; to: string } | null;
  seconds: number | null;
  bars: number;
};

type HistogramDependencies = {
  index: CallbackIndex;
  search: Pick<CallbackSearch, 'found'>;
  validator: Pick<CallbackValidator, 'validate'>;
  newestId: () => number;
  clock: Clock;
};

/** In seconds. Above an hour only if the axis is longer than days. */
const barWidths = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21_600, 86_400, 604_800];
/** Time to compute verdicts, per call. */
const budgetMs = 40;

/** Throws AppFailure INVALID_INPUT for a term that means nothing. */
export function createHistogram({ index, search, validator, newestId, clock }: HistogramDependencies) {
  /** By bar, how many have each of the verdicts, in the order of `verdictNames`. */
  async function count(query: CallbackQuery, axis: IndexAxis): Promise<Map<number, number[]>> {
    const counts = new Map<number, number[]>();
    const add: AddCount = (bar, verdict, number) => {
      const ofBar = counts.get(bar) ?? verdictNames.map(() => 0);
      counts.set(bar, ofBar.with(verdict, (ofBar[verdict] ?? 0) + number));
    };
    const { filter, isWhole } = splitQuery(query, index);
    if (isWhole) await index.count(filter, axis, add);
    // Not as a condition of the index, which would read the list of all that is found for each of its windows.
    else
      for await (const rows of search.found(query, newestId()))
        for (const row of rows)
          if (row.receivedAt >= axis.from && row.receivedAt < axis.to)
            add(
              Math.floor((row.receivedAt - axis.from) / axis.barMs),
              verdictNames.indexOf(validator.validate(row).verdictName),
              1,
            );
    return counts;
  }

  return async ({ query: text, selected, seconds, bars }: HistogramInput): Promise<CallbackHistogram> => {
    const query = requireQuery({ query: text });
    const unvalidated = await index.advance(budgetMs);
    const axis = axisOf({ seconds, bars, now: clock.now(), oldestAt: index.oldestAt() });
    const counts = await count(query, axis);
    const span = selected && { from: parseTimestamp(selected.from) ?? 0, to: parseTimestamp(selected.to) ?? 0 };
    const inFacets = span ? await count(query, { ...span, barMs: Math.max(1, span.to - span.from) }) : counts;
    const named = (numbers: readonly number[]) =>
      verdictNames.map((verdict, code) => ({ verdict, count: numbers[code] ?? 0 }));
    return {
      from: formatInstant(axis.from),
      to: formatInstant(axis.to),
      barSeconds: axis.barMs / 1000,
      bars: [...counts]
        .toSorted(([one], [other]) => one - other)
        .map(([bar, numbers]) => ({
          at: formatInstant(axis.from + bar * axis.barMs),
          counts: named(numbers).filter(({ count: number }) => number > 0),
        })),
      facets: named(
        verdictNames.map((_, code) => [...inFacets.values()].reduce((sum, one) => sum + (one[code] ?? 0), 0)),
      ),
      unvalidated,
    };
  };
}

/** In whole bars: the last `seconds`, or from the oldest callback on. Exported for its test. */
export function axisOf({
  seconds,
  bars,
  now,
  oldestAt,
}: {
  seconds: number | null;
  bars: number;
  now: number;
  oldestAt: number | null;
}): { from: number; to: number; barMs: number } {
  const start = seconds === null ? Math.min(oldestAt ?? now, now - 60_000) : now - seconds * 1000;
  // One bar may begin before the span.
  const width = barWidths.find((one) => (now - start) / 1000 / one <= bars - 1);
  const barMs = (width ?? Math.ceil((now - start) / 1000 / 86_400 / (bars - 1)) * 86_400) * 1000;
  const to = (Math.floor(now / barMs) + 1) * barMs;
  const from = Math.floor(start / barMs) * barMs;
  return { from: Math.max(from, to - bars * barMs), to, barMs };
}
