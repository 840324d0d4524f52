// Weather as events: neighboring points with the same status merge into one run, and runs with precipitation into spells. A gap
// ends a run; missing data is never shown as dry.
import { statusLabel, statusPrecipitation, waterOf } from '@rainbell/contract/service-api';
import type { ForecastPoint } from '@rainbell/contract/app-rpc';
import { visibleText } from '@rainbell/shared';
import type { TimedPoint } from './timed-points.ts';

const hourMs = 3_600_000;

export type PrecipitationState = 'wet' | 'dry' | 'unknown';

export type Run = {
  /** The status as sent, or null if there was none. */
  status: string | null;
  /** The words for it: a clear night is not sunny. */
  label: string;
  precipitation: PrecipitationState;
  from: number;
  until: number;
  /** Places in the list of timed points. */
  first: number;
  last: number;
};

/** A storm counts as wet by its amount; without amounts this is unknown. */
export function precipitationState(point: ForecastPoint): PrecipitationState {
  const word = point.status === null ? null : statusPrecipitation(point.status);
  if (word === true) return 'wet';
  if (word === false) return 'dry';
  const amount = precipitationAmount(point);
  if (word === null || amount === null) return 'unknown';
  return amount > 0.1 ? 'wet' : 'dry';
}

/** Returns millimeters of water during the hour, of rain and melted snow; null if neither was sent. */
export function precipitationAmount({ measured }: Pick<ForecastPoint, 'measured'>): number | null {
  return waterOf(measured ?? {}) ?? null;
}

/**
 * Returns the millimeters that a point adds to a sum: its amount is per hour, and the current weather applies only to the rest of
 * its hour. Null if none was sent.
 */
export function amountInSpan({ point, at, until }: TimedPoint): number | null {
  const amount = precipitationAmount(point);
  return amount === null ? null : amount * Math.min(1, (until - at) / hourMs);
}

/** By the service's word: forecasts have many points, and few words. */
const labels = new Map<string, string>();
const maxLabels = 100;

/** What the screens call the point's weather; a status that is not of the interface may have any length. */
export function pointLabel({ status, isDay }: ForecastPoint): string {
  if (status === null) return 'no status';
  const word = statusLabel(status, isDay);
  const known = labels.get(word);
  if (known !== undefined) return known;
  const label = visibleText(word, 60);
  if (labels.size >= maxLabels) labels.clear();
  labels.set(word, label);
  return label;
}

export function mergeRuns(points: readonly TimedPoint[]): readonly Run[] {
  const runs: Run[] = [];
  points.forEach(({ point, at, until }, index) => {
    const label = pointLabel(point);
    const wet = precipitationState(point);
    const open = runs.at(-1);
    if (open && open.label === label && open.precipitation === wet && open.until === at) {
      open.until = until;
      open.last = index;
    } else {
      runs.push({ status: point.status, label, precipitation: wet, from: at, until, first: index, last: index });
    }
  });
  return runs;
}

/** What the sentences read of a timeline's model. */
export type Forecasted = { points: readonly TimedPoint[]; runs: readonly Run[] };

export type Spell = {
  /** The statuses in it, each once, in order. */
  statuses: readonly string[];
  from: number;
  until: number;
  /** Millimeters, or null if no hour of it has an amount. */
  amount: number | null;
  /** Whether every hour of it has an amount. */
  isAmountComplete: boolean;
};

/** Joins touching wet runs, whatever their status. */
export function wetSpells({ points, runs }: Forecasted): readonly Spell[] {
  const spells: { -readonly [Key in keyof Spell]: Spell[Key] }[] = [];
  for (const run of runs) {
    if (run.precipitation !== 'wet') continue;
    let open = spells.at(-1);
    if (open?.until !== run.from) {
      open = { statuses: [], from: run.from, until: run.until, amount: null, isAmountComplete: true };
      spells.push(open);
    }
    open.until = run.until;
    if (run.status !== null && !open.statuses.includes(run.status)) open.statuses = [...open.statuses, run.status];
    for (const one of points.slice(run.first, run.last + 1)) {
      const amount = amountInSpan(one);
      if (amount === null) open.isAmountComplete = false;
      else open.amount = (open.amount ?? 0) + amount;
    }
  }
  return spells;
}

export type NextPrecipitation =
  | { kind: 'now'; spell: Spell }
  | { kind: 'later'; spell: Spell }
  /** None in the hours that have data. */
  | { kind: 'none' };

export function nextPrecipitation(forecast: Forecasted, now: number): NextPrecipitation {
  const spell = wetSpells(forecast).find(({ until }) => until > now);
  return spell ? { kind: spell.from <= now ? 'now' : 'later', spell } : { kind: 'none' };
}

/**
 * Counts the hours without precipitation data, because their point has none or because they are in a gap. The first point is the
 * current weather, shorter than an hour, and is returned separately while it lasts. With `until`, counts only from `now` to then.
 */
export function countUnknownHours(
  { points, runs }: Forecasted,
  now: number,
  until?: number,
): { hours: number; total: number; isNowUnknown: boolean } {
  const first = points[0];
  const last = points.at(-1);
  if (!first || !last) return { hours: 0, total: 0, isNowUnknown: false };
  const isNowApart = points.length > 1 && first.until - first.at < hourMs;
  const start = isNowApart ? first.until : first.at;
  const spans = runs.flatMap((run, index) => {
    const next = runs[index + 1]?.from ?? run.until;
    return [
      ...(run.precipitation === 'unknown' ? [[run.from, run.until] as const] : []),
      ...(next > run.until ? [[run.until, next] as const] : []),
    ];
  });
  const [low, high] = until === undefined ? [start, last.until] : [Math.max(start, now), until];
  const missing = spans.reduce((sum, [from, to]) => sum + Math.max(0, Math.min(to, high) - Math.max(from, low)), 0);
  return {
    hours: Math.ceil(missing / hourMs),
    total: Math.max(1, Math.round((last.until - start) / hourMs)),
    isNowUnknown: isNowApart && first.until > now && precipitationState(first.point) === 'unknown',
  };
}
