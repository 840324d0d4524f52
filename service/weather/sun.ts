// The sun over a place (§2.3 `sun_altitude`): degrees over the horizon, refraction included, rounded to hundredths.
import { getPosition } from 'suncalc';
import type { LatLng } from '#contract/geo.ts';

export function sunAltitudeDegrees(place: LatLng, instant: number): number {
  // oxlint-disable-next-line no-restricted-globals -- suncalc takes an instant as a Date; no time is read from the machine
  const { altitude } = getPosition(new Date(instant), place.lat, place.lng);
  return Math.round(altitude * 100) / 100 + 0;
}
