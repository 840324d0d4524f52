// Rain and snow as water. Without zod, for the screens.
import type { Measured } from './weather.ts';

/** By Open-Meteo's documentation: 7 cm of snow are 10 mm of precipitation. */
export const meltedPerSnow = 1 / 7;

/** Returns millimeters of water; undefined if neither amount is known. */
export function waterOf({ rainfall, snowfall }: Measured): number | undefined {
  return rainfall === undefined && snowfall === undefined
    ? undefined
    : (rainfall ?? 0) + (snowfall ?? 0) * meltedPerSnow;
}
