// The measured values (our optional addition to Weather) in everyday units.
import type { Measured } from '#contract/service-api/weather.ts';

const kelvinOfZeroCelsius = 273.15;
export const noMeasuredWords = 'an empty object';
const winds = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'] as const;

export function measuredWords(measured: Measured): string {
  const { temperature, dew_point, humidity, pressure, wind_speed, wind_direction, rainfall, snowfall } = measured;
  const celsius = (kelvin: number) => `${(kelvin - kelvinOfZeroCelsius).toFixed(1).replace('-', '−')} °C`;
  const words = [
    temperature !== undefined && celsius(temperature),
    dew_point !== undefined && `dew point ${celsius(dew_point)}`,
    humidity !== undefined && `${Math.round(humidity)} % humidity`,
    pressure !== undefined && `${Math.round(pressure)} hPa`,
    wind_speed !== undefined && `wind ${wind_speed.toFixed(1)} m/s${windFrom(wind_direction)}`,
    rainfall !== undefined && `rain ${rainfall.toFixed(1)} mm`,
    snowfall !== undefined && `snow ${snowfall.toFixed(1)} mm`,
  ].filter((word) => word !== false);
  return words.length === 0 ? noMeasuredWords : words.join(' · ');
}

function windFrom(degrees: number | undefined): string {
  return degrees === undefined ? '' : ` from ${winds[Math.round(degrees / 45) % 8] ?? ''}`;
}
