// Circles on the globe, and the boxes around them that a database can search.
import { sql } from 'kysely';
import type { LatLng } from '@rainbell/contract/service-api';

export type Area = { center: LatLng; radiusKm: number };

type Box = { south: number; north: number; spans: readonly (readonly [west: number, east: number])[] };

/** Whether a row may be of a place in the area: it is in the box around it. */
export function isAround(area: Area) {
  return isInBox(boxAround(area));
}

export function isInBox({ south, north, spans }: Box) {
  const parts = spans.map(([west, east]) => sql`longitude between ${west} and ${east}`);
  return sql<boolean>`latitude between ${south} and ${north} and (${sql.join(parts, sql` or `)})`;
}

const kmPerDegree = 111.19;

/** Returns the box of latitudes and longitudes, which a database can search, with every point of the area; near a pole, all longitudes. */
export function boxAround({ center, radiusKm }: Area): Box {
  const reach = radiusKm / kmPerDegree;
  const [south, north] = [Math.max(-90, center.lat - reach), Math.min(90, center.lat + reach)];
  const farthest = Math.max(Math.abs(south), Math.abs(north));
  const narrowest = Math.cos((Math.min(farthest, 90) * Math.PI) / 180);
  const width = narrowest < 0.01 ? 180 : Math.min(180, reach / narrowest);
  return { south, north, spans: spansOf(center.lng - width, center.lng + width) };
}

/** West and east of one part, or of two across 180°. 180° and −180° are the same line, so touching it counts. */
export function spansOf(west: number, east: number): Box['spans'] {
  if (east - west >= 360) return [[-180, 180]];
  const turned = [360, 0, -360].map((by) => [Math.max(-180, west + by), Math.min(180, east + by)] as const);
  return turned.filter(([from, until]) => from <= until);
}
