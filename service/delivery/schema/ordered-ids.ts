// IDs that grow with time, so that a batch's rows are adjacent in their table's index: much cheaper to write and find than random
// IDs. 56 random bits per batch make them unique; they are not secret.
import { randomBytes } from 'node:crypto';

export const attemptPrefix = 'att_';
export const eventPrefixes = { precipitation: 'evt_', test: 'test_' } as const;

/** Returns the lower bound of all IDs of that time or later. */
export function firstIdAt(prefix: string, instant: number): string {
  return prefix + Math.max(0, Math.floor(instant)).toString(16).padStart(12, '0');
}

/** Returns the time of the event with this ID; 0 if the ID is not ours. */
export function timeOfEventId(id: string): number {
  const digits = /^(?:evt|test)_([0-9a-f]{12})/.exec(id)?.[1];
  return digits === undefined ? 0 : Number.parseInt(digits, 16);
}

/** `count` ids of 32 hexadecimal digits after `prefix`, in ascending order. */
export function orderedIds(prefix: string, now: number, count: number): string[] {
  const start = firstIdAt(prefix, now) + randomBytes(7).toString('hex');
  return Array.from({ length: count }, (_, index) => start + index.toString(16).padStart(6, '0'));
}
