// Goal 17 of docs/performance.md: what delivery costs on PostgreSQL, with one and with four processes. CPU time is that of our process and of the
// server, which runs without fsync, for all sides alike.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { bundleProcess } from '#test/setup/bundled-process.ts';
import { atLeast, atMost, type BenchOptions, type BenchRow, assess, repeat, unmeasured } from './bench-row.ts';
import { startCallbackServers } from './child-server.ts';
import { fillEvents, fillJobs, type FleetDatabases, startFleetDatabases } from './fleet-database.ts';
import { allSent, fillMonitors } from './monitor-database.ts';
import { installPeers } from './peers.ts';
import { usageOfTree } from '#scripts/process-tree.ts';

type Cost = { process: number; server: number; perSecond: number };
const queues = ['ours', 'graphile', 'pg-boss', 'graphile keeping', 'pg-boss keeping'] as const;
/** `keeping`: it also writes each attempt, as we do. */
type Queue = (typeof queues)[number];

export async function bench({ extent, say }: BenchOptions): Promise<BenchRow[]> {
  await using databases = await startFleetDatabases();
  await using servers = await startCallbackServers();
  const isTrial = extent === 'trial';
  const source = fileURLToPath(new URL('./fleet-worker.ts', import.meta.url));
  await using bundle = new AsyncDisposableStack();
  const file = isTrial ? source : bundle.adopt(await bundleProcess(source), ({ remove }) => remove()).file;
  const peers = isTrial ? '' : await installPeers(say);
  // The first are until all is compiled.
  const [warmUp, events] = isTrial ? [50, 150] : [4_000, 20_000];
  const rounds = await repeat(extent, { warmUps: 0, whole: 3 }, async () => {
    const measure = async (queue: Queue, processes: number) => {
      const given = { file, queue, processes, peers, urls: servers.urls, warmUp, events };
      const cost = await deliverBy(databases, given);
      say(`${queue} in ${processes}: ${shown(cost)}`);
      return cost;
    };
    const ours = await measure('ours', 1);
    const seen: Partial<Record<Queue, Cost>> = { ours };
    if (isTrial) return { four: ours, seen };
    const four = await measure('ours', 4);
    for (const queue of queues.slice(1)) seen[queue] = await measure(queue, 1);
    return { four, seen };
  });

  const costs = (queue: Queue) => rounds.map(({ seen }) => seen[queue]!);
  const fours = rounds.map(({ four }) => four);
  const what = 'delivery of 20,000 events on PostgreSQL, CPU';
  const cheaperOf = (baseline: string, names: readonly Queue[]) => {
    const subject = { goal: '17', what, baseline, limit: atLeast(1) };
    if (isTrial) return unmeasured(subject, 'not here', 'a trial');
    const note = (['ours', ...names] as const).map((name) => `${name} ${middle(costs(name))}`).join('; ');
    const ratios = rounds.map(
      (_, round) => Math.min(...names.map((name) => sumOf(costs(name)[round]!))) / sumOf(costs('ours')[round]!),
    );
    return assess({ ...subject, note }, ratios);
  };
  const four = {
    goal: '17',
    what: 'the same with 4 processes, CPU',
    baseline: '1 process',
    limit: atMost(1.2),
    note: `${middle(fours)}; ${middle(costs('ours'))}`,
  };
  return [
    cheaperOf('the cheaper of graphile-worker and pg-boss as they are', ['graphile', 'pg-boss']),
    cheaperOf('the cheaper of both, storing each attempt in groups', ['graphile keeping', 'pg-boss keeping']),
    assess(
      four,
      fours.map((cost, round) => sumOf(cost) / sumOf(costs('ours')[round]!)),
    ),
  ];
}

const sumOf = ({ process, server }: Cost) => process + server;
const shown = ({ process, server, perSecond }: Cost) =>
  `${process.toFixed(0)} + ${server.toFixed(0)} µs, ${perSecond.toFixed(0)}/s`;
const middle = (costs: readonly Cost[]) =>
  shown(costs.toSorted((one, other) => sumOf(one) - sumOf(other))[costs.length >> 1]!);

async function startWorker(file: string, queue: Queue, url: string, peers: string) {
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
  await fillMonitors(database, warmUp + events, 100, urls);
  await sql`analyze`.execute(db);
  const workers = await Promise.all(Array.from({ length: processes }, () => startWorker(file, queue, url, peers)));
  const add = async (from: number, count: number) => {
    await fillEvents(db, from, count);
    if (queue !== 'ours') await fillJobs(db, queue, from, count);
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
