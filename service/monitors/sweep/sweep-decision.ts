// Decides, without I/O, what a sweep does with its results: which monitors get an event, and when each cell is checked next.
import type { LatLng } from '@rainbell/contract/service-api';
import { jumpMs } from '@rainbell/shared';

/** Result of a check: the highest precipitation within 15 minutes, and the location of the data. */
export type SeenWeather = {
  source: string;
  /** Null if the source has no amount. */
  mmPerHour: number | null;
  grid: LatLng;
  /** A scenario keeps the place dry until this time. */
  dryScenarioUntil: number | undefined;
};

/** One check of a cell's weather; `isPrecipitating` null: the weather was unavailable. */
export type Look = {
  cell: string;
  isPrecipitating: boolean | null;
  /** When the provider has new data, if it says so. */
  nextUpdateAt?: number | undefined;
  seen?: SeenWeather | undefined;
  /** Why the weather was unavailable. */
  reason?: string;
};

export type SweepDecision = {
  /** Cells whose monitors get an event, unless in cool-down. */
  rainingCells: string[];
  nextLooks: { cell: string; at: number }[];
};

/** Maximum delay of the next check, unless the interval is longer. */
const maxPauseMs = 15 * 60_000;

/**
 * Returns the latest valid plan: a later one was made before the clock was set back, or by a process with a clock that is ahead.
 */
export function latestPlausibleLook(now: number, intervalMs: number): number {
  return now + Math.max(intervalMs, maxPauseMs) + jumpMs;
}

/**
 * Ends the interval at a whole second, slightly early, so that one statement plans all cells checked within one second; but never
 * queries a provider before the time it gave.
 */
export function decideSweep(looks: readonly Look[], now: number, intervalMs: number): SweepDecision {
  const latest = now + Math.max(intervalMs, maxPauseMs);
  const soonest = Math.floor((now + intervalMs) / 1000) * 1000;
  return {
    rainingCells: looks.filter((look) => look.isPrecipitating === true).map((look) => look.cell),
    nextLooks: looks.map((look) => ({
      cell: look.cell,
      at: Math.max(soonest, Math.min(latest, look.isPrecipitating === null ? 0 : (look.nextUpdateAt ?? 0))),
    })),
  };
}
