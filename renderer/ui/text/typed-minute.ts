// A date with a time of day as it is typed, the same in every language: `2026-11-29 14:00`.

/** Returns epoch milliseconds, or NaN. `zone`: `Z` for UTC; empty for this computer's. */
export function parseMinute(text: string, zone: 'Z' | ''): number {
  const [, date = '', day, clock = ''] = /^(\d{4}-\d\d-(\d\d))[ T](\d\d:\d\d)$/.exec(text.trim()) ?? [];
  const at = new Date(`${date}T${clock}${zone}`);
  // The 31st of a month with 30 days would be the first of the next one.
  return Number(day) === (zone === 'Z' ? at.getUTCDate() : at.getDate()) ? at.getTime() : NaN;
}
