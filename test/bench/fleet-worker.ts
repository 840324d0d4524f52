// A process that delivers callbacks from PostgreSQL, for the bench of a fleet: ours, or another queue that does the same signed POST.
// Its arguments are the name, the database, and the folder of the peers; it reports how many it has sent, and ends on `close`.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { systemClock } from '#shared/time/clock.ts';
import { createMonitors } from '#service/app/create-callbacks.ts';
import { openServiceDatabase } from '#service/app/open-service-database.ts';
import { configWith } from '#service/config/config.ts';
import { openSeal } from '#service/secrets/secret-seal.ts';
import { silentLog } from './monitor-database.ts';
import { createSignedPost } from './signed-post.ts';

type Job = { id: string; monitor: string; url: string; body: string };
type Stop = () => Promise<void>;

/** Four connections to each of four endpoints, as ours. */
const atOnce = 16;
const [name = '', url = '', peers = ''] = process.argv.slice(2);
/** Whether another queue also writes its attempts. Jobs that wait for their group to be written need more lanes. */
const isKeeping = name.endsWith(' keeping');
const lanes = isKeeping ? 4 * atOnce : atOnce;
let sent = 0;

async function startOurs(): Promise<Stop> {
  const database = await openServiceDatabase({ url, clock: systemClock, log: silentLog });
  const monitors = createMonitors({
    inbox: { signingKey: Buffer.alloc(32, 1), baseUrl: 'http://127.0.0.1' },
    config: configWith({ dataFolder: '/nowhere', role: 'sender' }),
    database,
    clock: systemClock,
    log: silentLog,
    policy: { kind: 'local', allowlist: [], ownPort: 0 },
    seal: openSeal,
    cellOf: () => '',
    precipitationAt: async () => ({ isPrecipitating: false }),
    providerPause: () => undefined,
    requireBearer: async () => {},
    isStillValid: async () => true,
    limitOf: async () => ({ limit: 0, plan: undefined }),
    random: Math.random,
    onAttempt: () => void (sent += 1),
  });
  monitors.start();
  return async () => {
    await monitors.close(5_000);
    await database.close();
  };
}

/**
 * What our service keeps beside a job: its attempt for 30 days. Written as ours, in groups; a job is done only
 * then.
 */
function createKeeper(): (job: Job, startedAt: number) => Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  let group: {
    job: Job;
    startedAt: number;
    latencyMs: number;
    resolve: () => void;
    reject: (error: unknown) => void;
  }[] = [];
  let timer: NodeJS.Timeout | undefined;
  async function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const written = group;
    group = [];
    try {
      await pool.query(
        `insert into attempts (event_id, attempt, kind, started_at, latency_ms, http_status, error, answer)
         select id, 1, 'first', started_at, latency_ms, 204, null, ''
         from unnest($1::text[], $2::bigint[], $3::int[]) as sent(id, started_at, latency_ms)`,
        [
          written.map(({ job }) => job.id),
          written.map(({ startedAt }) => startedAt),
          written.map(({ latencyMs }) => latencyMs),
        ],
      );
      for (const { resolve } of written) resolve();
    } catch (error) {
      for (const { reject } of written) reject(error);
    }
  }
  return (job, startedAt) =>
    new Promise((resolve, reject) => {
      group.push({ job, startedAt, latencyMs: Date.now() - startedAt, resolve, reject });
      if (group.length >= 128) void write();
      else timer ??= setTimeout(() => void write(), 5);
    });
}

function createPost(): (job: Job) => Promise<void> {
  const { post } = createSignedPost();
  const keep = isKeeping ? createKeeper() : async () => {};
  return async (job) => {
    const startedAt = Date.now();
    await post(job);
    await keep(job, startedAt);
    sent += 1;
  };
}

/** Tuned as its documentation advises: jobs are fetched in groups, and completed in groups. */
async function startGraphile(): Promise<Stop> {
  const { run } = (await import(fileOf('graphile-worker/dist/index.js'))) as {
    run(options: object): Promise<{ stop(): Promise<void> }>;
  };
  const post = createPost();
  const runner = await run({
    connectionString: url,
    noHandleSignals: true,
    taskList: { deliver: (job: Job) => post(job) },
    preset: {
      worker: {
        concurrentJobs: lanes,
        maxPoolSize: lanes + 2,
        pollInterval: 100,
        localQueue: { size: 512 },
        completeJobBatchDelay: 5,
        failJobBatchDelay: 5,
      },
    },
  });
  return () => runner.stop();
}

/** Groups of 512 jobs, of which 16 are sent at once. */
async function startPgBoss(): Promise<Stop> {
  const { PgBoss } = (await import(fileOf('pg-boss/dist/index.js'))) as {
    PgBoss: new (options: object) => {
      on(event: 'error', listener: () => void): void;
      start(): Promise<unknown>;
      createQueue(name: string): Promise<void>;
      work(queue: string, options: object, handle: (jobs: { data: Job }[]) => Promise<void>): Promise<unknown>;
      stop(options: object): Promise<void>;
    };
  };
  const post = createPost();
  const boss = new PgBoss({ connectionString: url, supervise: false, schedule: false });
  boss.on('error', () => {});
  await boss.start();
  await boss.createQueue('deliver');
  await boss.work(
    'deliver',
    { batchSize: 512, pollingIntervalSeconds: 0.5, burstWhenBatchFull: true },
    async (jobs) => {
      const remaining = jobs.values();
      const lane = async () => {
        for (const { data } of remaining) await post(data);
      };
      await Promise.all(Array.from({ length: lanes }, lane));
    },
  );
  return () => boss.stop({ graceful: false });
}

function fileOf(module: string): string {
  return pathToFileURL(join(peers, 'node_modules', module)).href;
}

const starters: Readonly<Record<string, () => Promise<Stop>>> = {
  ours: startOurs,
  graphile: startGraphile,
  'graphile keeping': startGraphile,
  'pg-boss': startPgBoss,
  'pg-boss keeping': startPgBoss,
};
const stop = await starters[name]?.();
// The first report says that it has started.
process.send?.({ sent });
const reporting = setInterval(() => process.send?.({ sent }), 50);
process.on('message', () => {
  clearInterval(reporting);
  void stop?.().finally(() => process.disconnect());
});
