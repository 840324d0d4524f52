// A circle on the globe as a box of latitudes and longitudes, which a database can search.
import type { LatLng } from '@rainbell/contract/service-api';

export type Area = { center: LatLng; radiusKm: number };

export type Box = {
  south: number;
  north: number;
  /** West and east of one part, or of two if the box crosses 180°. */
  spans: readonly (readonly [number, number])[];
};

const kmPerDegree = 111.19;

/** Contains every point of the area; near a pole, all longitudes. */
export function boxAround({ center, radiusKm }: Area): Box {
  const reach = radiusKm / kmPerDegree;
  const [south, north] = [Math.max(-90, center.lat - reach), Math.min(90, center.lat + reach)];
  const farthest = Math.max(Math.abs(south), Math.abs(north));
  const narrowest = Math.cos((Math.min(farthest, 90) * Math.PI) / 180);
  const width = narrowest < 0.01 ? 180 : Math.min(180, reach / narrowest);
  return { south, north, spans: spansOf(center.lng - width, center.lng + width) };
}

function spansOf(west: number, east: number): (readonly [number, number])[] {
  if (east - west >= 360) return [[-180, 180]];
  // 180° and −180° are the same line, so touching it counts.
  if (west <= -180)
    return [
      [-180, east],
      [west + 360, 180],
    ];
  if (east >= 180)
    return [
      [west, 180],
      [-180, east - 360],
    ];
  return [[west, east]];
}
