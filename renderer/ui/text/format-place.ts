// Formats places.
import type { Place } from '@rainbell/contract/app-rpc';
import { formatCoordinates } from './durations.ts';

/** Looking one up costs a tenth of a millisecond. */
const countryNames = new Map<string, string>();

/** `Italy` for `IT`; the code itself if it is unknown. */
export function countryName(code: string): string {
  const known = countryNames.get(code);
  if (known !== undefined) return known;
  let name = code;
  try {
    name = new Intl.DisplayNames(['en'], { type: 'region' }).of(code) ?? code;
  } catch {
    // Not a country code.
  }
  countryNames.set(code, name);
  return name;
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
