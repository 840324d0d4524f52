// A forecast's address in the window: `#/forecast?lat=45.07&lng=7.69`.
import type { Place } from '#contract/app-rpc/places.ts';
import { type Parsed, parseDegrees } from '#renderer/ui/text/coordinate-text.ts';
import { placeAt } from '#renderer/ui/text/place-words.ts';

/** The place that an address means; what is wrong with it, in words; or undefined where it names none. */
export function placeOfHash(hash: string): Parsed<Place> | undefined {
  const query = /^#\/forecast\?(.*)$/.exec(hash)?.[1];
  if (query === undefined) return undefined;
  const asked = new URLSearchParams(query);
  if (!asked.has('lat') && !asked.has('lng')) return undefined;
  const lat = parseDegrees(asked.get('lat') ?? '', 'Latitude');
  const lng = parseDegrees(asked.get('lng') ?? '', 'Longitude');
  if (!lat.ok) return lat;
  if (!lng.ok) return lng;
  const place = { lat: lat.value, lng: lng.value };
  return { ok: true, value: placeAt(place) };
}

export function hashOfPlace({ lat, lng }: { lat: number; lng: number }): string {
  return `#/forecast?lat=${lat}&lng=${lng}`;
}
