// The interface's timestamps (docs/interface.md §2.3): ISO 8601, UTC, without a zone suffix, with or without fractional
// seconds; other services leave out seconds that are zero. `new Date(text)` would read such a text as local time, so every reader goes through here.

const timestampForm = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?:(:\d{2})([.,]\d+)?)?(Z|[+-]\d{2}(?::?\d{2})?)?$/;

/** Returns epoch milliseconds, or undefined if the text is not a timestamp. Accepts a zone suffix. */
export function parseTimestamp(text: string): number | undefined {
  const match = timestampForm.exec(text);
  if (!match) return undefined;
  const [, day = '', time, seconds = ':00', fraction = '', zone = 'Z'] = match;
  const milliseconds = fraction.slice(0, 4).replace(',', '.');
  const instant = Date.parse(`${day}T${time}${seconds}${milliseconds}${zone.length === 3 ? `${zone}:00` : zone}`);
  return Number.isNaN(instant) || !isCalendarDay(day) ? undefined : instant;
}

/** `Date.parse` reads February 31 as March 3. Only the days after the 28th need the slower check. */
function isCalendarDay(day: string): boolean {
  return day.slice(8) <= '28' || new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}

/** Formats a time as the interface does: `2026-11-21T00:00:00`, with `.123` only if there are milliseconds. */
export function formatTimestamp(instant: number): string {
  const text = new Date(instant).toISOString();
  return text.endsWith('.000Z') ? text.slice(0, -5) : text.slice(0, -1);
}

/** Formats a time as RFC 3339 with `Z`: the form between screen and core, never in the service's API. */
export function formatInstant(instant: number): string {
  return new Date(instant).toISOString();
}
