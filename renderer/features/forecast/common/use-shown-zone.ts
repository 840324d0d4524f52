// The zone in which the forecast's times are shown.
import type { Forecast } from '@rainbell/contract/app-rpc';
import { shownZone } from '../../../store/shown.ts';
import { useApp } from '../../../store/use-app.ts';
import { computerZone } from '../../../ui/text/computer-zone.ts';

/** Before there is a forecast, the computer's zone stands for that of the place. */
export function useShownZone(forecast: Pick<Forecast, 'timeZone'> | null): { zone: string } {
  const choice = useApp(shownZone);
  switch (choice) {
    case 'place':
      return { zone: forecast?.timeZone ?? computerZone() };
    case 'mine':
      return { zone: computerZone() };
    case 'utc':
      return { zone: 'UTC' };
  }
}
