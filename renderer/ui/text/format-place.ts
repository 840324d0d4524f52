// Places in words.
import type { Place } from '#contract/app-rpc/places.ts';
import { formatCoordinates } from './durations.ts';

/** `Italy` for `IT`; the code itself where nobody knows it. */
export function countryName(code: string): string {
  try {
    return new Intl.DisplayNames(['en'], { type: 'region' }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** A point without a name as a place. */
export function placeAt({ lat, lng }: { lat: number; lng: number }): Place {
  return { lat, lng, name: formatCoordinates({ lat, lng }), countryCode: null, population: null };
}

/** `Torino, Italy`; coordinates where the place has no name. */
export function formatPlace(place: Place): string {
  const name = place.name.trim() === '' ? formatCoordinates(place) : place.name;
  return place.countryCode === null ? name : `${name}, ${countryName(place.countryCode)}`;
}

export function samePlace(a: Place, b: Place): boolean {
  return a.lat === b.lat && a.lng === b.lng;
}
