// The temperature that people feel, calculated here and never sent. Below 10 °C and above 1.3 m/s (4.8 km/h) it is the wind chill
// of the US National Weather Service and Environment Canada (2001); from 26.7 °C and 40% humidity it is the heat index of the NWS
// (L. P. Rothfusz, "The Heat Index Equation", SR 90-23, 1990). Elsewhere neither formula holds, and there is none.
import type { Measured } from '@rainbell/contract/service-api';
import { kelvinOfZeroCelsius } from '../../../ui/text/units.ts';

const warmest = 10;
const calmest = 1.3;
/** 80 °F. */
const coolest = 26.7;
const driest = 40;

/** Returns kelvin, or undefined if the values were not sent or no formula holds for them. */
export function feelsLike({ temperature, wind_speed: wind, humidity }: Measured): number | undefined {
  if (temperature === undefined) return undefined;
  const celsius = temperature - kelvinOfZeroCelsius;
  if (celsius < warmest && wind !== undefined && wind > calmest) return windChill(celsius, wind) + kelvinOfZeroCelsius;
  if (celsius >= coolest && humidity !== undefined && humidity >= driest)
    return heatIndex(celsius, humidity) + kelvinOfZeroCelsius;
  return undefined;
}

/** `celsius` at 1.5 m, `speed` in m/s at 10 m. */
function windChill(celsius: number, speed: number): number {
  const power = (speed * 3.6) ** 0.16;
  return 13.12 + 0.6215 * celsius - 11.37 * power + 0.3965 * celsius * power;
}

/** `humidity` in percent. The coefficients are for °F. */
function heatIndex(celsius: number, humidity: number): number {
  const t = celsius * 1.8 + 32;
  const h = humidity;
  const index =
    -42.379 +
    2.04901523 * t +
    10.14333127 * h -
    0.22475541 * t * h -
    0.00683783 * t * t -
    0.05481717 * h * h +
    0.00122874 * t * t * h +
    0.00085282 * t * h * h -
    0.00000199 * t * t * h * h;
  return (index - 32) / 1.8;
}
