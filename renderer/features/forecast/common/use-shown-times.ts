// The times of a forecast in the zone in which they are shown.
import type { Forecast } from '@rainbell/contract/app-rpc';
import { shownZone } from '../../../store/shown.ts';
import { useApp } from '../../../store/use-app.ts';
import { computerZone } from '../../../ui/text/computer-zone.ts';
import type { ZonedTimes } from '../../../ui/text/zoned-times.ts';
import { useTimes } from '../../../widgets/use-units.ts';

/** Before there is a forecast, the computer's zone stands for that of the place. */
export function useShownTimes(forecast: Pick<Forecast, 'timeZone'> | null): ZonedTimes {
  const choice = useApp(shownZone);
  return useTimes(choice === 'utc' ? 'UTC' : (choice === 'place' && forecast?.timeZone) || computerZone());
}
