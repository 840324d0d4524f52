// Weather as events: neighboring points with the same status merge into one run, and runs with precipitation into spells. A gap
// ends a run; missing data is never shown as dry.
import { statusLabel, statusPrecipitation, waterOf } from '@rainbell/contract/service-api';
import type { ForecastPoint } from '@rainbell/contract/app-rpc';
import { hourMs, visibleText } from '@rainbell/shared';
import { groupNeighbors, isTouching, type TimedPoint } from './timed-points.ts';

export type PrecipitationState = 'wet' | 'dry' | 'unknown';

export type Run = {
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

/** What falls: millimeters of water as rain, and millimeters of depth as snow. They are never added; null was not sent. */
export type Fallen = { rain: number | null; snow: number | null };

/** What falls per hour. */
export function fallenIn({ measured }: Pick<ForecastPoint, 'measured'>): Fallen {
  return { rain: measured?.rainfall ?? null, snow: measured?.snowfall ?? null };
}

/** Returns what a point adds to a sum: its amounts are per hour, and the current weather applies only to the rest of its hour. */
export function fallenInSpan({ point, at, until }: TimedPoint): Fallen {
  const { rain, snow } = fallenIn(point);
  const part = Math.min(1, (until - at) / hourMs);
  return { rain: rain === null ? null : rain * part, snow: snow === null ? null : snow * part };
}

/** Adds each to its own; null if neither was ever sent. Without the dust of binary fractions, so that equal sums stay equal. */
export function totalFallen(all: readonly Fallen[]): Fallen {
  const total = (name: keyof Fallen) =>
    all.every((one) => one[name] === null)
      ? null
      : Math.round(all.reduce((sum, one) => sum + (one[name] ?? 0), 0) * 1000) / 1000;
  return { rain: total('rain'), snow: total('snow') };
}

export function hasAmount({ rain, snow }: Fallen): boolean {
  return rain !== null || snow !== null;
}

/** Millimeters of water that are more than a trace. */
const wetMillimeters = 0.1;

/** An amount beats a word such as cloudy. A storm is wet only by its amount; without amounts this is unknown. */
export function precipitationState(point: ForecastPoint): PrecipitationState {
  const word = point.status === null ? null : statusPrecipitation(point.status);
  const water = waterOf(point.measured ?? {});
  if (word === true || (water !== undefined && water > wetMillimeters)) return 'wet';
  if (word === false) return 'dry';
  return word === null || water === undefined ? 'unknown' : 'dry';
}

const statusNames: ReadonlyMap<string | null, string> = new Map([
  ['rainy', 'rain'],
  ['snowy', 'snow'],
  ['snow flurries', 'snow flurries'],
  ['hailing', 'hail'],
  ['stormy', 'thunderstorms'],
]);

/** What falls in a wet hour: by its word, or by its amounts if the word says nothing of precipitation. */
export function precipitationName(point: ForecastPoint): string {
  const word = statusNames.get(point.status);
  if (word !== undefined) return word;
  const { rain, snow } = fallenIn(point);
  if ((rain ?? 0) > 0) return (snow ?? 0) > 0 ? 'rain and snow' : 'rain';
  return (snow ?? 0) > 0 ? 'snow' : 'precipitation';
}

/** What the screens call the point's weather; a status that is not of the interface may have any length. */
export function pointLabel({ status, isDay }: ForecastPoint): string {
  return status === null ? 'no status' : visibleText(statusLabel(status, isDay), 60);
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

export type Spell = {
  /** What falls in it, each name once, in order. */
  names: readonly string[];
  from: number;
  until: number;
  amount: Fallen;
  /** Whether every hour of it has an amount. */
  isAmountComplete: boolean;
  /** Words of its hours that mean no precipitation, though an amount was sent with them. */
  denials: readonly string[];
};

/** Joins touching wet hours, whatever their status. */
export function wetSpells(points: readonly TimedPoint[]): readonly Spell[] {
  return groupNeighbors(points.filter(isWet), isTouching).map(spellOf);
}

export function isWet({ point }: TimedPoint): boolean {
  return precipitationState(point) === 'wet';
}

/** What wet hours have in common, whether they touch or not. */
export function spellOf(hours: readonly [TimedPoint, ...TimedPoint[]]): Spell {
  const denied = hours.filter(({ point: { status } }) => status !== null && statusPrecipitation(status) === false);
  return {
    names: [...new Set(hours.map(({ point }) => precipitationName(point)))],
    from: hours[0].at,
    until: hours.at(-1)?.until ?? hours[0].until,
    amount: totalFallen(hours.map(fallenInSpan)),
    isAmountComplete: hours.every(({ point }) => hasAmount(fallenIn(point))),
    denials: [...new Set(denied.map(({ point }) => pointLabel(point)))],
  };
}

/**
 * Counts the hours without precipitation data, because their point has none or because they are in a gap. The first point is the
 * current weather, shorter than an hour, and is returned separately while it lasts. With `until`, counts only from `now` to then.
 */
export function countUnknownHours(
  points: readonly TimedPoint[],
  now: number,
  until?: number,
): { hours: number; total: number; isNowUnknown: boolean } {
  const first = points[0];
  const last = points.at(-1);
  if (!first || !last) return { hours: 0, total: 0, isNowUnknown: false };
  const isNowApart = points.length > 1 && first.until - first.at < hourMs;
  const start = isNowApart ? first.until : first.at;
  const isUnknown = ({ point }: TimedPoint) => precipitationState(point) === 'unknown';
  const [low, high] = until === undefined ? [start, last.until] : [Math.max(start, now), until];
  const missing = points.reduce((sum, hour, index) => {
    const from = isUnknown(hour) ? hour.at : hour.until;
    const to = points[index + 1]?.at ?? hour.until;
    return sum + Math.max(0, Math.min(to, high) - Math.max(from, low));
  }, 0);
  return {
    hours: Math.ceil(missing / hourMs),
    total: Math.max(1, Math.round((last.until - start) / hourMs)),
    isNowUnknown: isNowApart && first.until > now && isUnknown(first),
  };
}
