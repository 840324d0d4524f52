// A side of a comparison as text, for the link `#/forecast?compare=…;…`: `fetch:12` is a stored forecast, `45.07,7.69` the forecast of a
// place now, and `45.07,7.69@<connection>` the same from another connection.
import type { Forecast } from '@rainbell/contract/app-rpc';
import type { LatLng } from '@rainbell/contract/service-api';
import { parseDegrees, writeDegrees } from '@rainbell/shared';

export type CompareSide =
  | { kind: 'stored'; id: number }
  /** `connectionId` null: the connection in use. */
  | { kind: 'live'; place: LatLng; connectionId: string | null };

/** A side that has loaded; `index` is its place among all sides, which names it. */
export type ShownSide = { index: number; name: string; forecast: Forecast };

/** More in one chart can't be told apart. */
export const maxSides = 4;

/** `A` to `D`. */
export function sideName(index: number): string {
  return String.fromCodePoint(65 + index);
}

export function writeSide(side: CompareSide): string {
  if (side.kind === 'stored') return `fetch:${side.id}`;
  const place = `${writeDegrees(side.place.lat)},${writeDegrees(side.place.lng)}`;
  return side.connectionId === null ? place : `${place}@${side.connectionId}`;
}

export function readSide(text: string): CompareSide | undefined {
  const id = /^fetch:(\d{1,15})$/.exec(text)?.[1];
  if (id !== undefined) return { kind: 'stored', id: Number(id) };
  const [, lat = '', lng = '', connectionId = null] = /^([^,@]+),([^,@]+)(?:@([a-z0-9-]{1,40}))?$/.exec(text) ?? [];
  const [south, east] = [parseDegrees(lat, 'lat'), parseDegrees(lng, 'lng')];
  if (!south.ok || !east.ok) return undefined;
  return { kind: 'live', place: { lat: south.value, lng: east.value }, connectionId };
}
