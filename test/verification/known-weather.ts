// A month of weather that was drawn, not observed: forecasts, reports of airports, and what a table of them must be. Lines are
// written by hand, without the product's code. `node test/verification/known-weather.ts` writes the archive of test/fixtures.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

export const known = {
  from: Date.parse('2026-09-01T00:00:00Z'),
  days: 30,
  /** Three places that share no airport. Each airport is 12 km away: too far for the sweep, near enough for verification. */
  places: [
    { cell: '45.1,7.7', lat: 45.1, lng: 7.7, station: 'LIMF' },
    { cell: '60.2,11.1', lat: 60.2, lng: 11.1, station: 'ENGM' },
    { cell: '-33.9,151.2', lat: -33.9, lng: 151.2, station: 'YSSY' },
  ],
  /** What was put in: how likely rain has a forecast, and how likely a forecast of rain is wrong. */
  detection: 0.8,
  falseShare: 0.25,
};

type Slot = {
  place: number;
  startsAt: number;
  kind: 'hit' | 'false alarm' | 'miss';
  mmPerHour: number;
  /** When the airport first reports rain. */
  onset: number;
};

const minute = 60_000;
const hour = 60 * minute;
const file = fileURLToPath(new URL('../fixtures/archive/drawn-month.ndjson.gz', import.meta.url));

/** A linear congruential generator (Numerical Recipes): the same month everywhere. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32;
}

/** Two chances of rain a day at each place, far enough apart for the gate. */
export function drawSlots(): Slot[] {
  const random = createRandom(2026);
  const slots: Slot[] = [];
  // With these shares a false alarm is as frequent as in `falseShare`.
  const falseRate = (known.detection * known.falseShare) / (1 - known.falseShare);
  for (let day = 0; day < known.days; day += 1) {
    for (const place of known.places.keys()) {
      for (const startHour of [6, 15]) {
        const draw = random() * (1 + falseRate) * 1.4;
        const startsAt = known.from + day * 24 * hour + startHour * hour + Math.floor(random() * 60) * minute;
        const onset = startsAt + (Math.floor(random() * 21) - 5) * minute;
        const mmPerHour = [0.3, 0.6, 1.5, 4][Math.floor(random() * 4)] ?? 0;
        const kind =
          draw < known.detection ? 'hit' : draw < 1 ? 'miss' : draw < 1 + falseRate ? 'false alarm' : undefined;
        if (kind) slots.push({ place, startsAt, kind, mmPerHour, onset });
      }
    }
  }
  return slots;
}

/** The table of a policy that needs more than so many mm/h, counted here and not by the product. */
export function countTable(slots: readonly Slot[], leastMmPerHour: number) {
  const isForecast = (slot: Slot) => slot.kind !== 'miss' && slot.mmPerHour > leastMmPerHour;
  const hits = slots.filter((slot) => slot.kind === 'hit' && isForecast(slot));
  return {
    hits: hits.length,
    falseAlarms: slots.filter((slot) => slot.kind === 'false alarm' && isForecast(slot)).length,
    misses: slots.filter((slot) => slot.kind === 'miss' || (slot.kind === 'hit' && !isForecast(slot))).length,
    /** The event comes 15 minutes before the forecast rain, at the next sweep. */
    leads: hits.map(({ startsAt, onset }) => (onset - startsAt) / minute + 15),
  };
}

export function writeLines(slots: readonly Slot[]): string {
  const lines: { at: number; text: string }[] = [];
  const add = (at: number, line: object) => lines.push({ at, text: JSON.stringify(line) });
  for (const [index, place] of known.places.entries()) {
    const own = slots.filter((slot) => slot.place === index);
    for (let at = known.from; at < known.from + known.days * 24 * hour; at += hour) {
      const rain = own
        .filter(({ kind, startsAt }) => kind !== 'miss' && startsAt + 30 * minute > at && startsAt < at + 3 * hour)
        .map(({ startsAt, mmPerHour }) => [startsAt / 1000, startsAt / 1000 + 1800, mmPerHour]);
      add(at, {
        kind: 'forecast',
        at: at / 1000,
        cell: place.cell,
        source: 'open-meteo',
        fresh: at / 1000 + 3600,
        status: [at / 1000, 'cloudy'],
        rain: [[at / 1000, at / 1000 + 3 * 3600, 0], ...rain],
      });
    }
    const rainy = own.filter(({ kind }) => kind !== 'false alarm');
    const isWetAt = (at: number) => rainy.some(({ onset }) => at >= onset && at <= onset + 20 * minute);
    const times = new Set(rainy.flatMap(({ onset }) => [onset, onset + 10 * minute]));
    for (let at = known.from; at < known.from + known.days * 24 * hour; at += 30 * minute) times.add(at);
    for (const time of times) {
      add(time + 5 * minute, {
        kind: 'observation',
        at: (time + 5 * minute) / 1000,
        station: place.station,
        lat: Math.round((place.lat + 12 / 111.2) * 1e4) / 1e4,
        lng: place.lng,
        time: time / 1000,
        status: isWetAt(time) ? 'rainy' : 'cloudy',
        wet: isWetAt(time),
      });
    }
  }
  lines.sort((a, b) => a.at - b.at);
  const header = '{"kind":"rainbell-archive","version":1,"origin":"drawn by test/verification/known-weather.ts"}';
  return `${[header, ...lines.map(({ text }) => text)].join('\n')}\n`;
}

export const knownArchive = file;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(file, gzipSync(writeLines(drawSlots()), { level: 9 }));
}
