// Weather as events: neighbouring points with the same words merge into one run, and runs with precipitation into spells.
// A gap ends a run; missing data is never taken for dry.
import { statusLabel, statusPrecipitation } from '#contract/service-api/vocabulary.ts';
import type { ForecastPoint } from '#contract/app-rpc/forecast.ts';
import { visibleText } from '#shared/text/visible-text.ts';
import type { TimedPoint } from './timed-points.ts';

export type PrecipitationState = 'wet' | 'dry' | 'unknown';

export type Run = {
  /** The status as sent, or null where there was none. */
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

/** A storm is wet by its amount; without amounts nobody knows. */
export function precipitationState(point: ForecastPoint): PrecipitationState {
  const word = point.status === null ? null : statusPrecipitation(point.status);
  if (word === true) return 'wet';
  if (word === false) return 'dry';
  const amount = precipitationAmount(point);
  if (word === null || amount === null) return 'unknown';
  return amount > 0.1 ? 'wet' : 'dry';
}

/** Millimetres in the hour, rain and snow together; null where neither was sent. */
export function precipitationAmount({ measured }: ForecastPoint): number | null {
  if (measured?.rainfall === undefined && measured?.snowfall === undefined) return null;
  return (measured.rainfall ?? 0) + (measured.snowfall ?? 0);
}

/** What the screens call the point's weather; a status that is not of the interface may have any length. */
export function pointLabel(point: ForecastPoint): string {
  return point.status === null ? 'no status' : visibleText(statusLabel(point.status, point.isDay), 60);
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

export type Spell = { labels: readonly string[]; from: number; until: number };

/** Touching wet runs, whatever their words. */
export function wetSpells(runs: readonly Run[]): readonly Spell[] {
  const spells: { labels: string[]; from: number; until: number }[] = [];
  for (const run of runs) {
    if (run.precipitation !== 'wet') continue;
    const open = spells.at(-1);
    if (open?.until === run.from) {
      open.until = run.until;
      if (!open.labels.includes(run.label)) open.labels.push(run.label);
    } else {
      spells.push({ labels: [run.label], from: run.from, until: run.until });
    }
  }
  return spells;
}

export type NextPrecipitation =
  | { kind: 'now'; spell: Spell }
  | { kind: 'later'; spell: Spell }
  | { kind: 'none' }
  /** Dry as far as is known, but some hours are not known. */
  | { kind: 'unknown' };

export function nextPrecipitation(runs: readonly Run[], now: number): NextPrecipitation {
  const spell = wetSpells(runs).find(({ until }) => until > now);
  if (spell) return { kind: spell.from <= now ? 'now' : 'later', spell };
  return { kind: runs.some(isPrecipitationUnknown) ? 'unknown' : 'none' };
}

/** Of a run: nobody knows whether it is wet, or what comes between it and the next. */
export function isPrecipitationUnknown(
  { precipitation: word, until }: Run,
  index: number,
  runs: readonly Run[],
): boolean {
  return word === 'unknown' || until < (runs[index + 1]?.from ?? 0);
}
