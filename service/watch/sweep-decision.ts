// What a sweep does with what it saw, decided without I/O: where an event is due, and when each cell is looked at next.
import type { LatLng } from '#contract/service-api/geo.ts';
import { jumpMs } from '#shared/time/clock.ts';

/** What a look saw: the most precipitation within 15 minutes, and where the data is for. */
export type SeenWeather = {
  source: string;
  /** Null: the source gives no amount. */
  mmPerHour: number | null;
  grid: LatLng;
  /** A scenario keeps the place dry until then. */
  dryScenarioUntil: number | undefined;
};

/** Every live provider that may be asked fails, `restMs` until one is asked again; 0: with the next check. */
export type ProviderPause = { since: number; reason: string; restMs: number };

/** One look at a cell's weather; `isPrecipitating` null: the weather could not be had. */
export type Look = {
  cell: string;
  isPrecipitating: boolean | null;
  /** When the provider will know more, where it says so. */
  nextUpdateAt?: number | undefined;
  seen?: SeenWeather | undefined;
  /** Why the weather could not be had. */
  reason?: string;
};

export type SweepDecision = {
  /** Cells whose monitors get an event, if their gates are open. */
  rainingCells: string[];
  nextLooks: { cell: string; at: number }[];
};

/** No look is planned further ahead than this, or than the interval if that is longer. */
const longestPauseMs = 15 * 60_000;

/** A later plan was made by a clock that has been set back since, or by a process whose clock is ahead. */
export function latestPlausibleLook(now: number, intervalMs: number): number {
  return now + Math.max(intervalMs, longestPauseMs) + jumpMs;
}

/**
 * The interval ends at a whole second, a little early, so that cells that were looked at within one second are planned by one
 * statement; before the instant of a provider nobody asks.
 */
export function decideSweep(looks: readonly Look[], now: number, intervalMs: number): SweepDecision {
  const latest = now + Math.max(intervalMs, longestPauseMs);
  const soonest = Math.floor((now + intervalMs) / 1000) * 1000;
  return {
    rainingCells: looks.filter((look) => look.isPrecipitating === true).map((look) => look.cell),
    nextLooks: looks.map((look) => ({
      cell: look.cell,
      at: Math.max(soonest, Math.min(latest, look.isPrecipitating === null ? 0 : (look.nextUpdateAt ?? 0))),
    })),
  };
}
