// Goal 6 of docs/performance.md: a cold cell whose data has just arrived (73 points with sun data, serialized) against one
// JSON.stringify of the same answer, in CPU time of this process. Compression is not part of it: it is made off the main thread.
import { systemClock } from '#shared/time/clock.ts';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { collection } from '#contract/service-api/collection.ts';
import { serializePoints, assemblePoints, createSharedTerms } from '#service/weather/response/weather-points.ts';
import { createSimulation } from '#service/weather/simulation/simulation.ts';
import { atMost, type BenchOptions, type BenchRow, assess, median, repeat } from './bench-row.ts';

const startsAt = Date.parse('2026-11-21T06:00:00Z');
const places = Array.from({ length: 200 }, (_, index) => ({ lat: index / 4 - 25, lng: index / 2 - 50 }));
const about = { now: startsAt, baseUrl: 'http://127.0.0.1:8420', location: { country: 'Italy', locality: 'Torino' } };

export async function bench({ extent }: BenchOptions): Promise<BenchRow[]> {
  const collectGarbage = garbageCollector();
  /** CPU microseconds for each place; no one pays for the garbage of another. */
  const cost = (work: (index: number) => unknown): number => {
    collectGarbage();
    const before = process.cpuUsage();
    for (const index of places.keys()) work(index);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / places.length;
  };
  const simulation = createSimulation({ clock: { ...systemClock, now: () => startsAt } });
  const shared = createSharedTerms();
  const seen = await repeat(extent, { warmUps: 5, quick: 15, whole: 60 }, async () => {
    // New objects, as a provider's answer brings them.
    const weathers = await Promise.all(places.map((place) => simulation.fetch(place)));
    const pointsOf = (index: number) => {
      const weather = weathers[index];
      return weather ? assemblePoints({ weather, ...about }, shared) : [];
    };
    const assembled = places.map((_, index) => pointsOf(index));
    const baseline = cost((index) => Buffer.from(JSON.stringify(collection(assembled[index] ?? []))));
    const ours = cost((index) => Buffer.from(serializePoints(pointsOf(index))));
    return { ours, baseline };
  });
  const middle = (name: 'ours' | 'baseline') => median(seen.map((round) => round[name])).toFixed(0);
  const subject = {
    goal: '6',
    what: 'weather, cold cell: 73 points with sun data, serialized',
    baseline: 'a single JSON.stringify of the result',
    limit: atMost(1),
    note: `${middle('ours')} and ${middle('baseline')} µs CPU`,
  };
  const ratios = seen.map(({ ours, baseline }) => ours / baseline);
  return [assess(subject, ratios)];
}

/** Of young objects, which are what one work leaves to the next. */
function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: { type: 'minor' }) => void;
  return () => collect({ type: 'minor' });
}
