// The measured values (our optional addition to Weather) in the user's units.
import type { Measured } from '#contract/service-api/weather.ts';
import type { UnitFormat } from '#renderer/ui/text/units.ts';

export const noMeasuredText = 'an empty object';
const winds = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'] as const;

export function formatMeasured(measured: Measured, units: UnitFormat): string {
  const { temperature, dew_point, humidity, pressure, wind_speed, wind_direction, rainfall, snowfall } = measured;
  const texts = [
    temperature !== undefined && units.temperature.text(temperature),
    dew_point !== undefined && `dew point ${units.temperature.text(dew_point)}`,
    humidity !== undefined && `${Math.round(humidity)} % humidity`,
    pressure !== undefined && units.pressure.text(pressure),
    wind_speed !== undefined && `wind ${units.wind.text(wind_speed)}${windFrom(wind_direction)}`,
    rainfall !== undefined && `rain ${units.precipitation.text(rainfall)}`,
    snowfall !== undefined && `snow ${units.precipitation.text(snowfall)}`,
  ].filter((word) => word !== false);
  return texts.length === 0 ? noMeasuredText : texts.join(' · ');
}

function windFrom(degrees: number | undefined): string {
  return degrees === undefined ? '' : ` from ${winds[Math.round(degrees / 45) % 8] ?? ''}`;
}
