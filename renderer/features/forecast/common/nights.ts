// Night and the sun's rise and set, from the zero crossings of `sun_altitude` between points (docs/interface.md §2.3:
// above 0 is day). Where the sun stays down or up, there is one long night or none.
import { groupNeighbors, type TimedPoint } from './timed-points.ts';

export type Night = { from: number; until: number };
export type SunEvent = { kind: 'rises' | 'sets'; at: number };
export type SunSample = { at: number; altitude: number };

export function sunSamples(points: readonly TimedPoint[]): readonly SunSample[] {
  return points.flatMap(({ point, at }) => (point.sunAltitude === null ? [] : [{ at, altitude: point.sunAltitude }]));
}

/** Finds crossings by straight lines between neighbors; none between neighbors more than 3 hours apart. */
export function sunEvents(samples: readonly SunSample[]): readonly SunEvent[] {
  return samples.slice(1).flatMap((after, index): SunEvent[] => {
    const before = samples[index];
    const at = before && crossingBetween(before, after);
    return at === undefined ? [] : [{ kind: after.altitude > 0 ? 'rises' : 'sets', at }];
  });
}

const farMs = 3 * 3_600_000;

function isFar(before: SunSample, after: SunSample): boolean {
  return after.at - before.at > farMs;
}

/** Returns the time of the crossing, or undefined if there is none or the samples are too far apart. */
function crossingBetween(before: SunSample, after: SunSample): number | undefined {
  if (before.altitude > 0 === after.altitude > 0 || isFar(before, after)) return undefined;
  const share = before.altitude / (before.altitude - after.altitude);
  return Math.round(before.at + share * (after.at - before.at));
}

/** Nights within the span of the samples, up to `until` after the last one. */
export function nights(samples: readonly SunSample[], until: number): readonly Night[] {
  const spans = samples.flatMap((sample, index): Night[] => {
    if (sample.altitude > 0) return [];
    const [before, next] = [samples[index - 1], samples[index + 1]];
    const from = (before && crossingBetween(before, sample)) ?? sample.at;
    const end = next ? (crossingBetween(sample, next) ?? (next.altitude > 0 ? sample.at : next.at)) : until;
    return end > from ? [{ from, until: end }] : [];
  });
  return groupNeighbors(spans, (before, next) => before.until === next.from).map((night) => ({
    from: night[0].from,
    until: night.at(-1)?.until ?? night[0].until,
  }));
}
