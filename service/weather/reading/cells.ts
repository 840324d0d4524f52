// The grid of 0.1° cells in which weather is fetched, cached, and watched. Cells are centered on tenths of a degree.
import type { LatLng } from '@rainbell/contract/service-api';

/** Returns the center of a place's cell. Treats the antimeridian as one line, and minus zero as zero. */
export function cellCentre({ lat, lng }: LatLng): LatLng {
  const tenths = Math.round(lng * 10);
  return { lat: Math.round(lat * 10) / 10 + 0, lng: (tenths === -1800 ? 1800 : tenths) / 10 + 0 };
}

/** Distance from the center of a cell to its corner, at the equator (the maximum). */
export const cellRadiusKm = 7.9;
/** Maximum distance between two places of a cell: its weather is fetched for one of them. */
export const cellSpanKm = 2 * cellRadiusKm;

export function cellOf(place: LatLng): string {
  const { lat, lng } = cellCentre(place);
  return `${lat.toFixed(1)},${lng.toFixed(1)}`;
}

export function centreOf(cell: string): LatLng {
  const [lat, lng] = cell.split(',').map(Number);
  return { lat: lat ?? 0, lng: lng ?? 0 };
}
