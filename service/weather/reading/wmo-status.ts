// Maps WMO weather codes, as sent by Open-Meteo, to the interface's statuses (test/fixtures/tables/wmo-weather-codes.json).
import type { PrecipitationType, Status } from '@rainbell/contract/service-api';

const ranges: readonly (readonly [from: number, to: number, status: Status])[] = [
  [0, 1, 'sunny'],
  [2, 2, 'partly cloudy'],
  [3, 3, 'cloudy'],
  [4, 16, 'foggy'],
  [45, 48, 'foggy'],
  [51, 67, 'rainy'],
  [68, 69, 'snowy'],
  [71, 71, 'snow flurries'],
  [73, 75, 'snowy'],
  [77, 77, 'snow flurries'],
  [80, 82, 'rainy'],
  [85, 85, 'snow flurries'],
  [86, 86, 'snowy'],
  [87, 90, 'hailing'],
  [95, 95, 'stormy'],
  [96, 96, 'hailing'],
  [99, 99, 'hailing'],
];

/** Returns `unknown` for a missing or unknown code, never a guess. */
export function statusOfWmoCode(code: number | null | undefined): Status {
  if (code === null || code === undefined) return 'unknown';
  return ranges.find(([from, to]) => code >= from && code <= to)?.[2] ?? 'unknown';
}

const kinds: readonly (readonly [from: number, to: number, kind: PrecipitationType])[] = [
  [51, 55, 'rain'],
  [56, 57, 'freezing_rain'],
  [61, 65, 'rain'],
  [66, 67, 'freezing_rain'],
  [68, 69, 'sleet'],
  [71, 77, 'snow'],
  [80, 82, 'rain'],
  [83, 84, 'sleet'],
  [85, 86, 'snow'],
  [87, 90, 'hail'],
  [95, 95, 'rain'],
  [96, 96, 'hail'],
  [99, 99, 'hail'],
];

/** Returns what falls; `unknown` for a dry, missing, or unknown code. */
export function kindOfWmoCode(code: number | undefined): PrecipitationType {
  return kinds.find(([from, to]) => code !== undefined && code >= from && code <= to)?.[2] ?? 'unknown';
}

const strongWindMetresPerSecond = 14;

/** Returns `windy` for a dry sky with strong wind; fog and precipitation keep their status. */
export function withWind(status: Status, windMetresPerSecond: number | undefined): Status {
  const isDrySky = status === 'sunny' || status === 'partly cloudy' || status === 'cloudy';
  return isDrySky && (windMetresPerSecond ?? 0) >= strongWindMetresPerSecond ? 'windy' : status;
}
