// The filter and order of the callback list, shared by the address, the search bar, and the histogram.
import type { CallbackFilter, CallbackOrder, VerdictName } from '@rainbell/contract/app-rpc';

export const timeRanges = ['15m', '1h', '3h', '24h', 'all'] as const;
export type TimeRange = (typeof timeRanges)[number];

/** Null for all that is stored. */
export const rangeSeconds: Readonly<Record<TimeRange, number | null>> = {
  '15m': 900,
  '1h': 3600,
  '3h': 10_800,
  '24h': 86_400,
  all: null,
};

export type CallbackView = {
  query: string;
  /** The axis of the histogram; the list shows the same part of the time unless a part of it is selected. */
  range: TimeRange;
  /** Selected in the histogram, in epoch milliseconds; `to` is excluded. */
  span: TimeSpan | null;
  verdicts: readonly VerdictName[];
  order: CallbackOrder;
};

export type TimeSpan = { from: number; to: number };

/** The whole list, newest first. */
export const wholeView: CallbackView = { query: '', range: 'all', span: null, verdicts: [], order: 'newest' };

/** Whether the view is the whole list, newest first. */
export function isWholeView({ query, range, span, verdicts, order }: CallbackView): boolean {
  return query.trim() === '' && range === 'all' && span === null && verdicts.length === 0 && order === 'newest';
}

/** `now` dates the beginning of a range that ends now. */
export function filterOf({ query, range, span, verdicts }: CallbackView, now: number): CallbackFilter {
  const seconds = rangeSeconds[range];
  const instant = (at: number) => new Date(at).toISOString();
  return {
    query,
    ...(span
      ? { from: instant(span.from), to: instant(span.to) }
      : seconds !== null && { from: instant(now - seconds * 1000) }),
    ...(verdicts.length > 0 && { verdicts: [...verdicts] }),
  };
}
