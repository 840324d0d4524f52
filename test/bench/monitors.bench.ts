// Goals 7 and 8 of the design's performance.md: the sweep at a million monitors, firing, and delivery with its bookkeeping.
// Run: node test/bench/monitors.bench.ts [sweep|fire|deliver]. CPU time of this process is the figure to trust.
import { spawn } from 'node:child_process';
import { lookup } from 'node:dns';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { Agent } from 'undici';
import { createCallbackGuard } from '#contract/callback-guard.ts';
import { systemClock } from '#contract/clock.ts';
import { openDatabase, type Database } from '#service/database/open-database.ts';
import { createDeliveryQueue } from '#service/delivery/delivery-queue.ts';
import { createEventClaims } from '#service/delivery/event-claim.ts';
import { createOutbox } from '#service/delivery/outbox.ts';
import { createCallbackSender } from '#service/delivery/send-callback.ts';
import { createWebhookSecrets } from '#service/delivery/webhook-secrets.ts';
import { createPrecipitationWatch } from '#service/watch/precipitation-watch.ts';
import { createWatchStore } from '#service/watch/watch-store.ts';

const log = pino({ level: 'silent' });
const folder = mkdtempSync(join(tmpdir(), 'rainbell-monitors-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

type Measured = { milliseconds: number; cpuMilliseconds: number };

async function measure(work: () => Promise<unknown>): Promise<Measured> {
  const [started, cpu] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { milliseconds: performance.now() - started, cpuMilliseconds: (user + system) / 1000 };
}

const shown = ({ milliseconds, cpuMilliseconds }: Measured) =>
  `${milliseconds.toFixed(0)} ms, ${cpuMilliseconds.toFixed(0)} ms CPU`;

/** A database with so many monitors spread evenly over so many cells, filled by SQL alone. */
async function filled(
  name: string,
  monitors: number,
  cells: number,
  callback: (index: number) => string,
): Promise<Database> {
  const file = join(folder, `${name}.sqlite`);
  const database = await openDatabase({ file, clock: systemClock, log });
  const sqlite = new DatabaseSync(file);
  sqlite.exec('PRAGMA synchronous = OFF; BEGIN');
  const monitor = sqlite.prepare(
    `INSERT INTO monitors (id, application_id, monitor_type, callback_uri, latitude, longitude, cell, created_at, gate_opens_at, failed_events)
     VALUES (?, 'application', 'precipitation', ?, ?, ?, ?, 0, 0, 0)`,
  );
  const cell = sqlite.prepare(
    'INSERT INTO watch_cells (cell, latitude, longitude, monitor_count, next_look_at, held_until) VALUES (?, ?, ?, ?, 0, 0)',
  );
  const place = (index: number) => [(index % 1_700) / 10 - 85, Math.floor(index / 1_700) / 10 - 180] as const;
  for (let index = 0; index < cells; index += 1) cell.run(`cell-${index}`, ...place(index), monitors / cells);
  for (let index = 0; index < monitors; index += 1) {
    const [latitude, longitude] = place(index % cells);
    monitor.run(
      `precipitation_${index}`,
      callback(index),
      String(latitude),
      String(longitude),
      `cell-${index % cells}`,
    );
  }
  sqlite.exec('COMMIT');
  sqlite.close();
  return database;
}

async function sweep(database: Database): Promise<Measured> {
  const watch = createPrecipitationWatch({
    clock: systemClock,
    log,
    store: createWatchStore(database),
    precipitationAt: async () => ({ isPrecipitating: false }),
    intervalMs: 60_000,
    claim: async () => 0,
  });
  await watch.sweepNow();
  const measured = await measure(() => watch.sweepNow());
  await watch.close();
  return measured;
}

/** What a service does that asks for the weather of each monitor. */
async function perMonitorLoop({ db }: Database): Promise<Measured> {
  const precipitationAt = async (place: { lat: number; lng: number }) => ({ isPrecipitating: place.lat > 90 });
  return measure(async () => {
    for (let start = 0; ; start += 5_000) {
      const rows = await db.selectFrom('monitors').selectAll().orderBy('id').limit(5_000).offset(start).execute();
      if (rows.length === 0) return;
      for (const row of rows) {
        const now = systemClock.now();
        const { isPrecipitating } = await precipitationAt({ lat: Number(row.latitude), lng: Number(row.longitude) });
        if (isPrecipitating && row.gate_opens_at <= now) throw new Error('It does not rain in this benchmark.');
      }
    }
  });
}

async function benchSweep(): Promise<void> {
  for (const [monitors, cells] of [
    [100_000, 1_000],
    [1_000_000, 1_000],
    [1_000_000, 10_000],
    [1_000_000, 100_000],
  ] as const) {
    const database = await filled(`sweep-${monitors}-${cells}`, monitors, cells, () => 'http://127.0.0.1:9/');
    const swept = await sweep(database);
    console.log(`idle sweep, ${monitors} monitors in ${cells} cells: ${shown(swept)}`);
    if (cells === 10_000) console.log(`  the loop over each monitor: ${shown(await perMonitorLoop(database))}`);
    await database.close();
  }
}

async function benchFire(): Promise<void> {
  const [monitors, cells] = [50_000, 100];
  const database = await filled('fire', monitors, cells, (index) => `http://127.0.0.1:9/${index}`);
  const names = Array.from({ length: cells }, (_, index) => `cell-${index}`);
  const claims = createEventClaims(database);
  const fired = await measure(() => claims.claim(names, systemClock.now()));
  const rows = await database.db.selectFrom('events').selectAll().execute();
  await database.close();
  const raw = new DatabaseSync(join(folder, 'raw.sqlite'));
  raw.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  const columns = Object.keys(rows[0] ?? {});
  raw.exec(
    `CREATE TABLE events (${columns.map((name) => `${name} ${name === 'id' ? 'TEXT PRIMARY KEY' : ''}`).join(', ')})`,
  );
  raw.exec(
    "CREATE INDEX due ON events (next_attempt_at) WHERE state = 'waiting'; CREATE INDEX by_monitor ON events (monitor_id) WHERE state = 'waiting'",
  );
  const insert = raw.prepare(`INSERT INTO events VALUES (${columns.map(() => '?').join(', ')})`);
  const plain = await measure(async () => {
    raw.exec('BEGIN');
    for (const row of rows) insert.run(...Object.values(row));
    raw.exec('COMMIT');
  });
  raw.close();
  console.log(`firing ${rows.length} monitors: ${shown(fired)}; raw inserts of the same rows: ${shown(plain)}`);
  console.log(`  ratio of CPU: ${(plain.cpuMilliseconds / fired.cpuMilliseconds).toFixed(2)} (goal: at least 0.25)`);
}

async function startSink(): Promise<{ port: number; stop(): void }> {
  const file = fileURLToPath(new URL('./callback-sink.ts', import.meta.url));
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { port: Number(line.toString()), stop: () => void child.kill('SIGKILL') };
}

type Event = { callback_uri: string; body: string };

const deliverCount = 10_000;
const deliverRounds = Number(process.env.ROUNDS ?? 5);

/** Delivers as the service does: signed, logged, counted, and kept in a database that survives a loss of power. */
async function deliverAll(database: Database): Promise<void> {
  const guard = createCallbackGuard({ policy: { kind: 'local', allowlist: [], ownPort: 0 }, lookup });
  const queue = createDeliveryQueue({
    clock: systemClock,
    machineClock: systemClock,
    log,
    outbox: createOutbox(database, 'bench'),
    sender: createCallbackSender({
      guard,
      timeoutMs: 15_000,
      connectionsPerHost: 4,
      elapsedMs: () => performance.now(),
    }),
    secrets: createWebhookSecrets({ db: database.db, clock: systemClock }),
    rules: { retries: 4, timeoutMs: 15_000, random: Math.random },
  });
  queue.wake();
  for (;;) {
    const [{ left } = { left: 0 }] = await database.db
      .selectFrom('events')
      .select((select) => select.fn.countAll<number>().as('left'))
      .where('state', '=', 'waiting')
      .execute();
    if (left === 0) break;
    await new Promise<void>((resolve) => void setTimeout(resolve, 100));
  }
  await queue.close(1_000);
}

const headers = { 'content-type': 'application/json' };

/** The barest that undici can do: nothing is signed, checked, read or written down. */
async function dispatchAll(events: readonly Event[]): Promise<void> {
  const agent = new Agent({ connections: 4, pipelining: 1 });
  await sixteenAtOnce(events, ({ callback_uri: callbackUri, body }) => {
    const { origin, pathname } = new URL(callbackUri);
    return new Promise((resolve, reject) => {
      agent.dispatch(
        { origin, path: pathname, method: 'POST', headers, body },
        {
          onRequestStart() {},
          onResponseStart() {},
          onResponseData() {},
          onResponseEnd: () => resolve(undefined),
          onResponseError: (_, error) => reject(error),
        },
      );
    });
  });
  await agent.close();
}

async function fetchAll(events: readonly Event[]): Promise<void> {
  await sixteenAtOnce(events, async ({ callback_uri: callbackUri, body }) => {
    const answer = await fetch(callbackUri, { method: 'POST', headers, body });
    await answer.arrayBuffer();
  });
}

async function sixteenAtOnce(events: readonly Event[], post: (event: Event) => Promise<unknown>): Promise<void> {
  const remaining = events.values();
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (const event of remaining) await post(event);
    }),
  );
}

async function deliverRound(round: number, addressOf: (index: number) => string) {
  const database = await filled(`deliver-${round}`, deliverCount, 100, addressOf);
  const cells = Array.from({ length: 100 }, (_, index) => `cell-${index}`);
  await createEventClaims(database).claim(cells, systemClock.now());
  const events = await database.db.selectFrom('events').select(['callback_uri', 'body']).execute();
  const ours = await measure(() => deliverAll(database));
  await database.close();
  const dispatch = await measure(() => dispatchAll(events));
  const native = await measure(() => fetchAll(events));
  return { ours, dispatch, native };
}

async function benchDeliver(): Promise<void> {
  const sinks = await Promise.all([startSink(), startSink(), startSink(), startSink()]);
  const addressOf = (index: number) => `http://127.0.0.1:${sinks[index % sinks.length]?.port}/${index}`;
  const rounds: Awaited<ReturnType<typeof deliverRound>>[] = [];
  for (let round = 0; round < deliverRounds; round += 1) rounds.push(await deliverRound(round, addressOf));
  for (const sink of sinks) sink.stop();
  const microseconds = (name: 'ours' | 'dispatch' | 'native') => {
    const sorted = rounds.map((round) => (round[name].cpuMilliseconds * 1000) / deliverCount).sort((a, b) => a - b);
    return { median: sorted[sorted.length >> 1] ?? 0, all: sorted.map((each) => each.toFixed(0)).join(' ') };
  };
  const [ours, dispatch, native] = [microseconds('ours'), microseconds('dispatch'), microseconds('native')];
  console.log(`delivering ${deliverCount} callbacks, signed, logged and kept, CPU µs each: ${ours.all}`);
  console.log(`  undici.dispatch alone: ${dispatch.all}; native fetch alone: ${native.all}`);
  const ratio = (other: { median: number }) => (other.median / ours.median).toFixed(2);
  console.log(`  ratio of medians: dispatch ${ratio(dispatch)} (goal 0.60), fetch ${ratio(native)} (goal 5)`);
}

const benches = { sweep: benchSweep, fire: benchFire, deliver: benchDeliver };
const wanted = process.argv[2];
for (const [name, bench] of Object.entries(benches)) {
  if (wanted === undefined || wanted === name) await bench();
}
process.exit(0);
