// The time zone of logs: UTC if the user chose it, otherwise this machine's.
import { shownZone } from '../store/shown.ts';
import { useApp } from '../store/use-app.ts';
import { computerZone } from '../ui/text/computer-zone.ts';
import type { ZonedTimes } from '../ui/text/zoned-times.ts';
import { useTimes } from './use-units.ts';

export function useLogTimes(): ZonedTimes {
  const isUtc = useApp((state) => shownZone(state) === 'utc');
  return useTimes(isUtc ? 'UTC' : computerZone());
}
