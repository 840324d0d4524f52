// Typical values by season, hour, and latitude: the calm background of the simulated fronts.
import { dayMs } from '@rainbell/shared';
import type { LatLng } from '@rainbell/contract/service-api';

const yearDays = 365.2422;
/** Coldest and warmest days come about a month after the solstices. */
const warmestDay = 200;
const warmestHour = 14.5;

/** Kelvin, without any weather: about 300 at the equator, far below freezing at a winter pole. */
export function climateTemperature({ lat, lng }: LatLng, instant: number): number {
  const days = instant / dayMs;
  const latitude = Math.abs(lat) / 90;
  const yearly = Math.cos((2 * Math.PI * (days - warmestDay)) / yearDays) * Math.sign(lat);
  const seasonal = 22 * latitude * yearly;
  const hoursSinceWarmest = days * 24 + lng / 15 - warmestHour;
  const daily = 4 * (1 - latitude * 0.7) * Math.cos((2 * Math.PI * hoursSinceWarmest) / 24);
  return 300 - 42 * latitude ** 1.6 + seasonal + daily;
}

/** The share of time in which it precipitates: the tropics and the westerlies are wet, the horse latitudes dry. */
export function wetShare({ lat }: LatLng): number {
  const latitude = Math.abs(lat);
  const tropics = 0.1 * Math.exp(-((latitude / 14) ** 2));
  const westerlies = 0.13 * Math.exp(-(((latitude - 52) / 16) ** 2));
  return 0.045 + tropics + westerlies;
}

/** Quantiles of a two-octave noise field, measured over 60,000 random places and times: [share above, value]. */
const quantiles: readonly (readonly [share: number, value: number])[] = [
  [0.005, 0.79],
  [0.02, 0.64],
  [0.04, 0.545],
  [0.08, 0.427],
  [0.12, 0.347],
  [0.2, 0.239],
  [0.5, 0],
];

/** The value that a field exceeds for the given share of time. */
export function thresholdFor(share: number): number {
  const above = quantiles.findIndex(([known]) => known >= share);
  const [toShare, toValue] = quantiles[above] ?? [0.5, 0];
  const [fromShare, fromValue] = quantiles[above - 1] ?? [0, 0.9];
  return fromValue + ((toValue - fromValue) * (share - fromShare)) / (toShare - fromShare);
}
