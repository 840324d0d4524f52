// What a sweep does with what it saw, decided without I/O: where an event is due, and when each cell is looked at next.

/** One look at a cell's weather; `isPrecipitating` null: the weather could not be had. */
export type Look = {
  cell: string;
  isPrecipitating: boolean | null;
  /** When the provider will know more, where it says so. */
  nextUpdateAt: number | undefined;
};

export type SweepDecision = {
  /** Cells whose monitors get an event, if their gates are open. */
  rainingCells: string[];
  nextLooks: { cell: string; at: number }[];
};

/**
 * The interval ends at a whole second, a little early, so that cells that were looked at within one second are planned by one
 * statement; before the instant of a provider nobody asks.
 */
export function decideSweep(looks: readonly Look[], now: number, intervalMs: number): SweepDecision {
  const soonest = Math.floor((now + intervalMs) / 1000) * 1000;
  return {
    rainingCells: looks.filter((look) => look.isPrecipitating === true).map((look) => look.cell),
    nextLooks: looks.map((look) => ({
      cell: look.cell,
      at: Math.max(soonest, look.isPrecipitating === null ? 0 : (look.nextUpdateAt ?? 0)),
    })),
  };
}
