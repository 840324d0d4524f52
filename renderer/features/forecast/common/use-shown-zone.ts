// The zone in which the forecast's times are shown.
import type { Forecast } from '#contract/app-rpc/forecast.ts';
import { shownZone } from '#renderer/store/shown.ts';
import { useApp } from '#renderer/store/use-app.ts';
import { computerZone } from '#renderer/ui/text/computer-zone.ts';

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
