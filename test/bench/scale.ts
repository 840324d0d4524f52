// `npm run scale [-- --part 200 --hours 24]`: replays a day of 10,000,000 monitors in 200,000 cells, or a part of it with as many
// monitors a cell, on PostgreSQL and a shortened clock. A front crosses Europe from west to east. Sweeps, claims, and deliveries are the
// service's own and real; only the weather is made up. Prints what each step cost, and extrapolates (docs/sizing.md).
import { failWithUsage, readToolOptions } from '#scripts/tool-options.mjs';
import { sql } from 'kysely';
import type { LatLng } from '#contract/service-api/geo.ts';
import { createPrecipitationWatch } from '#service/watch/precipitation-watch.ts';
import { createWatchStore } from '#service/watch/watch-store.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { allSent, startQueue } from './bench-queue.ts';
import { startCallbackServer } from './callback-servers.ts';
import { fillApplication, startFleetDatabases } from './fleet-database.ts';
import { measure, silentLog } from './monitor-database.ts';

const whole = { monitors: 10_000_000, cells: 200_000 };
const stepMinutes = 5;
const startsAt = Date.UTC(2026, 10, 23);
/** Europe from 35 to 65° N and 10° W to 30° E. */
const europe = { south: 35, west: -10, height: 30, width: 40 };
/** The front is 2° wide and leans by a quarter of a degree for each degree north. It crosses Europe in a day. */
const front = { width: 2, lean: 0.25 };

const usage = `Usage: npm run scale [-- --part N] [--hours N]

Replay a day of 10,000,000 monitors in 200,000 cells on PostgreSQL, while a front crosses Europe, and print the cost of each step

Options:
  --part N    replay one Nth of the monitors and cells (default: 200)
  --hours N   length of the replay, 1 to 24 (default: 24)
  -h, --help  print this help

Examples:
  npm run scale -- --part 1000 --hours 2`;

const { values } = readToolOptions(usage, {
  part: { type: 'string', default: '200' },
  hours: { type: 'string', default: '24' },
});
const [part, hours] = [Number(values.part), Number(values.hours)];
if (!(part >= 1 && part <= 10_000)) failWithUsage(usage, '--part must be a number from 1 to 10000');
if (!(hours >= 1 && hours <= 24)) failWithUsage(usage, '--hours must be a number from 1 to 24');
const [monitors, cells] = [Math.round(whole.monitors / part), Math.round(whole.cells / part)];

type Spent = { service: number; server: number; items: number };

function rainsAt({ lat, lng }: LatLng, now: number): boolean {
  const path = europe.width + front.width + europe.height * front.lean;
  const edge = europe.west - europe.height * front.lean + (path * (now - startsAt)) / 86_400_000;
  const behind = edge - (lng - (lat - europe.south) * front.lean);
  return behind >= 0 && behind < front.width;
}

const databases = await startFleetDatabases();
const database = await databases.open(await databases.create());
const { db } = database;
const servers = await Promise.all([1, 2, 3, 4].map(() => startCallbackServer()));
const urls = servers.map(({ port }) => `http://127.0.0.1:${port}/`);
await fillApplication(db);
const columns = Math.ceil(Math.sqrt((cells * europe.width) / europe.height));
const rows = Math.ceil(cells / columns);
const latitude = sql`${europe.south}::float + ${europe.height / rows}::float * ((number % ${cells}::int) / ${columns}::int)`;
const longitude = sql`${europe.west}::float + ${europe.width / columns}::float * ((number % ${cells}::int) % ${columns}::int)`;
await sql`insert into monitors (id, application_id, monitor_type, callback_uri, latitude, longitude, cell, created_at,
    gate_opens_at, failed_events, delivered_count, failed_count)
  select 'precipitation_' || number, 'application', 'precipitation', (${urls}::text[])[1 + number % 4] || number, ${latitude}, ${longitude},
    'cell-' || number % ${cells}::int, 0, 0, 0, 0, 0 from generate_series(0, ${monitors - 1}::int) as number`.execute(
  db,
);
await sql`insert into watch_cells (cell, latitude, longitude, monitor_count, next_look_at, held_until)
  select 'cell-' || number, ${latitude}, ${longitude}, ${monitors / cells}::int, 0, 0
  from generate_series(0, ${cells - 1}::int) as number`.execute(db);
await sql`vacuum analyze`.execute(db);
const bytesBefore = await databaseBytes();

const clock = createManualClock(startsAt);
const queue = startQueue(database, 15_000, clock);
const looks: Spent = { service: 0, server: 0, items: 0 };
const events: Spent = { service: 0, server: 0, items: 0 };
let [stepLooks, stepEvents, peakEvents] = [0, 0, 0];
const watch = createPrecipitationWatch({
  clock,
  log: silentLog,
  store: createWatchStore(database),
  precipitationAt: async (place) => {
    stepLooks += 1;
    const now = clock.now();
    return { isPrecipitating: rainsAt(place, now), nextUpdateAt: now + stepMinutes * 60_000 };
  },
  intervalMs: 60_000,
  async claim(raining, now, triggers) {
    // Until all are delivered, so that this step has only its own cost.
    await spend(events, async () => {
      const count = await queue.claim(raining, now, triggers);
      stepEvents += count;
      await allSent(database);
      return count;
    });
    return 0;
  },
});

for (let step = 0; step < (hours * 60) / stepMinutes; step += 1) {
  [stepLooks, stepEvents] = [0, 0];
  const before = { ...events };
  // No cell has its center there: only what is due is checked.
  await spend(looks, async () => {
    await watch.sweepNow({ center: { lat: 90, lng: 0 }, radiusKm: 0 });
    return stepLooks;
  });
  looks.service -= events.service - before.service;
  looks.server -= events.server - before.server;
  peakEvents = Math.max(peakEvents, stepEvents);
  if (step % 12 === 0)
    console.log(`hour ${step / 12}: ${stepLooks} checks, ${stepEvents} events in ${stepMinutes} min`);
  clock.advance(stepMinutes * 60_000);
}
await watch.close();
await queue.close(5_000);
const eventBytes = ((await databaseBytes()) - bytesBefore) / events.items;
report();
for (const server of servers) server.stop();
await database.close();
await databases.stop();
process.exit(0);

/** Adds what the work costs, by what it returns. */
async function spend(spent: Spent, work: () => Promise<number>): Promise<void> {
  const before = databases.cpuMilliseconds();
  let items = 0;
  const { cpuMilliseconds } = await measure(async () => void (items = await work()));
  spent.service += cpuMilliseconds;
  spent.server += databases.cpuMilliseconds() - before;
  spent.items += items;
}

async function databaseBytes(): Promise<number> {
  const { rows: found } = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(
    db,
  );
  return Number(found[0]?.bytes);
}

function report(): void {
  const each = ({ service, server, items }: Spent) => [(service * 1000) / items, (server * 1000) / items] as const;
  const [look, event] = [each(looks), each(events)];
  const peakShare = peakEvents / monitors;
  const perDay = events.items / monitors / (hours / 24);
  console.log(`
${monitors} monitors in ${cells} cells, ${hours} h: ${looks.items} checks, ${events.items} events (${perDay.toFixed(2)} a monitor and day)
a check: ${look.map((cost) => cost.toFixed(0)).join(' + ')} µs CPU (service + database)
an event, claimed and delivered: ${event.map((cost) => cost.toFixed(0)).join(' + ')} µs CPU, ${eventBytes.toFixed(0)} B stored
at the peak, ${(peakShare * 100).toFixed(2)}% of all monitors fired within ${stepMinutes} min

| monitors | cells | checks/s | events/s at the peak | service cores, mean and peak | database cores, mean and peak | events of 30 days | forecasts/s |
|---|---|---|---|---|---|---|---|`);
  for (const size of [10_000, 100_000, 1_000_000, 10_000_000, 100_000_000]) {
    // A cell of 0.1° has 50 monitors; Europe has 200,000 such cells, the land of the earth a good million.
    const sizeCells = Math.min(size / 50, 1_000_000);
    const looksPerSecond = sizeCells / (stepMinutes * 60);
    const meanEvents = (size * perDay) / 86_400;
    const peak = (size * peakShare) / (stepMinutes * 60);
    const cores = (index: 0 | 1, rate: number) => (looksPerSecond * look[index] + rate * event[index]) / 1e6;
    const pair = (index: 0 | 1) => `${round(cores(index, meanEvents))}, ${round(cores(index, peak))}`;
    const gigabytes = (size * perDay * 30 * eventBytes) / 1e9;
    console.log(
      `| ${size.toLocaleString('en-US')} | ${Math.round(sizeCells).toLocaleString('en-US')} | ${round(looksPerSecond)} | ${round(peak)} | ${pair(0)} | ${pair(1)} | ${round(gigabytes)} GB | ${round(sizeCells / 900)} |`,
    );
  }
}

function round(value: number): string {
  return Number(value.toPrecision(2)).toLocaleString('en-US', { maximumFractionDigits: 3 });
}
