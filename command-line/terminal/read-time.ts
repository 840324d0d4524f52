// Parses times as users type them: `60`, `90s`, `5m`, `2h` for a duration, and an ISO 8601 timestamp or a duration ago.
import { parseTimestamp } from '@rainbell/shared';
import { UsageError } from './arguments.ts';

const unitMs: Readonly<Record<string, number>> = { '': 1000, ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** Timers of the machine cannot wait for longer than this. */
const maxMs = 24 * 86_400_000;

/** Milliseconds; a bare number means seconds. Throws UsageError. */
export function readDuration(flag: string, text: string): number {
  const durationMs = durationIn(text);
  if (durationMs !== undefined && durationMs <= maxMs) return durationMs;
  throw new UsageError(`--${flag} must be seconds, or a duration such as 90s, 5m, or 2h, up to 24d, not “${text}”.`);
}

const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** Returns epoch milliseconds: of a time (UTC without a zone), a duration before `now`, or a weekday's last start. Throws UsageError. */
export function readSince(flag: string, text: string, now: number): number {
  const day = days.indexOf(text.toLowerCase());
  const agoDays = (new Date(now).getUTCDay() - day + 7) % 7;
  if (day !== -1) return new Date(now).setUTCHours(0, 0, 0, 0) - agoDays * 86_400_000;
  const agoMs = text === 'now' ? 0 : durationIn(text);
  const instant = agoMs === undefined ? parseTimestamp(text) : now - agoMs;
  if (instant !== undefined) return instant;
  throw new UsageError(
    `--${flag} must be “now”, a time such as 2026-11-21T08:00:00Z, a day such as sat, or how long ago, such as 90s or 5m, not “${text}”.`,
  );
}

function durationIn(text: string): number | undefined {
  const match = /^(\d{1,10}(?:\.\d{1,6})?)(ms|s|m|h|d)?$/.exec(text);
  const unit = unitMs[match?.[2] ?? ''];
  return match && unit !== undefined ? Number(match[1]) * unit : undefined;
}
