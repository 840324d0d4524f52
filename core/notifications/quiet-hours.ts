// Whether notifications may be shown now, by the user's switch and quiet hours.
import type { NotificationChoice } from '#contract/app-rpc/settings.ts';

export function mayNotify({ isOn, quiet }: NotificationChoice, now: number): boolean {
  return isOn && !(quiet && isQuiet(quiet, timeOfDay(now)));
}

/** `22:00` to `07:00` goes over midnight; the end is not quiet any more. */
export function isQuiet({ from, until }: { from: string; until: string }, now: string): boolean {
  return from <= until ? now >= from && now < until : now >= from || now < until;
}

/** By the machine's zone, such as `07:30`. */
function timeOfDay(instant: number): string {
  return new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(instant);
}
