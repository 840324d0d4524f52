// Goals 17 and 18 of docs/performance.md: what delivery and claims cost on PostgreSQL. CPU time is that of our process and of the
// server, which runs without fsync, for all sides alike.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { bundleProcess } from '#test/setup/bundled-process.ts';
import { systemClock } from '#shared/time/clock.ts';
import type { Database } from '#service/database/open-database.ts';
import { createOutbox } from '#service/monitors/delivery/outbox.ts';
import { atLeast, atMost, type BenchOptions, type BenchRow, assess, unmeasured } from './bench-row.ts';
import { allSent } from './bench-queue.ts';
import { startCallbackServer } from './callback-servers.ts';
import { exampleBody, fillApplication, fillEvents, fillMonitors, startFleetDatabases } from './fleet-database.ts';
import type { FleetDatabases } from './fleet-database.ts';
import { measure } from './monitor-database.ts';
import { installPeers } from './peers.ts';
import { usageOfTree } from '#scripts/process-tree.ts';

type Cost = { process: number; server: number; perSecond: number };
type Queue = 'ours' | 'graphile' | 'pg-boss';

export async function bench(options: BenchOptions): Promise<BenchRow[]> {
  const databases = await startFleetDatabases();
  const worker = await bundleProcess(fileURLToPath(new URL('./fleet-worker.ts', import.meta.url)));
  try {
    return [...(await benchDelivery(databases, worker.file, options)), await benchClaims(databases, options)];
  } finally {
    await worker.remove();
    await databases.stop();
  }
}

type Worker = { child: ChildProcess; sent: () => number; close: () => Promise<void> };

async function startWorker(file: string, queue: Queue, url: string, peers: string): Promise<Worker> {
  const child = fork(file, [queue, url, peers], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  let sent = 0;
  child.on('message', (message: { sent: number }) => void (sent = message.sent));
  await once(child, 'message');
  return {
    child,
    sent: () => sent,
    async close() {
      const ended = once(child, 'exit');
      child.send('close');
      await ended;
    },
  };
}

const pause = (milliseconds: number) => new Promise<void>((resolve) => void systemClock.after(milliseconds, resolve));

async function benchDelivery(
  databases: FleetDatabases,
  file: string,
  { extent, say }: BenchOptions,
): Promise<BenchRow[]> {
  const isTrial = extent === 'trial';
  const peers = isTrial ? '' : await installPeers(say);
  const servers = await Promise.all([1, 2, 3, 4].map(() => startCallbackServer()));
  const urls = servers.map(({ port }) => `http://127.0.0.1:${port}/`);
  // The first are until all is compiled.
  const [warmUp, events] = isTrial ? [50, 150] : [4_000, 20_000];
  const deliver = (queue: Queue) => deliverBy(databases, { file, queue, peers, urls, warmUp, events });
  const seen: Record<Queue, Cost[]> = { ours: [], graphile: [], 'pg-boss': [] };
  const queues = isTrial ? (['ours'] as const) : (['ours', 'graphile', 'pg-boss'] as const);
  for (let round = 0; round < (extent === 'whole' ? 3 : 1); round += 1) {
    for (const queue of queues) {
      const cost = await deliver(queue);
      seen[queue].push(cost);
      say(`${queue}: ${shown(cost)}`);
    }
  }
  for (const server of servers) server.stop();
  const middle = (queue: Queue) => {
    const sorted = seen[queue].toSorted((one, other) => sumOf(one) - sumOf(other));
    return sorted[sorted.length >> 1] as Cost;
  };
  const against = (baseline: string, queue: Queue) => {
    const subject = {
      goal: '17',
      what: 'delivery of 20,000 events on PostgreSQL, CPU of the service and the database',
      baseline,
      limit: atLeast(1),
    };
    if (seen[queue].length === 0) return unmeasured(subject, 'not here', 'a trial');
    return assess(
      { ...subject, note: `${shown(middle('ours'))}; ${shown(middle(queue))}` },
      seen[queue].map((cost, round) => sumOf(cost) / sumOf(seen.ours[round] as Cost)),
    );
  };
  return [
    against('graphile-worker, which also stores the event and the attempt, in groups', 'graphile'),
    against('pg-boss, which also stores the event and the attempt, in groups', 'pg-boss'),
  ];
}

const sumOf = ({ process, server }: Cost) => process + server;
const shown = ({ process, server, perSecond }: Cost) =>
  `${process.toFixed(0)} + ${server.toFixed(0)} µs, ${perSecond.toFixed(0)}/s`;

type Delivery = {
  file: string;
  queue: Queue;
  peers: string;
  urls: readonly string[];
  warmUp: number;
  events: number;
};

/** CPU microseconds for each event that waits in the database, until its result is stored. */
async function deliverBy(databases: FleetDatabases, given: Delivery): Promise<Cost> {
  const { file, queue, peers, urls, warmUp, events } = given;
  const url = await databases.create();
  const database = await databases.open(url);
  const { db } = database;
  await fillApplication(db);
  await fillMonitors(db, warmUp + events, 100, urls);
  const worker = await startWorker(file, queue, url, peers);
  const add = async (from: number, count: number) => {
    await fillEvents(db, from, count, Date.now());
    if (queue !== 'ours') await addJobs(database, { ...given, from, count });
  };
  const isDone = async (count: number) => {
    while (worker.sent() < count) await pause(20);
    if (queue === 'ours') return allSent(database);
    // Of jobs that are done, graphile-worker deletes the rows and pg-boss changes the state.
    const left =
      queue === 'graphile'
        ? sql`select 1 from graphile_worker._private_jobs limit 1`
        : sql`select 1 from pgboss.job where name = 'deliver' and state <> 'completed' limit 1`;
    while ((await left.execute(db)).rows.length > 0) await pause(20);
  };
  await add(0, warmUp);
  await isDone(warmUp);
  const own = () => usageOfTree(worker.child.pid ?? 0).cpuMicroseconds;
  await add(warmUp, events);
  const [startedAt, ownBefore, serverBefore] = [performance.now(), own(), databases.cpuMilliseconds()];
  await isDone(warmUp + events);
  const cost = {
    process: (own() - ownBefore) / events,
    server: ((databases.cpuMilliseconds() - serverBefore) * 1000) / events,
    perSecond: (events * 1000) / (performance.now() - startedAt),
  };
  await worker.close();
  await database.close();
  return cost;
}

/** Jobs of the peers, by one statement as their own functions for many jobs write it. */
async function addJobs(
  { db }: Database,
  { queue, urls, from, count }: Delivery & { from: number; count: number },
): Promise<void> {
  const payload = sql`json_build_object('id', 'evt_' || lpad(to_hex(number), 32, '0'), 'monitor', 'precipitation_' || number, 'url', (${urls}::text[])[1 + number % ${urls.length}::int] || number, 'body', ${exampleBody}::text)`;
  const numbers = sql`generate_series(${from}::int, ${from + count - 1}::int) as number`;
  await (
    queue === 'graphile'
      ? sql`select graphile_worker.add_jobs(array(select ('deliver', ${payload}, null, null, null, null, null, null)::graphile_worker.job_spec from ${numbers}))`
      : sql`insert into pgboss.job (name, data) select 'deliver', ${payload} from ${numbers}`
  ).execute(db);
}

async function benchClaims(databases: FleetDatabases, { extent, say }: BenchOptions): Promise<BenchRow> {
  const rounds = extent === 'whole' ? 3 : 1;
  const [perCell, wide, single] = extent === 'trial' ? [2, 6, 4] : [200, 200, 40];
  const waiting = extent === 'trial' ? 200 : 20_000;
  const ratios: number[] = [];
  const notes: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const database = await databases.open(await databases.create());
    const { db } = database;
    await fillApplication(db);
    await fillMonitors(db, perCell * (wide + single) + waiting, wide + single + 100);
    await sql`update monitors set cell = case when number < ${perCell * (wide + single)}::int then 'cell-' || number / ${perCell}::int else 'other' end
      from (select id, substring(id from '[0-9]+$')::int as number from monitors) as numbered where numbered.id = monitors.id`.execute(
      db,
    );
    await fillEvents(db, perCell * (wide + single), waiting, Date.now() + 600_000);
    await sql`vacuum analyze`.execute(db);
    const outbox = createOutbox(database, 'bench');
    const costOf = async (work: () => Promise<number>) => {
      const before = databases.cpuMilliseconds();
      let monitors = 0;
      const { cpuMilliseconds } = await measure(async () => void (monitors = await work()));
      return ((cpuMilliseconds + databases.cpuMilliseconds() - before) * 1000) / monitors;
    };
    const names = (from: number, count: number) => Array.from({ length: count }, (_, index) => `cell-${from + index}`);
    const alone = await costOf(async () => {
      let count = 0;
      for (const cell of names(wide, single)) count += (await outbox.claim([cell], Date.now(), 100_000)).count;
      return count;
    });
    const together = await costOf(async () => (await outbox.claim(names(0, wide), Date.now(), 100_000)).count);
    ratios.push(together / alone);
    notes.push(`${together.toFixed(0)} and ${alone.toFixed(0)} µs per monitor`);
    say(`claim: ${notes.at(-1)}`);
    await database.close();
  }
  return assess(
    {
      goal: '18',
      what: 'one claim of 200 rainy cells × 200 monitors with 20,000 events waiting, CPU per monitor',
      baseline: 'separate claims of 1 × 200',
      limit: atMost(1.3),
      note: notes[rounds >> 1] ?? '',
    },
    ratios,
  );
}
