import type { LatLng } from '#contract/service-api/geo.ts';

/** A tenth of a degree, like the weather's own cells. */
export function cellOf({ lat, lng }: LatLng): string {
  return `${Math.round(lat * 10)}:${Math.round(lng * 10)}`;
}
