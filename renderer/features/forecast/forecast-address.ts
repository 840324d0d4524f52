// A forecast's address in the window: `#/forecast?lat=45.07&lng=7.69`.
import type { Place } from '#contract/procedures/places.ts';
import { parseDegrees } from '#renderer/ui/coordinate-text.ts';
import { coordinateWords } from '#renderer/ui/durations.ts';

/** The place that an address means, or undefined where it names none or a wrong one. */
export function placeOfHash(hash: string): Place | undefined {
  const query = /^#\/forecast\?(.*)$/.exec(hash)?.[1];
  if (query === undefined) return undefined;
  const asked = new URLSearchParams(query);
  const lat = parseDegrees(asked.get('lat') ?? '', 'Latitude');
  const lng = parseDegrees(asked.get('lng') ?? '', 'Longitude');
  if (!lat.ok || !lng.ok) return undefined;
  const place = { lat: lat.value, lng: lng.value };
  return { ...place, name: coordinateWords(place), countryCode: null, population: null };
}

export function hashOfPlace({ lat, lng }: { lat: number; lng: number }): string {
  return `#/forecast?lat=${lat}&lng=${lng}`;
}
