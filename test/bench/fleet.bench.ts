// Goal 17 of docs/performance.md: what delivery costs on PostgreSQL, with one and with four processes. CPU time is that of our process and of the
// server, which runs without fsync, for all sides alike.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { bundleProcess } from '#test/setup/bundled-process.ts';
import { systemClock } from '#shared/time/clock.ts';
import type { Database } from '#service/database/open-database.ts';
import { atLeast, atMost, type BenchOptions, type BenchRow, assess, unmeasured } from './bench-row.ts';
import { allSent } from './bench-queue.ts';
import { startCallbackServer } from './callback-servers.ts';
import { exampleBody, fillApplication, fillEvents, fillMonitors, startFleetDatabases } from './fleet-database.ts';
import type { FleetDatabases } from './fleet-database.ts';
import { installPeers } from './peers.ts';
import { usageOfTree } from '#scripts/process-tree.ts';

type Cost = { process: number; server: number; perSecond: number };
/** `keeping`: it also writes each attempt, as we do. */
type Queue = 'ours' | 'graphile' | 'pg-boss' | 'graphile keeping' | 'pg-boss keeping';

export async function bench(options: BenchOptions): Promise<BenchRow[]> {
  const databases = await startFleetDatabases();
  const source = fileURLToPath(new URL('./fleet-worker.ts', import.meta.url));
  const asIs = { file: source, remove: async () => {} };
  const worker = options.extent === 'trial' ? asIs : await bundleProcess(source);
  try {
    return await benchDelivery(databases, worker.file, options);
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
  const deliver = (queue: Queue, processes: number) =>
    deliverBy(databases, { file, queue, processes, peers, urls, warmUp, events });
  const peerNames = ['graphile', 'pg-boss', 'graphile keeping', 'pg-boss keeping'] as const;
  const seen = new Map<string, Cost[]>();
  for (let round = 0; round < (extent === 'whole' ? 3 : 1); round += 1) {
    const measure = async (name: string, queue: Queue, processes: number) => {
      const cost = await deliver(queue, processes);
      seen.set(name, [...(seen.get(name) ?? []), cost]);
      say(`${name}: ${shown(cost)}`);
    };
    await measure('ours', 'ours', 1);
    if (isTrial) {
      seen.set('four processes', seen.get('ours') ?? []);
      continue;
    }
    await measure('four processes', 'ours', 4);
    for (const queue of peerNames) await measure(queue, queue, 1);
  }
  for (const server of servers) server.stop();
  const costs = (name: string) => seen.get(name) ?? [];
  const middle = (name: string) => {
    const sorted = costs(name).toSorted((one, other) => sumOf(one) - sumOf(other));
    return shown(sorted[sorted.length >> 1] as Cost);
  };
  const what = 'delivery of 20,000 events on PostgreSQL, CPU';
  const cheaperOf = (baseline: string, names: readonly Queue[]) => {
    const subject = { goal: '17', what, baseline, limit: atLeast(1) };
    if (isTrial) return unmeasured(subject, 'not here', 'a trial');
    const note = ['ours', ...names].map((name) => `${name} ${middle(name)}`).join('; ');
    return assess(
      { ...subject, note },
      costs('ours').map((ours, round) => {
        const theirs = names.map((name) => sumOf(costs(name)[round] as Cost));
        return Math.min(...theirs) / sumOf(ours);
      }),
    );
  };
  const four = {
    goal: '17',
    what: 'the same with 4 processes, CPU',
    baseline: '1 process',
    limit: atMost(1.2),
    note: `${middle('four processes')}; ${middle('ours')}`,
  };
  return [
    cheaperOf('the cheaper of graphile-worker and pg-boss as they are', ['graphile', 'pg-boss']),
    cheaperOf('the cheaper of both, storing each attempt in groups', ['graphile keeping', 'pg-boss keeping']),
    assess(
      four,
      costs('four processes').map((cost, round) => sumOf(cost) / sumOf(costs('ours')[round] as Cost)),
    ),
  ];
}

const sumOf = ({ process, server }: Cost) => process + server;
const shown = ({ process, server, perSecond }: Cost) =>
  `${process.toFixed(0)} + ${server.toFixed(0)} µs, ${perSecond.toFixed(0)}/s`;

type Delivery = {
  file: string;
  queue: Queue;
  processes: number;
  peers: string;
  urls: readonly string[];
  warmUp: number;
  events: number;
};

/** CPU microseconds for each event that waits in the database, until its result is stored. */
async function deliverBy(databases: FleetDatabases, given: Delivery): Promise<Cost> {
  const { file, queue, processes, peers, urls, warmUp, events } = given;
  const url = await databases.create();
  const database = await databases.open(url);
  const { db } = database;
  await fillApplication(db);
  await fillMonitors(db, warmUp + events, 100, urls);
  const workers = await Promise.all(Array.from({ length: processes }, () => startWorker(file, queue, url, peers)));
  const add = async (from: number, count: number) => {
    await fillEvents(db, from, count, Date.now());
    if (queue !== 'ours') await addJobs(database, { ...given, from, count });
  };
  const isDone = async (count: number) => {
    while (workers.reduce((sum, worker) => sum + worker.sent(), 0) < count) await pause(20);
    if (queue === 'ours') return allSent(database);
    // Of jobs that are done, graphile-worker deletes the rows and pg-boss changes the state.
    const left = queue.startsWith('graphile')
      ? sql`select 1 from graphile_worker._private_jobs limit 1`
      : sql`select 1 from pgboss.job where name = 'deliver' and state <> 'completed' limit 1`;
    while ((await left.execute(db)).rows.length > 0) await pause(20);
  };
  await add(0, warmUp);
  await isDone(warmUp);
  const own = () => workers.reduce((sum, { child }) => sum + usageOfTree(child.pid ?? 0).cpuMicroseconds, 0);
  await add(warmUp, events);
  const [startedAt, ownBefore, serverBefore] = [performance.now(), own(), databases.cpuMilliseconds()];
  await isDone(warmUp + events);
  const cost = {
    process: (own() - ownBefore) / events,
    server: ((databases.cpuMilliseconds() - serverBefore) * 1000) / events,
    perSecond: (events * 1000) / (performance.now() - startedAt),
  };
  await Promise.all(workers.map((worker) => worker.close()));
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
    queue.startsWith('graphile')
      ? sql`select graphile_worker.add_jobs(array(select ('deliver', ${payload}, null, null, null, null, null, null)::graphile_worker.job_spec from ${numbers}))`
      : sql`insert into pgboss.job (name, data) select 'deliver', ${payload} from ${numbers}`
  ).execute(db);
}
