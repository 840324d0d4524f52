// Goal 6 of the design's performance.md: a cold cell whose data is there (73 points, sun, text, and for whom it wants gzip)
// against one JSON.stringify of the same answer. Run: node test/bench/cold-cell.bench.ts
import { gzipSync } from 'node:zlib';
import { collection } from '#contract/collection.ts';
import { createSerialiser } from '#service/weather/answer/serialise-points.ts';
import { assemblePoints, createSharedTerms } from '#service/weather/assemble-points.ts';
import { createSimulation } from '#service/weather/simulation/simulation.ts';
import { createSun } from '#service/weather/sun.ts';

const startsAt = Date.parse('2026-11-21T06:00:00Z');
const clock = { now: () => startsAt, after: () => () => {} };
const simulation = createSimulation({ clock });
const cells = Array.from({ length: 200 }, (_, index) => ({ lat: index / 4 - 25, lng: index / 2 - 50 }));
const { signal } = new AbortController();
const weathers = await Promise.all(cells.map((cell) => simulation.fetch(cell, signal)));
const location = { country: 'Italy', locality: 'Torino' };
const shared = createSharedTerms();
const sunAltitude = createSun();
const serialise = createSerialiser();
const assembled = weathers.map((weather) =>
  assemblePoints({ weather, now: startsAt, baseUrl: 'http://127.0.0.1:8420', location }, shared),
);
const bodies = assembled.map((points) => serialise(points));

const works: Readonly<Record<string, (index: number) => unknown>> = {
  'JSON.stringify': (index) => JSON.stringify(collection(assembled[index] ?? [])),
  'assembly with sun': (index) => {
    const weather = weathers[index];
    return weather && assemblePoints({ weather, now: startsAt, baseUrl: 'http://127.0.0.1:8420', location }, shared);
  },
  'sun alone': (index) => {
    const { grid, steps } = weathers[index] ?? { grid: { lat: 0, lng: 0 }, steps: [] };
    return steps.map(({ at }) => sunAltitude(grid, at));
  },
  text: (index) => serialise(assembled[index] ?? []),
  'text of new data': (index) => createSerialiser()(assembled[index] ?? []),
  gzip: (index) => gzipSync(bodies[index] ?? '', { level: 3 }),
};

const rounds = 7;
const timings = new Map(Object.keys(works).map((name) => [name, [] as number[]]));
for (let round = 0; round < rounds; round += 1) {
  for (const [name, work] of Object.entries(works)) {
    const before = process.cpuUsage();
    for (let repeat = 0; repeat < 5; repeat += 1) for (const index of cells.keys()) work(index);
    const { user, system } = process.cpuUsage(before);
    timings.get(name)?.push((user + system) / (5 * cells.length));
  }
}
const median = (values: number[]) => values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
for (const [name, values] of timings) console.log(`${name}: ${median(values).toFixed(1)} µs CPU`);
