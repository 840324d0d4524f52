// The idle sweep of a million monitors on PostgreSQL, for the bench of a fleet.
import { systemClock } from '#shared/time/clock.ts';
import type { Database } from '#service/database/open-database.ts';
import { createPrecipitationWatch } from '#service/watch/precipitation-watch.ts';
import { createWatchStore } from '#service/watch/watch-store.ts';
import { assess, atLeast, atMost, type BenchOptions, type BenchRow, median } from './bench-row.ts';
import { fillMonitors, type FleetDatabases } from './fleet-database.ts';
import { measure, silentLog } from './monitor-database.ts';

type Say = BenchOptions['say'];

export async function benchSweep(databases: FleetDatabases, rounds: number, say: Say): Promise<BenchRow[]> {
  const sizes = { few: [100_000, 1_000], many: [1_000_000, 10_000] } as const;
  const open = async ([monitors, cells]: readonly [number, number]) => {
    const database = await databases.open(await databases.create());
    await fillMonitors(database.db, monitors, cells);
    return database;
  };
  const [few, many] = [await open(sizes.few), await open(sizes.many)];
  const costOf = async (database: Database, work: () => Promise<unknown>) => {
    const before = databases.cpuMilliseconds();
    const { cpuMilliseconds } = await measure(work);
    return cpuMilliseconds + databases.cpuMilliseconds() - before;
  };
  await sweep(few, costOf);
  const [loops, growths, sweeps]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    const ofFew = await sweep(few, costOf);
    const ofMany = await sweep(many, costOf);
    const loop = await costOf(many, () => readEach(many));
    sweeps.push(ofMany);
    loops.push(loop / ofMany);
    growths.push(ofMany / ofFew / 10);
    say(`idle sweep ${ofMany.toFixed(0)} ms CPU (100,000 monitors: ${ofFew.toFixed(0)}), loop ${loop.toFixed(0)}`);
  }
  await Promise.all([few.close(), many.close()]);
  const what = 'idle sweep on PostgreSQL, 1,000,000 monitors in 10,000 cells, CPU of the service and the database';
  const note = `${median(sweeps).toFixed(0)} ms`;
  return [
    assess({ goal: '7', isBeside: true, what, baseline: 'a loop over each monitor', limit: atLeast(10), note }, loops),
    assess(
      {
        goal: '7',
        isBeside: true,
        what: 'the same, growth from 100,000 monitors in 1,000 cells',
        baseline: 'the growth in cells',
        limit: atMost(1.5),
      },
      growths,
    ),
  ];
}

async function sweep(
  database: Database,
  costOf: (database: Database, work: () => Promise<unknown>) => Promise<number>,
): Promise<number> {
  const store = createWatchStore(database);
  await store.markDue(systemClock.now(), undefined);
  const watch = createPrecipitationWatch({
    clock: systemClock,
    log: silentLog,
    store,
    precipitationAt: async () => ({ isPrecipitating: false }),
    intervalMs: 60_000,
    claim: async () => 0,
  });
  const cost = await costOf(database, () => watch.sweepNow({ center: { lat: 90, lng: 0 }, radiusKm: 0 }));
  await watch.close();
  return cost;
}

async function readEach({ db }: Database): Promise<void> {
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
    for (const { latitude } of rows) if (Number(latitude) > 90) throw new Error('It does not rain here.');
  }
}
