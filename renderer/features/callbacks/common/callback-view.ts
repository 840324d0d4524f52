// The filter and order of the callback list, shared by the address, the search bar, and the histogram.
import type { CallbackFilter, CallbackOrder, VerdictName } from '@rainbell/contract/app-rpc';

/** `seconds`: null for all that is stored. */
export const timeRanges = {
  '15m': { label: '15 min', seconds: 900 },
  '1h': { label: '1 h', seconds: 3600 },
  '3h': { label: '3 h', seconds: 10_800 },
  '24h': { label: '24 h', seconds: 86_400 },
  all: { label: 'All', seconds: null },
} as const;
type TimeRange = keyof typeof timeRanges;
export const rangeNames = Object.keys(timeRanges) as TimeRange[];

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

export const wholeView: CallbackView = { query: '', range: 'all', span: null, verdicts: [], order: 'newest' };

export function isSameView(one: CallbackView, other: CallbackView): boolean {
  const textOf = ({ query, range, span, verdicts, order }: CallbackView) =>
    JSON.stringify([query.trim(), range, span?.from, span?.to, verdicts, order]);
  return textOf(one) === textOf(other);
}

/** `now` dates the beginning of a range that ends now. */
export function filterOf({ query, range, span, verdicts }: CallbackView, now: number): CallbackFilter {
  const { seconds } = timeRanges[range];
  const instant = (at: number) => new Date(at).toISOString();
  return {
    query,
    ...(span
      ? { from: instant(span.from), to: instant(span.to) }
      : seconds !== null && { from: instant(now - seconds * 1000) }),
    ...(verdicts.length > 0 && { verdicts: [...verdicts] }),
  };
}
