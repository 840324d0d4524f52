// Maps WMO weather codes, as sent by Open-Meteo, to the interface's statuses (test/fixtures/tables/wmo-weather-codes.json).
import type { PrecipitationType, Status } from '@rainbell/contract/service-api';

type Range = readonly [from: number, to: number, status: Status, kind?: PrecipitationType];

const ranges: readonly Range[] = [
  [0, 1, 'sunny'],
  [2, 2, 'partly cloudy'],
  [3, 3, 'cloudy'],
  [4, 16, 'foggy'],
  [45, 48, 'foggy'],
  [51, 55, 'rainy', 'rain'],
  [56, 57, 'rainy', 'freezing_rain'],
  [58, 65, 'rainy', 'rain'],
  [66, 67, 'rainy', 'freezing_rain'],
  [68, 69, 'snowy', 'sleet'],
  [71, 71, 'snow flurries', 'snow'],
  [73, 75, 'snowy', 'snow'],
  [77, 77, 'snow flurries', 'snow'],
  [80, 82, 'rainy', 'rain'],
  [83, 84, 'snowy', 'sleet'],
  [85, 85, 'snow flurries', 'snow'],
  [86, 86, 'snowy', 'snow'],
  [87, 90, 'hailing', 'hail'],
  [95, 95, 'stormy', 'rain'],
  [96, 96, 'hailing', 'hail'],
  [99, 99, 'hailing', 'hail'],
];

function rangeOf(code: number | null | undefined): Range | undefined {
  return ranges.find(([from, to]) => typeof code === 'number' && code >= from && code <= to);
}

/** Returns `unknown` for a missing or unknown code, never a guess. */
export function statusOfWmoCode(code: number | null | undefined): Status {
  return rangeOf(code)?.[2] ?? 'unknown';
}

/** Returns what falls; `unknown` for a dry, missing, or unknown code. */
export function kindOfWmoCode(code: number | undefined): PrecipitationType {
  return rangeOf(code)?.[3] ?? 'unknown';
}

const strongWindMetresPerSecond = 14;

/** Returns `windy` for a dry sky with strong wind; fog and precipitation keep their status. */
export function withWind(status: Status, windMetresPerSecond: number | undefined): Status {
  const isDrySky = status === 'sunny' || status === 'partly cloudy' || status === 'cloudy';
  return isDrySky && (windMetresPerSecond ?? 0) >= strongWindMetresPerSecond ? 'windy' : status;
}
