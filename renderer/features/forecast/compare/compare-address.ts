// The two sides of a comparison as text, in the address `#/forecast?a=…&b=…`: `fetch:12` is a kept fetch, `45.07,7.69` a place
// asked now, and `45.07,7.69@<connection>` the same of another connection.
import type { LatLng } from '#contract/service-api/geo.ts';
import { parseDegrees } from '#renderer/ui/text/coordinate-text.ts';

export type CompareSide =
  | { kind: 'stored'; id: number }
  /** `connectionId` null: the connection in use. */
  | { kind: 'live'; place: LatLng; connectionId: string | null };

export type ComparedSides = { a: CompareSide; b: CompareSide };

export function writeSide(side: CompareSide): string {
  if (side.kind === 'stored') return `fetch:${side.id}`;
  const place = `${side.place.lat},${side.place.lng}`;
  return side.connectionId === null ? place : `${place}@${side.connectionId}`;
}

export function readSide(text: string): CompareSide | undefined {
  const id = /^fetch:(\d{1,15})$/.exec(text)?.[1];
  if (id !== undefined) return { kind: 'stored', id: Number(id) };
  const [, lat = '', lng = '', connectionId = null] = /^([^,@]+),([^,@]+)(?:@([a-z0-9-]{1,40}))?$/.exec(text) ?? [];
  const [south, east] = [parseDegrees(lat, 'Latitude'), parseDegrees(lng, 'Longitude')];
  if (!south.ok || !east.ok) return undefined;
  return { kind: 'live', place: { lat: south.value, lng: east.value }, connectionId };
}

/** Undefined where the address asks for no comparison, `wrong` where it asks for one that cannot be read. */
export function comparedSidesOfHash(hash: string): ComparedSides | 'wrong' | undefined {
  const asked = new URLSearchParams(/^#\/forecast\?(.*)$/.exec(hash)?.[1] ?? '');
  if (!asked.has('a') && !asked.has('b')) return undefined;
  const [a, b] = [readSide(asked.get('a') ?? ''), readSide(asked.get('b') ?? '')];
  return a && b ? { a, b } : 'wrong';
}

export function hashOfCompared({ a, b }: ComparedSides): string {
  return `#/forecast?a=${writeSide(a)}&b=${writeSide(b)}`;
}
