// Night and the sun's rise and set, from the zero crossings of `sun_altitude` between points (§2.3: above 0 is day). Where
// the sun stays down or up, there is one long night or none.
import type { TimedPoint } from './timed-points.ts';

export type Night = { from: number; until: number };
export type SunEvent = { kind: 'rises' | 'sets'; at: number };
export type SunSample = { at: number; altitude: number };

export function sunSamples(points: readonly TimedPoint[]): readonly SunSample[] {
  return points.flatMap(({ point, at }) => (point.sunAltitude === null ? [] : [{ at, altitude: point.sunAltitude }]));
}

/** Crossings by straight lines between neighbours; neighbours further apart than 3 hours tell nothing. */
export function sunEvents(samples: readonly SunSample[]): readonly SunEvent[] {
  const events: SunEvent[] = [];
  samples.slice(1).forEach((after, index) => {
    const before = samples[index];
    if (!before || before.altitude > 0 === after.altitude > 0 || after.at - before.at > 3 * 3_600_000) return;
    const share = before.altitude / (before.altitude - after.altitude);
    events.push({
      kind: after.altitude > 0 ? 'rises' : 'sets',
      at: Math.round(before.at + share * (after.at - before.at)),
    });
  });
  return events;
}

/** Nights within the span of the samples, up to `until` after the last one. */
export function nights(samples: readonly SunSample[], until: number): readonly Night[] {
  const first = samples[0];
  if (!first) return [];
  const spans: Night[] = [];
  let since: number | undefined = first.altitude > 0 ? undefined : first.at;
  for (const event of sunEvents(samples)) {
    if (event.kind === 'sets') since = event.at;
    else if (since !== undefined) {
      spans.push({ from: since, until: event.at });
      since = undefined;
    }
  }
  if (since !== undefined) spans.push({ from: since, until });
  return spans;
}
