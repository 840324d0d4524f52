// Sums and extremes of the received values per day of the zone.
import type { SunEvent } from './nights.ts';
import { type Fallen, fallenIn, fallenInSpan, hasAmount, precipitationState, totalFallen } from './runs.ts';
import type { TimedPoint } from './timed-points.ts';

/** One day of the shown zone, as far as the forecast covers it. */
export type DaySummary = {
  startsAt: number;
  until: number;
  /** Kelvin; null if no temperature was sent. */
  lowest: number | null;
  highest: number | null;
  sum: Fallen;
  /** Whether an hour that may be wet has no amount. */
  isPart: boolean;
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
    const sunAt = (wanted: SunEvent['kind']) =>
      sunEvents.find(({ kind, at }) => kind === wanted && at >= startsAt && at < until)?.at ?? null;
    return {
      startsAt,
      until,
      lowest: temperatures.length === 0 ? null : Math.min(...temperatures),
      highest: temperatures.length === 0 ? null : Math.max(...temperatures),
      sum: totalFallen(ofDay.map(fallenInSpan)),
      isPart: ofDay.some(({ point }) => precipitationState(point) !== 'dry' && !hasAmount(fallenIn(point))),
      rises: sunAt('rises'),
      sets: sunAt('sets'),
    };
  });
}
