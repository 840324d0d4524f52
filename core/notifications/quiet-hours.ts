// Whether notifications may be shown now, by the user's switch and quiet hours.
import type { NotificationChoice } from '@rainbell/contract/app-rpc';

export function mayNotify({ isOn, quiet }: NotificationChoice, now: number): boolean {
  return isOn && !(quiet && isQuiet(quiet, timeOfDay(now)));
}

/** `22:00` to `07:00` goes over midnight; the end is no longer quiet. */
export function isQuiet({ from, until }: { from: string; until: string }, now: string): boolean {
  return from <= until ? now >= from && now < until : now >= from || now < until;
}

/** Such as `07:30`, by this computer's clock. */
function timeOfDay(instant: number): string {
  const options = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  return new Intl.DateTimeFormat('en-GB', options).format(instant);
}
