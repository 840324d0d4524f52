// Goal 7 of docs/performance.md: the idle sweep at a million monitors, what a monitor costs in memory, and firing. In
// CPU time of this process.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { DatabaseSync } from 'node:sqlite';
import { systemClock } from '#shared/time/clock.ts';
import type { Database } from '#service/database/open-database.ts';
import { createEventClaims } from '#service/delivery/outbox/event-claim.ts';
import { createPrecipitationWatch } from '#service/watch/precipitation-watch.ts';
import { createWatchStore } from '#service/watch/watch-store.ts';
import { atLeast, atMost, type BenchOptions, type BenchRow, assess, median } from './bench-row.ts';
import { cellNames, createMonitorDatabases, measure, type MonitorDatabases, silentLog } from './monitor-database.ts';

const nowhere = () => 'http://127.0.0.1:9/';

export async function bench({ isQuick, say }: BenchOptions): Promise<BenchRow[]> {
  const databases = createMonitorDatabases();
  const rounds = isQuick ? 3 : 5;
  return [...(await benchSweep(databases, rounds, say)), await benchFire(databases, rounds, say)];
}

function watchOf(database: Database) {
  return createPrecipitationWatch({
    clock: systemClock,
    log: silentLog,
    store: createWatchStore(database),
    precipitationAt: async () => ({ isPrecipitating: false }),
    intervalMs: 60_000,
    claim: async () => 0,
  });
}

/** No cell has its center here. */
const pole = { center: { lat: 90, lng: 0 }, radiusKm: 0 };

/** CPU milliseconds of one sweep over every cell, all of them due by the clock before it begins. */
async function sweep(database: Database): Promise<number> {
  await createWatchStore(database).markDue(systemClock.now(), undefined);
  const watch = watchOf(database);
  const { cpuMilliseconds } = await measure(() => watch.sweepNow(pole));
  await watch.close();
  return cpuMilliseconds;
}

/** What a service does that asks for the weather of each monitor. */
async function perMonitorLoop({ db }: Database): Promise<number> {
  const precipitationAt = async (place: { lat: number; lng: number }) => ({ isPrecipitating: place.lat > 90 });
  const { cpuMilliseconds } = await measure(async () => {
    for (let last = ''; ;) {
      const rows = await db
        .selectFrom('monitors')
        .selectAll()
        .where('id', '>', last)
        .orderBy('id')
        .limit(5_000)
        .execute();
      if (rows.length === 0) return;
      last = rows.at(-1)?.id ?? '';
      for (const row of rows) {
        const { isPrecipitating } = await precipitationAt({ lat: Number(row.latitude), lng: Number(row.longitude) });
        if (isPrecipitating && row.gate_opens_at <= systemClock.now()) throw new Error('It does not rain here.');
      }
    }
  });
  return cpuMilliseconds;
}

/** How much more memory the process uses after a sweep than before the database was opened, in bytes. */
async function keptBytes(databases: MonitorDatabases, monitors: number, cells: number) {
  const collectGarbage = fullGarbageCollector();
  const used = () => {
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = used();
  const database = await databases.fill(monitors, cells, nowhere);
  const watch = watchOf(database);
  await watch.sweepNow();
  const bytes = used() - before;
  await watch.close();
  return { bytes, database };
}

async function benchSweep(databases: MonitorDatabases, rounds: number, say: BenchOptions['say']): Promise<BenchRow[]> {
  const [few, many] = [100_000, 1_000_000];
  const [fewCells, manyCells] = [1_000, 10_000];
  const small = await databases.fill(few, fewCells, nowhere);
  const { bytes, database: large } = await keptBytes(databases, many, manyCells);
  await sweep(small);
  await sweep(large);
  const [loops, growths, sweeps]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    const ofSmall = await sweep(small);
    const ofLarge = await sweep(large);
    const loop = await perMonitorLoop(large);
    sweeps.push(ofLarge);
    loops.push(loop / ofLarge);
    growths.push(ofLarge / ofSmall / (manyCells / fewCells));
    say(`idle sweep ${ofLarge.toFixed(0)} ms CPU (${few} monitors: ${ofSmall.toFixed(0)}), loop ${loop.toFixed(0)}`);
  }
  await Promise.all([small.close(), large.close()]);
  const goal = '7';
  return [
    assess(
      {
        goal,
        what: 'idle sweep, 1,000,000 monitors in 10,000 cells, CPU',
        baseline: 'a loop over each monitor',
        limit: atLeast(40),
        note: `${median(sweeps).toFixed(0)} ms`,
      },
      loops,
    ),
    assess(
      {
        goal,
        what: 'the same, growth from 100,000 monitors in 1,000 cells',
        baseline: 'the growth in cells',
        limit: atMost(1.5),
      },
      growths,
    ),
    assess(
      {
        goal,
        what: 'memory retained per monitor after a sweep',
        baseline: '100 B per monitor',
        limit: atMost(1),
        note: `${(bytes / many).toFixed(1)} B; monitors stay in the database`,
      },
      [Math.max(0, bytes / many / 100)],
    ),
  ];
}

async function benchFire(databases: MonitorDatabases, rounds: number, say: BenchOptions['say']): Promise<BenchRow> {
  const [monitors, cells] = [50_000, 100];
  const ratios: number[] = [];
  const costs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const database = await databases.fill(monitors, cells, (index) => `http://127.0.0.1:9/${index}`);
    const claims = createEventClaims(database);
    const fired = await measure(() => claims.claim(cellNames(cells), systemClock.now()));
    const rows = await database.db.selectFrom('events').selectAll().execute();
    await database.close();
    const plain = await insertPlainly(databases.file(`raw-${round}.sqlite`), rows);
    ratios.push(plain / fired.cpuMilliseconds);
    costs.push((fired.cpuMilliseconds * 1000) / rows.length);
    say(`firing ${rows.length} monitors: ${fired.cpuMilliseconds.toFixed(0)} ms CPU, raw inserts ${plain.toFixed(0)}`);
  }
  const row = {
    goal: '7',
    what: 'firing 50,000 monitors: cool-downs, events, one transaction, CPU',
    baseline: 'raw batched SQLite inserts of the same rows',
    limit: atLeast(0.25),
    note: `${median(costs).toFixed(1)} µs per monitor`,
  };
  return assess(row, ratios);
}

async function insertPlainly(file: string, rows: readonly object[]): Promise<number> {
  const raw = new DatabaseSync(file);
  raw.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  const columns = Object.keys(rows[0] ?? {});
  raw.exec(
    `CREATE TABLE events (${columns.map((name) => `${name} ${name === 'id' ? 'TEXT PRIMARY KEY' : ''}`).join(', ')});
     CREATE INDEX due ON events (next_attempt_at) WHERE state = 'waiting';
     CREATE INDEX by_monitor ON events (monitor_id) WHERE state = 'waiting'`,
  );
  const insert = raw.prepare(`INSERT INTO events VALUES (${columns.map(() => '?').join(', ')})`);
  const { cpuMilliseconds } = await measure(async () => {
    raw.exec('BEGIN');
    for (const row of rows) insert.run(...Object.values(row));
    raw.exec('COMMIT');
  });
  raw.close();
  return cpuMilliseconds;
}

function fullGarbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
