// Sums of the received amounts: per day of the zone, per spell of rain or snow, and since the first point. Hours without an amount
// add nothing and are counted, so that a sum never looks more complete than it is.
import type { SunEvent } from './nights.ts';
import { amountInSpan, precipitationAmount } from './runs.ts';
import type { TimedPoint } from './timed-points.ts';

/** One day of the shown zone, as far as the forecast covers it. */
export type DaySummary = {
  startsAt: number;
  until: number;
  /** Kelvin; null if no temperature was sent. */
  lowest: number | null;
  highest: number | null;
  /** Millimeters; null if no amount was sent. */
  sum: number | null;
  rises: number | null;
  sets: number | null;
};

/** `starts`: the first point and each midnight after it. */
export function daySummaries(
  points: readonly TimedPoint[],
  starts: readonly number[],
  to: number,
  sunEvents: readonly SunEvent[],
): readonly DaySummary[] {
  return starts.map((startsAt, index) => {
    const until = starts[index + 1] ?? to;
    const ofDay = points.filter(({ at }) => at >= startsAt && at < until);
    const temperatures = ofDay.flatMap(({ point }) => point.measured?.temperature ?? []);
    const amounts = ofDay.flatMap((one) => amountInSpan(one) ?? []);
    const sunAt = (wanted: SunEvent['kind']) =>
      sunEvents.find(({ kind, at }) => kind === wanted && at >= startsAt && at < until)?.at ?? null;
    return {
      startsAt,
      until,
      lowest: temperatures.length === 0 ? null : Math.min(...temperatures),
      highest: temperatures.length === 0 ? null : Math.max(...temperatures),
      sum: amounts.length === 0 ? null : total(amounts),
      rises: sunAt('rises'),
      sets: sunAt('sets'),
    };
  });
}

export type PrecipitationSpan = { from: number; until: number; sum: number; peak: number };

/** Touching hours with a measurable amount: 0.05 mm is the least that is written as 0.1. */
export function precipitationSpans(points: readonly TimedPoint[]): readonly PrecipitationSpan[] {
  const spans: PrecipitationSpan[] = [];
  for (const timed of points) {
    const { point, at, until } = timed;
    const hourly = precipitationAmount(point) ?? 0;
    const amount = amountInSpan(timed) ?? 0;
    if (hourly < 0.05) continue;
    const open = spans.at(-1);
    if (open?.until === at) {
      open.until = until;
      open.sum = total([open.sum, amount]);
      open.peak = Math.max(open.peak, hourly);
    } else spans.push({ from: at, until, sum: total([amount]), peak: hourly });
  }
  return spans;
}

/** The sum since the first point, at the end of each point's span; `isKnown` is false if no amount was sent. */
export type SumStep = { at: number; until: number; sum: number; isKnown: boolean };

export function sumSteps(points: readonly TimedPoint[]): readonly SumStep[] {
  let sum = 0;
  return points.map((timed) => {
    const { at, until } = timed;
    const amount = amountInSpan(timed);
    sum = total([sum, amount ?? 0]);
    return { at, until, sum, isKnown: amount !== null };
  });
}

/** Without the dust of binary fractions, so that equal amounts stay equal. */
function total(amounts: readonly number[]): number {
  return Math.round(amounts.reduce((sum, amount) => sum + amount, 0) * 1000) / 1000;
}
