// Formats a time in full, for a tooltip: in the zone of the logs, and in UTC if that differs.
import { type ZonedTimes, zonedTimes } from '../../../ui/text/zoned-times.ts';

/** `Sat 21 Nov, 08:20:59 CET · 07:20:59 UTC` */
export function timeTitle(at: number, times: ZonedTimes): string {
  const local = `${times.day(at)}, ${times.clockSeconds(at)}`;
  if (times.zone === 'UTC') return `${local} UTC`;
  return `${local} ${times.zoneName(at)} · ${zonedTimes('UTC', times.hourCycle).clockSeconds(at)} UTC`;
}
