// Goal 6 of the design's performance.md: a cold cell whose data is there (73 points, sun, text) against one JSON.stringify of
// the same answer, in CPU time of this process. Compressing is left out: see docs/performance.md.
import { collection } from '#contract/collection.ts';
import { createSerialiser } from '#service/weather/answer/serialise-points.ts';
import { assemblePoints, createSharedTerms } from '#service/weather/assemble-points.ts';
import { createSimulation } from '#service/weather/simulation/simulation.ts';
import { atMost, type BenchOptions, type BenchRow, judge, median } from './bench-row.ts';

const startsAt = Date.parse('2026-11-21T06:00:00Z');
const places = Array.from({ length: 200 }, (_, index) => ({ lat: index / 4 - 25, lng: index / 2 - 50 }));
const about = { now: startsAt, baseUrl: 'http://127.0.0.1:8420', location: { country: 'Italy', locality: 'Torino' } };

/** CPU microseconds for each place. */
function cost(work: (index: number) => unknown): number {
  const before = process.cpuUsage();
  for (const index of places.keys()) work(index);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / places.length;
}

export async function bench({ isQuick, say }: BenchOptions): Promise<BenchRow[]> {
  const rounds = isQuick ? 15 : 60;
  const { signal } = new AbortController();
  const fetchAll = () => {
    const simulation = createSimulation({ clock: { now: () => startsAt, after: () => () => {} } });
    return Promise.all(places.map((place) => simulation.fetch(place, signal)));
  };
  const shared = createSharedTerms();
  const serialise = createSerialiser();
  const seen = { stringify: [] as number[], arrived: [] as number[], known: [] as number[] };
  // The first rounds warm up.
  for (let round = -5; round < rounds; round += 1) {
    // New objects, as a provider's answer brings them: nothing of them has been turned into text yet.
    const weathers = await fetchAll();
    const answer = (index: number) => {
      const weather = weathers[index];
      return weather && assemblePoints({ weather, ...about }, shared);
    };
    const assembled = places.map((_, index) => answer(index) ?? []);
    const stringify = cost((index) => JSON.stringify(collection(assembled[index] ?? [])));
    const arrived = cost((index) => serialise(answer(index) ?? []));
    const known = cost((index) => serialise(answer(index) ?? []));
    if (round < 0) continue;
    seen.stringify.push(stringify);
    seen.arrived.push(arrived);
    seen.known.push(known);
  }
  const note = (ours: number[]) => `${median(ours).toFixed(0)} and ${median(seen.stringify).toFixed(0)} µs CPU`;
  const against = (ours: number[]) => ours.map((each, round) => each / (seen.stringify[round] ?? Number.NaN));
  const about6 = { goal: '6', baseline: 'one JSON.stringify of the result', limit: atMost(1) };
  say(`just arrived: ${note(seen.arrived)}; known: ${note(seen.known)}`);
  return [
    judge(
      { ...about6, what: 'weather, cold cell, values just arrived: 73 points, sun, text', note: note(seen.arrived) },
      against(seen.arrived),
    ),
    judge(
      { ...about6, what: 'the same at the next minute, from the same values', note: note(seen.known) },
      against(seen.known),
    ),
  ];
}
