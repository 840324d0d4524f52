// The points of a forecast as the timeline draws them: in order of time, each with its span. What is not drawn is counted and named;
// a wrong order, and points too far ahead, are among the forecast's own problems (core/forecast/read-forecast.ts).
import { hourMs, plural } from '@rainbell/shared';
import type { ForecastPoint } from '@rainbell/contract/app-rpc';

export type TimedPoint = {
  point: ForecastPoint;
  at: number;
  /** The start of the next point, or one usual step later if the next one is too far away (a gap). */
  until: number;
};

export type TimedForecast = {
  /** Ascending; of points with the same time only the first. */
  points: readonly TimedPoint[];
  from: number;
  to: number;
  /** Sentences about what is wrong with the points. */
  flags: readonly string[];
};

/** A step this much longer than the usual one is a gap. */
const gapFactor = 1.6;

type Placed = { point: ForecastPoint; at: number };

export function timedForecast(all: readonly ForecastPoint[]): TimedForecast | null {
  const placed = all.flatMap((point): Placed[] => (point.at === null ? [] : [{ point, at: Date.parse(point.at) }]));
  const sorted = placed.toSorted((a, b) => a.at - b.at || a.point.index - b.point.index);
  const unique = sorted.filter((one, index) => one.at !== sorted[index - 1]?.at);
  const first = unique[0];
  if (!first) return null;
  const step = typicalStep(unique);
  const points = unique.map(({ point, at }, index): TimedPoint => {
    const next = unique[index + 1]?.at;
    return { point, at, until: next !== undefined && next - at <= step * gapFactor ? next : at + step };
  });
  const flags = [
    ...flag(all.length - placed.length, [
      '# point without a readable timestamp: not drawn',
      '# points without a readable timestamp: not drawn',
    ]),
    ...flag(sorted.length - unique.length, [
      '# point with the same time as another: not drawn',
      '# points with the same time as another: not drawn',
    ]),
    ...flag(points.filter((one, index) => one.until < (points[index + 1]?.at ?? one.until)).length, [
      '# gap between points: left empty',
      '# gaps between points: left empty',
    ]),
  ];
  return { points, from: first.at, to: points.at(-1)?.until ?? first.at, flags };
}

function flag(count: number, forms: readonly [string, string]): readonly string[] {
  return count === 0 ? [] : [plural(count, forms)];
}

/** Returns the median distance between neighbors; one hour if there is only one point. */
function typicalStep(points: readonly Placed[]): number {
  const steps = points.slice(1).map(({ at }, index) => at - (points[index]?.at ?? at));
  return steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? hourMs;
}

/** Cuts a list between neighbors that do not belong together. */
export function groupNeighbors<T>(
  items: readonly T[],
  doBelong: (before: T, next: T) => boolean,
): readonly (readonly [T, ...T[]])[] {
  const groups: [T, ...T[]][] = [];
  let before: T | undefined;
  for (const item of items) {
    if (before !== undefined && doBelong(before, item)) groups.at(-1)?.push(item);
    else groups.push([item]);
    before = item;
  }
  return groups;
}

/** Whether nothing is between two neighbors. */
export function isTouching(before: { until: number }, next: { at: number }): boolean {
  return before.until === next.at;
}

/** The place in `points` whose span holds that time, otherwise the one whose time is nearest. */
export function pointAt(points: readonly TimedPoint[], at: number): number {
  const holding = points.findIndex((point) => point.at <= at && at < point.until);
  if (holding >= 0) return holding;
  const distance = (point: TimedPoint | undefined) => (point ? Math.abs(point.at - at) : Infinity);
  return points.reduce((best, point, index) => (distance(point) < distance(points[best]) ? index : best), 0);
}

/** The place in `points` of the point with that index; the first if none has it. */
export function placeOf(points: readonly TimedPoint[], index: number): number {
  return Math.max(
    0,
    points.findIndex(({ point }) => point.index === index),
  );
}
