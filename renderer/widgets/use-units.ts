// The user's units and clock, with the system's locale if a setting follows it.
import { useMemo } from 'react';
import { useApp } from '../store/use-app.ts';
import { computerLocale, computerZone } from '../ui/text/computer-zone.ts';
import {
  chosenUnits,
  createUnitFormat,
  hourCycleOfLocale,
  type UnitChoice,
  type UnitFormat,
} from '../ui/text/units.ts';
import { type ZonedTimes, zonedTimes } from '../ui/text/zoned-times.ts';

export function useUnits(): UnitFormat {
  const temperatureUnit = useApp((state) => state.settings.values.temperatureUnit);
  const precipitationUnit = useApp((state) => state.settings.values.precipitationUnit);
  const windUnit = useApp((state) => state.settings.values.windUnit);
  const pressureUnit = useApp((state) => state.settings.values.pressureUnit);
  return formatOf({ temperatureUnit, precipitationUnit, windUnit, pressureUnit }, computerLocale());
}

let made: { of: string; format: UnitFormat } | undefined;

/** One for all components: making it costs more than using it. */
function formatOf(choice: UnitChoice, locale: string): UnitFormat {
  const of = `${Object.values(choice).join(' ')} ${locale}`;
  if (made?.of !== of) made = { of, format: createUnitFormat(chosenUnits(choice, locale), locale) };
  return made.format;
}

/** Times in one zone, by the user's 24 or 12-hour clock. */
export function useTimes(zone: string): ZonedTimes {
  const clock = useApp((state) => state.settings.values.clockFormat);
  const hourCycle = clock === 'system' ? hourCycleOfLocale(computerLocale()) : clock === '12' ? 'h12' : 'h23';
  return useMemo(() => zonedTimes(zone, hourCycle), [zone, hourCycle]);
}

export function useMyTimes(): ZonedTimes {
  return useTimes(computerZone());
}
