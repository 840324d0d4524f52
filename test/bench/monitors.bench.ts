// Goal 7 of docs/performance.md: the idle sweep at a million monitors, and firing. In
// CPU time of this process.
import { DatabaseSync } from 'node:sqlite';
import { systemClock } from '#shared/time/clock.ts';
import type { Database } from '#service/database/open-database.ts';
import { createOutbox } from '#service/monitors/delivery/outbox.ts';
import { Sweeper } from '#service/monitors/sweep/sweep.ts';
import { createWatchedCells } from '#service/monitors/sweep/watched-cells.ts';
import { atLeast, type BenchOptions, type BenchRow, assess, median, repeat } from './bench-row.ts';
import { cellNames, createMonitorDatabases, measure, type MonitorDatabases, silentLog } from './monitor-database.ts';

const nowhere = ['http://127.0.0.1:9/'];

export async function bench(options: BenchOptions): Promise<BenchRow[]> {
  const databases = createMonitorDatabases();
  const isTrial = options.extent === 'trial';
  const [many, cells] = isTrial ? [1_000, 10] : [1_000_000, 10_000];
  return [
    await benchSweep(await databases.fill(many, cells, nowhere), many, options),
    await benchFire(databases, isTrial ? 1_000 : 50_000, options),
  ];
}

function watchOf(database: Database) {
  return new Sweeper({
    clock: systemClock,
    log: silentLog,
    store: createWatchedCells(database),
    precipitationAt: async () => ({ isPrecipitating: false }),
    intervalMs: 60_000,
    claim: async () => 0,
  });
}

/** No cell has its center here. */
const pole = { center: { lat: 90, lng: 0 }, radiusKm: 0 };

/** CPU milliseconds of one sweep over every cell, all of them due by the clock before it begins. */
async function sweep(database: Database): Promise<number> {
  await createWatchedCells(database).markDue(systemClock.now(), undefined);
  const watch = watchOf(database);
  const cost = await measure(() => watch.sweepNow(pole));
  await watch.close();
  return cost;
}

/** What a service does that asks for the weather of each monitor. */
function perMonitorLoop({ db }: Database): Promise<number> {
  const precipitationAt = async (place: { lat: number; lng: number }) => ({ isPrecipitating: place.lat > 90 });
  return measure(async () => {
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
}

async function benchSweep(database: Database, monitors: number, { extent, say }: BenchOptions): Promise<BenchRow> {
  const seen = await repeat(extent, { quick: 3, whole: 5 }, async () => {
    const ours = await sweep(database);
    const loop = await perMonitorLoop(database);
    say(`idle sweep of ${monitors} monitors ${ours.toFixed(0)} ms CPU, loop ${loop.toFixed(0)}`);
    return { ours, loop };
  });
  await database.close();
  const row = {
    goal: '7',
    what: 'idle sweep, 1,000,000 monitors in 10,000 cells, CPU',
    baseline: 'a loop over each monitor',
    limit: atLeast(40),
    note: `${median(seen.map(({ ours }) => ours)).toFixed(0)} ms`,
  };
  const ratios = seen.map(({ ours, loop }) => loop / ours);
  return assess(row, ratios);
}

async function benchFire(databases: MonitorDatabases, monitors: number, { extent, say }: BenchOptions) {
  const cells = 100;
  const seen = await repeat(extent, { warmUps: 0, quick: 3, whole: 5 }, async (round) => {
    const database = await databases.fill(monitors, cells, nowhere);
    const claims = createOutbox(database, 'claims');
    const fired = await measure(() => claims.claim(cellNames(cells), systemClock.now()));
    const waiting = database.db.selectFrom('events').innerJoin('waiting_events', 'event_id', 'id');
    const rows = await waiting.selectAll().execute();
    await database.close();
    const plain = await insertPlainly(databases.file(`raw-${round}.sqlite`), rows);
    say(`firing ${rows.length} monitors: ${fired.toFixed(0)} ms CPU, raw inserts ${plain.toFixed(0)}`);
    return { ratio: plain / fired, cost: (fired * 1000) / rows.length };
  });
  const row = {
    goal: '7',
    what: 'firing 50,000 monitors: cool-downs, events, one transaction, CPU',
    baseline: 'raw batched SQLite inserts of the same rows',
    limit: atLeast(0.25),
    note: `${median(seen.map(({ cost }) => cost)).toFixed(1)} µs per monitor`,
  };
  const ratios = seen.map(({ ratio }) => ratio);
  return assess(row, ratios);
}

async function insertPlainly(file: string, rows: readonly object[]): Promise<number> {
  const raw = new DatabaseSync(file);
  raw.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  const columns = Object.keys(rows[0] ?? {});
  raw.exec(
    `CREATE TABLE events (${columns.map((name) => `${name} ${name === 'id' ? 'TEXT PRIMARY KEY' : ''}`).join(', ')});
     CREATE INDEX due ON events (due_at);
     CREATE INDEX by_monitor ON events (monitor_id)`,
  );
  const insert = raw.prepare(`INSERT INTO events VALUES (${columns.map(() => '?').join(', ')})`);
  const cost = await measure(async () => {
    raw.exec('BEGIN');
    for (const row of rows) insert.run(...Object.values(row));
    raw.exec('COMMIT');
  });
  raw.close();
  return cost;
}
