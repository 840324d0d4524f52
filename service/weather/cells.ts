// The grid of 0.1° on which weather is looked up, cached and watched. Cells are centred on whole tenths of a degree.
import type { LatLng } from '#contract/geo.ts';

/** The centre of the cell in which a place lies. The antimeridian is one line, and minus zero is zero. */
export function cellCentre({ lat, lng }: LatLng): LatLng {
  const tenths = Math.round(lng * 10);
  return { lat: Math.round(lat * 10) / 10 + 0, lng: (tenths === -1800 ? 1800 : tenths) / 10 + 0 };
}

/** The cell's name, as a key. */
export function cellOf(place: LatLng): string {
  const { lat, lng } = cellCentre(place);
  return `${lat.toFixed(1)},${lng.toFixed(1)}`;
}
