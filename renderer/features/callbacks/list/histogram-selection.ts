// Selecting a part of the histogram: by a click, by dragging, and by keys. Times are epoch milliseconds.
import { minuteMs } from '@rainbell/shared';
import type { TimeSpan } from '../common/callback-view.ts';

export type HistogramAxis = { from: number; to: number; barMs: number };

/** What a click selects: the minute, or the bar if it is longer. */
export function spanAt(at: number, { barMs }: HistogramAxis): TimeSpan {
  const length = Math.max(minuteMs, barMs);
  const from = Math.floor(at / length) * length;
  return { from, to: from + length };
}

/** Whole bars from one time to another, in either order. */
export function draggedSpan(one: number, other: number, { from, to, barMs }: HistogramAxis): TimeSpan {
  const [low, high] = one < other ? [one, other] : [other, one];
  const floor = from + Math.floor((Math.max(low, from) - from) / barMs) * barMs;
  const ceiling = from + Math.ceil((Math.min(high, to) - from) / barMs) * barMs;
  return { from: floor, to: Math.max(ceiling, floor + barMs) };
}

/**
 * After a key: arrows move the selection by a bar, with Shift they move its end. Undefined for other keys. Without a selection it is
 * the newest bar.
 */
export function spanAfterKey(
  { key, shiftKey }: { key: string; shiftKey: boolean },
  span: TimeSpan | null,
  { from, to, barMs }: HistogramAxis,
): TimeSpan | null | undefined {
  if (key === 'Escape') return span === null ? undefined : null;
  const by = key === 'ArrowLeft' ? -barMs : key === 'ArrowRight' ? barMs : 0;
  if (by === 0) return undefined;
  if (!span) return { from: to - barMs, to };
  if (shiftKey) return { from: span.from, to: Math.min(to, Math.max(span.from + barMs, span.to + by)) };
  if (span.from + by < from || span.to + by > to) return span;
  return { from: span.from + by, to: span.to + by };
}

/** Times for the axis's labels, on full minutes, hours, or days, at most `max`. `offsetMs` is the zone's. */
export function axisTicks({ from, to }: HistogramAxis, max: number, offsetMs: number): number[] {
  const minutes = [1, 2, 5, 10, 30, 60, 180, 360, 720, 1440, 2880, 10_080, 43_200, 129_600, 525_600];
  const step = (minutes.find((one) => (to - from) / minuteMs / one <= max) ?? 5_256_000) * minuteMs;
  const first = Math.ceil((from + offsetMs) / step) * step - offsetMs;
  return Array.from({ length: Math.max(0, Math.ceil((to - first) / step)) }, (_, index) => first + index * step);
}

export function scaleTop(max: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, max)));
  return Math.max(2, ([1, 2, 4, 5, 10].find((one) => one * power >= max && (one * power) % 2 === 0) ?? 10) * power);
}
