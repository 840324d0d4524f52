// Two forecasts held against each other, instant by instant: what both say, where their words differ, and what only one has.
import type { Forecast, ForecastPoint } from '#contract/app-rpc/forecast.ts';
import { pointLabel, precipitationAmount } from '#renderer/features/forecast/common/runs.ts';

/** Neighbouring instants with the same two words, told once; `until` is the last of them. */
export type Difference = { from: number; until: number; first: string; second: string };

/** The largest gap between two measured values at one instant. */
export type WidestGap = { at: number; first: number; second: number };

export type Comparison = {
  /** Instants that both have, and how many of them differ in their words. */
  shared: number;
  differing: number;
  onlyFirst: number;
  onlySecond: number;
  differences: readonly Difference[];
  /** In kelvin; null where no shared instant has both values. */
  warmest: WidestGap | null;
  /** In mm of the hour. */
  wettest: WidestGap | null;
};

type Pair = { at: number; first: ForecastPoint; second: ForecastPoint };

export function compareForecasts(first: Forecast, second: Forecast): Comparison {
  const [ours, theirs] = [byInstant(first), byInstant(second)];
  const pairs = [...ours].flatMap(([at, point]): Pair[] => {
    const other = theirs.get(at);
    return other ? [{ at, first: point, second: other }] : [];
  });
  const sorted = pairs.toSorted((one, other) => one.at - other.at);
  return {
    shared: sorted.length,
    differing: sorted.filter(isDifferent).length,
    onlyFirst: ours.size - sorted.length,
    onlySecond: theirs.size - sorted.length,
    differences: joined(sorted),
    warmest: widestGap(sorted, ({ measured }) => measured?.temperature ?? null),
    wettest: widestGap(sorted, precipitationAmount),
  };
}

/** The first point of each instant; "now" is an instant of its own and only meets the other's by chance. */
function byInstant({ points }: Forecast): Map<number, ForecastPoint> {
  const known = new Map<number, ForecastPoint>();
  for (const point of points) {
    const at = point.at === null ? undefined : Date.parse(point.at);
    if (at !== undefined && !known.has(at)) known.set(at, point);
  }
  return known;
}

function isDifferent({ first, second }: Pair): boolean {
  return first.status !== second.status;
}

function joined(pairs: readonly Pair[]): readonly Difference[] {
  const groups: Difference[] = [];
  let isOpen = false;
  for (const pair of pairs) {
    if (!isDifferent(pair)) {
      isOpen = false;
      continue;
    }
    const [first, second] = [pointLabel(pair.first), pointLabel(pair.second)];
    const last = groups.at(-1);
    if (isOpen && last && last.first === first && last.second === second) last.until = pair.at;
    else groups.push({ from: pair.at, until: pair.at, first, second });
    isOpen = true;
  }
  return groups;
}

function widestGap(pairs: readonly Pair[], read: (point: ForecastPoint) => number | null): WidestGap | null {
  return pairs.reduce<WidestGap | null>((widest, { at, first, second }) => {
    const [one, other] = [read(first), read(second)];
    if (one === null || other === null) return widest;
    const isWider = widest === null || Math.abs(one - other) > Math.abs(widest.first - widest.second);
    return isWider ? { at, first: one, second: other } : widest;
  }, null);
}
