// Groups events that are close in time and place into one front: a front that passes over 400 monitors is one thing to review.
import type { LatLng } from '@rainbell/contract/service-api';

export type FrontEvent = {
  monitorId: string;
  /** By the service's clock. */
  at: number;
  geo: LatLng;
  isFailed: boolean;
};

export type Front = {
  /** Stays the same while the front grows: it is that of its first event. */
  id: string;
  from: number;
  until: number;
  events: readonly FrontEvent[];
};

/** Longest pause between two successive events of one front. */
export const frontGapMs = 45 * 60_000;
/** Events of fewer monitors are rows like any other. */
export const minFrontMonitors = 3;
/** The side of a square; events in the same square or in one beside it are close: 40 km and less, never over 115 km. */
const squareKm = 40;
const kmPerDegree = 111.2;

/**
 * Groups events: two belong together if they are close in time and place, or if others between them are. Costs about n log n, even if
 * all are in one place.
 */
export function groupFronts(events: readonly FrontEvent[]): readonly Front[] {
  const sorted = events.toSorted((one, other) => one.at - other.at || one.monitorId.localeCompare(other.monitorId));
  const groups = createGroups(sorted.length);
  const squares = new Map<string, number[]>();
  sorted.forEach(({ geo, at }, index) => {
    for (const key of squaresAround(geo)) {
      const newest = squares.get(key)?.at(-1);
      // In the order of time, so the newest event of a square is the nearest in time.
      if (newest !== undefined && at - (sorted[newest]?.at ?? 0) <= frontGapMs) groups.join(newest, index);
    }
    const own = keyOf(rowOf(geo.lat), geo.lng);
    const there = squares.get(own);
    if (there) there.push(index);
    else squares.set(own, [index]);
  });
  const members = new Map<number, FrontEvent[]>();
  sorted.forEach((event, index) => {
    const group = groups.of(index);
    const there = members.get(group);
    if (there) there.push(event);
    else members.set(group, [event]);
  });
  return [...members.values()].map(frontOf).toSorted((one, other) => other.until - one.until);
}

/** `events` are in the order of time. */
function frontOf(events: readonly FrontEvent[]): Front {
  const first = events[0];
  const from = first?.at ?? 0;
  return { id: `${first?.monitorId ?? ''}-${from.toString(36)}`, from, until: events.at(-1)?.at ?? from, events };
}

function rowOf(lat: number): number {
  return Math.floor((lat * kmPerDegree) / squareKm);
}

/** Squares get wider in degrees toward the poles; those of a row meet at the antimeridian. */
function columnsOf(row: number): number {
  const lat = Math.min(89, Math.abs(((row + 0.5) * squareKm) / kmPerDegree));
  return Math.max(1, Math.floor((360 * kmPerDegree * Math.cos((lat * Math.PI) / 180)) / squareKm));
}

function keyOf(row: number, lng: number, offset = 0): string {
  const columns = columnsOf(row);
  const column = Math.floor(((lng + 180) / 360) * columns) + offset;
  return `${row} ${((column % columns) + columns) % columns}`;
}

function squaresAround({ lat, lng }: LatLng): ReadonlySet<string> {
  const row = rowOf(lat);
  return new Set([-1, 0, 1].flatMap((up) => [-1, 0, 1].map((across) => keyOf(row + up, lng, across))));
}

/** Disjoint sets of numbers from 0. */
function createGroups(size: number) {
  const parents = Int32Array.from({ length: size }, (_, index) => index);
  const of = (index: number): number => {
    let root = index;
    while (parents[root] !== root) root = parents[root] ?? root;
    let at = index;
    while (parents[at] !== root) [parents[at], at] = [root, parents[at] ?? root];
    return root;
  };
  return {
    of,
    join(one: number, other: number) {
      const [a, b] = [of(one), of(other)];
      parents[Math.max(a, b)] = Math.min(a, b);
    },
  };
}
