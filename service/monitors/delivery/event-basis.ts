// What an event is based on: stored with it as JSON, sent with each attempt as headers, and shown in its record.
import { formatInstant } from '@rainbell/shared';
import { anyGeoSchema, distanceKm, type LatLng } from '@rainbell/contract/service-api';
import type { Trigger } from '../../weather/reading/reading.ts';

/** An episode's later events have no trigger. `km`: from the monitor to the precipitation. */
export type EventBasis = Partial<Trigger> & { km?: number; episode?: string };

/** Many monitors share a trigger, so its text is built once and only the distance added. */
export function storedBasis(text: string, { place, radiusKm = 0 }: Partial<Trigger>, monitor: LatLng): string {
  if (!place) return text;
  const km = Math.max(0, distanceKm(monitor, place) - radiusKm);
  return `${text.slice(0, -1)},"km":${Math.round(km * 10) / 10}}`;
}

export function readBasis(text: string | null): EventBasis {
  return text === null ? {} : (JSON.parse(text) as EventBasis);
}

/** Returns where the monitor was when the event was created; undefined for a chat message. */
export function placeIn(body: string): LatLng | undefined {
  const { geo, data } = JSON.parse(body) as { geo?: unknown; data?: { monitor?: { geo?: unknown } } };
  return anyGeoSchema.safeParse(geo ?? data?.monitor?.geo).data;
}

/** The highest of the amounts, in mm/h; undefined: the source has none. */
export function rateOf({ amounts = [] }: EventBasis): number | undefined {
  return amounts.length === 0 ? undefined : Math.max(...amounts.map(({ mmPerHour }) => mmPerHour));
}

/** Unsigned, so they prove nothing. A test event has none. */
export function evidenceHeaders(text: string | null): Record<string, string> {
  const basis = readBasis(text);
  const rate = rateOf(basis);
  return {
    ...(basis.source === undefined ? {} : { 'rainbell-source': basis.source.replaceAll(/[^\x20-\x7E]/g, '') }),
    ...(basis.at === undefined ? {} : { 'rainbell-observed-at': `${formatInstant(basis.at).slice(0, 19)}Z` }),
    ...(basis.km === undefined ? {} : { 'rainbell-distance-km': String(basis.km) }),
    ...(rate === undefined ? {} : { 'rainbell-precipitation-rate': String(Math.round(rate * 100) / 100) }),
  };
}
