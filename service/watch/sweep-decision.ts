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

export function decideSweep(looks: readonly Look[], now: number, intervalMs: number): SweepDecision {
  return {
    rainingCells: looks.filter((look) => look.isPrecipitating === true).map((look) => look.cell),
    nextLooks: looks.map((look) => ({
      cell: look.cell,
      at: Math.max(now + intervalMs, look.isPrecipitating === null ? 0 : (look.nextUpdateAt ?? 0)),
    })),
  };
}
