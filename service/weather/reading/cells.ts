// The grid of 0.1° cells in which weather is fetched, cached, and watched. Cells are centered on tenths of a degree.
import { distanceKm, type LatLng } from '@rainbell/contract/service-api';

/** Returns the center of a place's cell. Treats the antimeridian as one line, and minus zero as zero. */
export function cellCentre({ lat, lng }: LatLng): LatLng {
  const tenths = Math.round(lng * 10);
  return { lat: Math.round(lat * 10) / 10 + 0, lng: (tenths === -1800 ? 1800 : tenths) / 10 + 0 };
}

/** The cell's name, as a key. */
export function cellOf(place: LatLng): string {
  const { lat, lng } = cellCentre(place);
  return `${lat.toFixed(1)},${lng.toFixed(1)}`;
}

/** Maximum steps searched in each direction, whatever the radius and however close the pole. */
const maxSteps = 10;
const kmPerTenth = 11.12;

/** Returns the centers of the other cells within a radius of a place. */
export function cellsAround(place: LatLng, radiusKm: number): LatLng[] {
  const own = cellCentre(place);
  const steps = (km: number) => Math.min(maxSteps, Math.ceil(radiusKm / km));
  const north = steps(kmPerTenth);
  const east = steps(Math.max(0.01, kmPerTenth * Math.cos((own.lat * Math.PI) / 180)));
  const around: LatLng[] = [];
  for (let up = -north; up <= north; up += 1) {
    for (let right = -east; right <= east; right += 1) {
      const lat = own.lat + up / 10;
      if ((up === 0 && right === 0) || Math.abs(lat) > 90) continue;
      const centre = cellCentre({ lat, lng: ((own.lng + right / 10 + 540) % 360) - 180 });
      if (distanceKm(place, centre) <= radiusKm) around.push(centre);
    }
  }
  return around;
}
