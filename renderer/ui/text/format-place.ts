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

/** Countries in which a town is usually named with its state. */
const countriesOfStates = new Set(['US', 'CA', 'AU', 'BR', 'IN', 'MX']);

/** `Torino, Italy` or `Springfield, Illinois, United States`; coordinates if the place has no name. */
export function formatPlace(place: Place): string {
  const name = place.name.trim() === '' ? formatCoordinates(place) : place.name;
  if (place.countryCode === null) return name;
  const region = countriesOfStates.has(place.countryCode) ? place.region : undefined;
  return [name, ...(region === undefined ? [] : [region]), countryName(place.countryCode)].join(', ');
}

export function samePlace(a: Place, b: Place): boolean {
  return a.lat === b.lat && a.lng === b.lng;
}
