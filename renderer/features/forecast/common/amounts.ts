// Sums of the received amounts: per day of the zone and per spell.
import type { SunEvent } from './nights.ts';
import { type Fallen, fallenIn, fallenInSpan, hasAmount, precipitationState, totalFallen } from './runs.ts';
import { groupNeighbors } from './group-neighbors.ts';
import { isTouching, type TimedPoint } from './timed-points.ts';

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

export type PrecipitationSpan = {
  from: number;
  until: number;
  sum: Fallen;
  /** The highest hour of each. */
  peak: { rain: number; snow: number };
};

/** Touching hours with a measurable amount: 0.05 mm or 0.05 cm is the least that is written as 0.1. */
export function precipitationSpans(points: readonly TimedPoint[]): readonly PrecipitationSpan[] {
  const wet = points.filter(({ point }) => {
    const { rain, snow } = fallenIn(point);
    return (rain ?? 0) >= 0.05 || (snow ?? 0) >= 0.5;
  });
  return groupNeighbors(wet, isTouching).map((hours) => {
    const peak = (of: keyof Fallen) => Math.max(...hours.map(({ point }) => fallenIn(point)[of] ?? 0));
    return {
      from: hours[0].at,
      until: hours.at(-1)?.until ?? hours[0].until,
      sum: totalFallen(hours.map(fallenInSpan)),
      peak: { rain: peak('rain'), snow: peak('snow') },
    };
  });
}
