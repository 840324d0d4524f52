// Goals 17 to 21 and 23 of docs/performance.md, and the idle sweep on PostgreSQL: what several processes on one server cost. CPU time
// is that of our processes and of the server. The server runs without fsync, for all sides alike.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { bundleProcess } from '#test/setup/bundled-process.ts';
import { systemClock } from '#shared/time/clock.ts';
import type { Database } from '#service/database/open-database.ts';
import { createOutbox } from '#service/delivery/outbox/outbox.ts';
import { atLeast, atMost, type BenchOptions, type BenchRow, assess } from './bench-row.ts';
import { allSent } from './bench-queue.ts';
import { startCallbackServer } from './callback-servers.ts';
import { exampleBody, fillApplication, fillEvents, fillMonitors, startFleetDatabases } from './fleet-database.ts';
import type { FleetDatabases } from './fleet-database.ts';
import { benchAccess, orFailed } from './fleet-access.ts';
import { benchSweep } from './fleet-sweep.ts';
import { measure } from './monitor-database.ts';
import { installPeers } from './peers.ts';
import { usageOfTree } from './process-tree.ts';

type Say = BenchOptions['say'];
type Cost = { process: number; server: number; perSecond: number };
type Queue = 'ours' | 'graphile' | 'pg-boss' | 'graphile kept' | 'pg-boss kept';

const events = 20_000;
/** Until all is compiled. */
const warmUp = 4_000;

export async function bench({ isQuick, say }: BenchOptions): Promise<BenchRow[]> {
  const databases = await startFleetDatabases();
  const worker = await bundleProcess(fileURLToPath(new URL('./fleet-worker.ts', import.meta.url)));
  try {
    return [
      ...(await benchDelivery(databases, worker.file, isQuick ? 1 : 3, say)),
      ...(await orFailed('18', async () => [await benchClaims(databases, isQuick ? 1 : 3, say)])),
      ...(await benchAccess(databases, isQuick, say)),
      ...(await orFailed('23', async () => [await benchKill(databases, worker.file, say)])),
      ...(await orFailed('7', () => benchSweep(databases, isQuick ? 2 : 3, say))),
    ];
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

async function benchDelivery(databases: FleetDatabases, file: string, rounds: number, say: Say): Promise<BenchRow[]> {
  const peers = await installPeers(say);
  const servers = await Promise.all([1, 2, 3, 4].map(() => startCallbackServer()));
  const urls = servers.map(({ port }) => `http://127.0.0.1:${port}/`);
  const deliver = (queue: Queue, processes: number) => deliverBy(databases, { file, queue, processes, peers, urls });
  const seen: Record<string, Cost[]> = {};
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, queue, processes] of [
      ['ours', 'ours', 1],
      ['graphile', 'graphile', 1],
      ['pg-boss', 'pg-boss', 1],
      ['graphile kept', 'graphile kept', 1],
      ['pg-boss kept', 'pg-boss kept', 1],
      ['four', 'ours', 4],
    ] as const) {
      const cost = await deliver(queue, processes);
      (seen[name] ??= []).push(cost);
      say(`${name}: ${shown(cost)}`);
    }
  }
  for (const server of servers) server.stop();
  const total = (name: string) => (seen[name] ?? []).map(({ process, server }) => process + server);
  const middle = (name: string) =>
    (seen[name] ?? []).toSorted((one, other) => sumOf(one) - sumOf(other))[rounds >> 1] as Cost;
  const [ours, four] = [total('ours'), total('four')];
  const against = (baseline: string, name: string, isBeside = false) =>
    assess(
      {
        goal: '17',
        what: 'delivery of 20,000 events on PostgreSQL, CPU of the service and the database',
        baseline,
        isBeside,
        limit: atLeast(1),
        note: `${shown(middle('ours'))}; ${shown(middle(name))}`,
      },
      total(name).map((cost, round) => cost / (ours[round] ?? Number.NaN)),
    );
  return [
    against('graphile-worker 0.18.0, tuned, the same POST', 'graphile'),
    against('pg-boss 12.38.0, in groups of 512, the same POST', 'pg-boss'),
    against('graphile-worker, which also stores the event and the attempt, in groups', 'graphile kept', true),
    against('pg-boss, which also stores the event and the attempt, in groups', 'pg-boss kept', true),
    assess(
      {
        goal: '17',
        what: 'the same with 4 processes, CPU',
        baseline: '1 process',
        limit: atMost(1.15),
        note: shown(middle('four')),
      },
      four.map((cost, round) => cost / (ours[round] ?? Number.NaN)),
    ),
  ];
}

const sumOf = ({ process, server }: Cost) => process + server;
const shown = ({ process, server, perSecond }: Cost) =>
  `${process.toFixed(0)} + ${server.toFixed(0)} µs, ${perSecond.toFixed(0)}/s`;

type Delivery = { file: string; queue: Queue; processes: number; peers: string; urls: readonly string[] };

/** CPU microseconds for each event that waits in the database, until its result is stored. */
async function deliverBy(databases: FleetDatabases, given: Delivery): Promise<Cost> {
  const { file, queue, processes, peers, urls } = given;
  const url = await databases.create();
  const database = await databases.open(url);
  const { db } = database;
  await fillApplication(db);
  const keepsEvents = queue === 'ours' || queue.endsWith(' kept');
  if (keepsEvents) await fillMonitors(db, warmUp + events, 100, urls);
  const workers = await Promise.all(Array.from({ length: processes }, () => startWorker(file, queue, url, peers)));
  const add = async (from: number, count: number) => {
    if (keepsEvents) await fillEvents(db, from, count, Date.now());
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

async function benchClaims(databases: FleetDatabases, rounds: number, say: Say): Promise<BenchRow> {
  const ratios: number[] = [];
  const notes: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const database = await databases.open(await databases.create());
    const { db } = database;
    await fillApplication(db);
    const [perCell, wide, single] = [200, 200, 40];
    await fillMonitors(db, perCell * (wide + single) + 20_000, wide + single + 100);
    await sql`update monitors set cell = case when number < ${perCell * (wide + single)}::int then 'cell-' || number / ${perCell}::int else 'other' end
      from (select id, substring(id from '[0-9]+$')::int as number from monitors) as numbered where numbered.id = monitors.id`.execute(
      db,
    );
    await fillEvents(db, perCell * (wide + single), 20_000, Date.now() + 600_000);
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

/** One of three processes is killed in the middle; the others deliver the rest. */
async function benchKill(databases: FleetDatabases, file: string, say: Say): Promise<BenchRow> {
  const url = await databases.create();
  const database = await databases.open(url);
  const received: string[] = [];
  let onReceived = () => {};
  const server = createServer((request, response) => {
    received.push(String(request.headers['webhook-id']));
    request.resume();
    response.writeHead(204).end();
    onReceived();
  });
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  await fillApplication(database.db);
  const { port } = server.address() as AddressInfo;
  await fillMonitors(
    database.db,
    events,
    100,
    [1, 2, 3, 4].map((host) => `http://127.0.0.${host}:${port}/`),
  );
  await fillEvents(database.db, 0, events, Date.now());
  const killed = new Promise<void>((resolve) => {
    onReceived = () => {
      if (received.length < events / 3) return;
      onReceived = () => {};
      resolve();
    };
  });
  const workers = await Promise.all([1, 2, 3].map(() => startWorker(file, 'ours', url, '')));
  await killed;
  workers[0]?.child.kill('SIGKILL');
  await allSent(database);
  const ids = new Set(received);
  const twice = received.length - ids.size;
  say(`killed: ${ids.size} of ${events} received, ${twice} twice`);
  await Promise.all(workers.slice(1).map((worker) => worker.close()));
  server.close();
  server.closeAllConnections();
  await database.close();
  return assess(
    {
      goal: '23',
      what: 'of 20,000 events, those sent twice after kill -9 of one of three processes',
      baseline: '1% of the events',
      limit: atMost(1),
      note: `${twice} twice, ${events - ids.size} lost`,
    },
    [ids.size === events ? twice / (events / 100) : Infinity],
  );
}
