// The zone in which logs show their instants: UTC where the person chose it, else this machine's.
import { useMemo } from 'react';
import { useApp } from '#renderer/store/use-app.ts';
import { type ZonedTimes, zonedTimes } from '#renderer/ui/text/zoned-times.ts';

export function useLogTimes(): ZonedTimes {
  const isUtc = useApp((state) => state.settings.values.zone === 'utc');
  return useMemo(() => zonedTimes(isUtc ? 'UTC' : Intl.DateTimeFormat().resolvedOptions().timeZone), [isUtc]);
}
