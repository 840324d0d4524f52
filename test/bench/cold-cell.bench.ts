// Goal 6 of docs/performance.md: a cold cell whose data has just arrived (73 points with sun data, serialized, gzip) against one
// JSON.stringify of the same answer, in CPU time of this process. Beside it, the same without gzip, which is made off the
// main thread.
import { systemClock } from '#shared/time/clock.ts';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { collection } from '#contract/service-api/collection.ts';
import { serializePoints } from '#service/weather/response/serialize-points.ts';
import { gzipLevel } from '#service/weather/response/weather-response.ts';
import { assemblePoints, createSharedTerms } from '#service/weather/response/assemble-points.ts';
import { createSimulation } from '#service/weather/simulation/simulation.ts';
import { atMost, type BenchOptions, type BenchRow, assess, median } from './bench-row.ts';

const startsAt = Date.parse('2026-11-21T06:00:00Z');
const places = Array.from({ length: 200 }, (_, index) => ({ lat: index / 4 - 25, lng: index / 2 - 50 }));
const about = { now: startsAt, baseUrl: 'http://127.0.0.1:8420', location: { country: 'Italy', locality: 'Torino' } };
const warmUpRounds = 5;

export async function bench({ isQuick }: BenchOptions): Promise<BenchRow[]> {
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
  const ours: number[] = [];
  const compressing: number[] = [];
  const baseline: number[] = [];
  for (let round = -warmUpRounds; round < (isQuick ? 15 : 60); round += 1) {
    // New objects, as a provider's answer brings them.
    const weathers = await Promise.all(places.map((place) => simulation.fetch(place)));
    const pointsOf = (index: number) => {
      const weather = weathers[index];
      return weather ? assemblePoints({ weather, ...about }, shared) : [];
    };
    const assembled = places.map((_, index) => pointsOf(index));
    const stringify = cost((index) => Buffer.from(JSON.stringify(collection(assembled[index] ?? []))));
    const texts: Buffer[] = [];
    const whole = cost((index) => texts.push(Buffer.from(serializePoints(pointsOf(index)))));
    const compressed = cost((index) => gzipSync(texts[index] ?? '', gzipLevel));
    if (round < 0) continue;
    compressing.push(compressed);
    baseline.push(stringify);
    ours.push(whole);
  }
  const row = (what: string, costs: readonly number[], isBeside: boolean) =>
    assess(
      {
        goal: '6',
        what: `weather, cold cell: 73 points with sun data, serialized${what}`,
        baseline: 'a single JSON.stringify of the result',
        limit: atMost(1),
        isBeside,
        note: `${median(costs).toFixed(0)} and ${median(baseline).toFixed(0)} µs CPU`,
      },
      costs.map((each, round) => each / (baseline[round] ?? Number.NaN)),
    );
  const withGzip = ours.map((each, round) => each + (compressing[round] ?? Number.NaN));
  return [row(', gzip', withGzip, false), row('', ours, true)];
}

/** Of young objects, which are what one work leaves to the next. */
function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: { type: 'minor' }) => void;
  return () => collect({ type: 'minor' });
}
