// Times on the website, in UTC, in readable form.
import { parseTimestamp } from '@rainbell/shared';

// Created on first use: the first one loads the language's data, which takes 25 ms.
const day = () => new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
const minute = () =>
  new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZone: 'UTC',
  });

/** "21 November 2026". */
export function dayText(instant: number): string {
  return day().format(instant);
}

/** "21 Nov 2026, 06:00:00 UTC". */
export function timeText(instant: number): string {
  return `${minute().format(instant)} UTC`;
}

export function instantText(timestamp: string): string {
  return timeText(parseTimestamp(timestamp) ?? 0);
}

/** "2,000,000". */
export function countText(count: number): string {
  return new Intl.NumberFormat('en-GB').format(count);
}
