// Rain fronts, at `GET /v2/fronts/`: a Rainbell extension of the interface (docs/delivery.md S11). Events that are close in time and
// place are one front: a front that passes over 400 monitors is one thing to review, however long it rains.
import { z } from 'zod';
import type { LatLng } from './geo.ts';
import { eventIntervalSeconds } from './monitor.ts';

/** Events of fewer monitors are events like any other. */
export const minFrontMonitors = 3;
/** Longest pause between two events of one front: the hour without a second event, and the 60 dry minutes that end an episode. */
export const frontGapMs = eventIntervalSeconds * 1000 + 60 * 60_000;

export const frontRecordSchema = z.object({
  id: z.string().describe('of its first event'),
  from: z.string().describe('of its first event'),
  until: z.string().describe('of its last event so far'),
  monitors: z.number().describe('how many had an event'),
  failed: z
    .number()
    .describe('how many of them have an event that failed, expired, or is tried again after a failed attempt'),
  monitor_ids: z.array(z.string()).describe('at most 10,000'),
  hosts: z
    .array(z.object({ host: z.string(), failed: z.number().describe('monitors') }))
    .describe('where callbacks failed, at most 20, most first'),
});

export const frontListSchema = z.object({
  objects: z.array(frontRecordSchema),
  meta: z.object({
    from: z.string().describe('later than requested if there are too many events to look through'),
    to: z.string(),
  }),
});
export type FrontList = z.infer<typeof frontListSchema>;

/** `at`: epoch milliseconds. Events of one episode are in one front. */
export type PlacedEvent = { id: string; at: number; geo: LatLng; episode?: string | undefined };

/** The side of a square; events in the same square or in one beside it are close: 40 km and less, never over 115 km. */
const squareKm = 40;
const kmPerDegree = 111.2;

/** Newest group first: two events belong together if they are close in time and place, or if others between them are. About n log n. */
export function groupEvents<Event extends PlacedEvent>(events: readonly Event[]): readonly (readonly Event[])[] {
  const sorted = events.toSorted((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1));
  const groups = createGroups(sorted.length);
  /** By square, and by episode: its newest event, which is the nearest in time. */
  const newest = new Map<number, number>();
  const episodes = new Map<string, number>();
  sorted.forEach(({ geo, at, episode }, index) => {
    const row = Math.floor((geo.lat * kmPerDegree) / squareKm);
    for (let up = -1; up <= 1; up += 1) {
      for (let across = -1; across <= 1; across += 1) {
        const near = newest.get(squareOf(row + up, geo.lng, across));
        if (near !== undefined && at - (sorted[near]?.at ?? 0) <= frontGapMs) groups.join(near, index);
      }
    }
    newest.set(squareOf(row, geo.lng, 0), index);
    if (episode === undefined) return;
    groups.join(episodes.get(episode) ?? index, index);
    episodes.set(episode, index);
  });
  const members = Map.groupBy(sorted.entries(), ([index]) => groups.of(index)).values();
  const found = Array.from(members, (group) => group.map(([, event]) => event));
  return found.toSorted((one, other) => (other.at(-1)?.at ?? 0) - (one.at(-1)?.at ?? 0));
}

/** A number for a square. Squares get wider in degrees toward the poles; those of a row meet at the antimeridian. */
function squareOf(row: number, lng: number, across: number): number {
  const lat = Math.min(89, Math.abs(((row + 0.5) * squareKm) / kmPerDegree));
  const columns = Math.max(1, Math.floor((360 * kmPerDegree * Math.cos((lat * Math.PI) / 180)) / squareKm));
  const column = Math.floor(((lng + 180) / 360) * columns) + across;
  return row * 10_000 + (((column % columns) + columns) % columns);
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
