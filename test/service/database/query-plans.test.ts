// The statements that run with every event and every sweep find their rows by an index, however many events wait: a plan
// that walks all of them once made delivery slower with each monitor. The test asks the databases themselves.
import { CompiledQuery, sql, type Kysely, type KyselyPlugin, type RootOperationNode } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { pino } from 'pino';
import { systemClock } from '#shared/time/clock.ts';
import { openServiceDatabase } from '#service/app/open-service-database.ts';
import type { Database } from '#service/database/open-database.ts';
import type { Tables } from '#service/database/tables.ts';
import { createEventFeed } from '#service/monitors/feed/feed.ts';
import { firstIdAt } from '#service/monitors/delivery/tables.ts';
import { deleteOldEvents } from '#service/monitors/delivery/delivery-log.ts';
import { createOutbox } from '#service/monitors/delivery/outbox.ts';
import type { AttemptRecord } from '#service/monitors/delivery/attempt-recorder.ts';
import type { WaitingEvent } from '#service/monitors/delivery/tables.ts';
import { endUnsent, isOfMonitor, updatePendingUrls } from '#service/monitors/delivery/events.ts';
import { createWatchedCells } from '#service/monitors/sweep/watched-cells.ts';
import { engines, newDatabase, type Engine } from '../engines.ts';
import { newMonitorRow } from '../monitor-rows.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

const now = 1_800_000_000_000;

/** Records every statement that Kysely is about to compile. */
function listener() {
  const heard: RootOperationNode[] = [];
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      heard.push(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return { heard, plugin };
}

async function filledDatabase(engine: Engine): Promise<Database> {
  const location = await newDatabase(engine, temporaryFolder());
  const database = await openServiceDatabase({ ...location, clock: systemClock, log: pino({ level: 'silent' }) });
  onTestFinished(() => database.close());
  const { db } = database;
  for (let start = 0; start < 30_000; start += 500) {
    const numbers = Array.from({ length: 500 }, (_, index) => start + index);
    await db.insertInto('monitors').values(numbers.map(monitorRow)).execute();
    await db.insertInto('events').values(numbers.map(eventRow)).execute();
    await db.insertInto('waiting_events').values(numbers.map(waitingRow)).execute();
    await db.insertInto('attempts').values(numbers.map(attemptRow)).execute();
    await db.insertInto('watch_cells').values(numbers.map(cellRow)).execute();
  }
  await (engine === 'sqlite' ? sql`PRAGMA optimize` : sql`ANALYZE`).execute(db);
  return database;
}

const cellRow = (number: number) => ({
  cell: `cell-${number}`,
  latitude: 45,
  longitude: 7,
  monitor_count: 1,
  next_look_at: now + number,
  held_until: 0,
});

const monitorRow = (number: number) =>
  newMonitorRow({ id: `precipitation_${number}`, application_id: 'app', cell: `cell-${number}`, created_at: now });

const eventRow = (number: number) => ({
  id: `evt_${number}`,
  monitor_id: `precipitation_${number}`,
  application_id: 'app',
  kind: 'precipitation' as const,
  occurred_at: now,
  triggered_by: null,
  callback_uri: 'http://127.0.0.1:9/',
  body: '{}',
  feed_position: number + 1,
  undelivered: null,
});

const waitingRow = (number: number) => ({
  event_id: `evt_${number}`,
  application_id: 'app',
  host: 'http://127.0.0.1:9',
  is_guarded: 0,
  is_resend: 0,
  attempts: 0,
  // Most are not due yet, as with many that wait for a retry.
  due_at: now + (number < 20 ? 0 : 600_000),
  expires_at: now + 3_600_000,
  held_until: 0,
  held_by: null,
});

const waitingEvent = (number: number): WaitingEvent => ({
  ...eventRow(number),
  ...waitingRow(number),
  account_id: 'account',
});

const dayMs = 86_400_000;
const attemptRow = (number: number) => ({
  event_id: `evt_${number}`,
  attempt: 1,
  kind: 'first' as const,
  started_at: now,
  latency_ms: 1,
  http_status: 200,
  error: null,
  answer: '',
});

const result = { status: 200, error: null, latencyMs: 1, answer: '', retryAfterSeconds: undefined };
const records: AttemptRecord[] = [
  { event: waitingEvent(1), startedAt: now, result, state: 'delivered', nextAttemptAt: undefined },
  { event: waitingEvent(2), startedAt: now, result, state: 'waiting', nextAttemptAt: now + 10_000 },
  { event: waitingEvent(3), startedAt: now, result, state: 'failed', nextAttemptAt: undefined },
];

function feedOf(database: Database, db: Kysely<Tables>) {
  return createEventFeed({ database: { ...database, db }, clock: systemClock, secrets: { activeFor: async () => [] } });
}

const works: Record<string, (database: Database, db: Kysely<Tables>) => Promise<unknown>> = {
  'taking what is due': (database, db) =>
    createOutbox({ ...database, db }, 'me').take(now, 10, [
      { application_id: 'full' },
      { application_id: 'app', host: 'http://full.example' },
    ]),
  'writing down results': (database, db) => createOutbox({ ...database, db }, 'me').record(records),
  'holding events': (database, db) => createOutbox({ ...database, db }, 'me').hold(['evt_1', 'evt_2']),
  'giving up events': (database, db) => createOutbox({ ...database, db }, 'me').expire(now),
  'letting go of events': (database, db) => createOutbox({ ...database, db }, 'me').release(['evt_1', 'evt_2']),
  'claiming at the gate': (database, db) =>
    createOutbox({ ...database, db }, 'claims').claim(['cell-1', 'cell-2'], now + 1),
  'claiming a wide front': (database, db) =>
    createOutbox({ ...database, db }, 'claims').claim(
      Array.from({ length: 2_500 }, (_, index) => `cell-${index + 10}`),
      now + 1,
    ),
  'cancelling the events of a monitor': (database, db) =>
    db.transaction().execute((trx) => endUnsent(trx, database.engine, isOfMonitor('precipitation_1'), 'deleted')),
  'redirecting the events of a monitor': (_database, db) =>
    db.transaction().execute((trx) => updatePendingUrls(trx, monitorRow(1))),
  'reading the feed': (database, db) =>
    feedOf(database, db).read('app', { position: 100, id: 'evt_100', completeAt: now }, 10),
  'finding the end of the feed': (database, db) => feedOf(database, db).end('app'),
  'deleting what is old': ({ engine }, db) => deleteOldEvents({ db, engine }, now),
  'making due what was planned too far ahead': (database, db) =>
    createWatchedCells({ ...database, db }).resetAfter(now + 3_600_000, now),
  'taking due cells': (database, db) => createWatchedCells({ ...database, db }).take(now, 10),
  'planning the next looks': (database, db) =>
    createWatchedCells({ ...database, db }).plan([{ cell: 'cell-1', at: now }]),
};

async function planOf({ db, engine }: Database, query: CompiledQuery): Promise<string> {
  if (engine === 'sqlite') {
    const explained = await db.executeQuery<{ detail: string }>(
      CompiledQuery.raw(`EXPLAIN QUERY PLAN ${query.sql}`, [...query.parameters]),
    );
    return explained.rows.map(({ detail }) => detail).join('\n');
  }
  return db.transaction().execute(async (trx) => {
    // Then PostgreSQL only chooses a walk if it has no other way; it likes to read all of some thousand rows.
    await sql`SET LOCAL enable_seqscan = off`.execute(trx);
    const explained = await trx.executeQuery<Record<'QUERY PLAN', string>>(
      CompiledQuery.raw(`EXPLAIN ${query.sql}`, [...query.parameters]),
    );
    return explained.rows.map((row) => row['QUERY PLAN']).join('\n');
  });
}

/** Only these look along the index of what is due; the others know the rows that they want. */
const lookAlong = ['taking what is due', 'asking when the next is due', 'giving up events'];

/** A walk through a whole table, or through the whole of an index. */
function walks(plan: string, engine: Engine, name: string): string[] {
  return plan.split('\n').filter((line) => {
    if (/waiting_events_due/.test(line) && !lookAlong.includes(name)) return true;
    // Every id with every row: quadratic.
    if (/Join Filter: .*unnest/.test(line)) return true;
    if (engine === 'postgres') return /Seq Scan on (events|waiting_events|monitors|watch_cells|attempts)/.test(line);
    return /SCAN (events|waiting_events|monitors|watch_cells|attempts)/.test(line);
  });
}

describe.each(engines)('on %s', (engine) => {
  it('deletes what is old in small pieces, each of which other processes see', async () => {
    const location = await newDatabase(engine, temporaryFolder());
    const open = async () => {
      const database = await openServiceDatabase({ ...location, clock: systemClock, log: pino({ level: 'silent' }) });
      onTestFinished(() => database.close());
      return database.db;
    };
    const [db, other] = [await open(), await open()];
    const oldest = firstIdAt('evt_', now - 31 * dayMs);
    for (let start = 0; start < 1_300; start += 500) {
      const numbers = Array.from({ length: Math.min(500, 1_300 - start) }, (_, index) => start + index);
      const events = numbers.map((number) => ({ ...eventRow(number), id: `${oldest}${number}` }));
      const attempts = events.map(({ id }, number) => ({ ...attemptRow(number), event_id: id }));
      await db.insertInto('events').values(events).execute();
      await db.insertInto('attempts').values(attempts).execute();
    }
    const countLeft = async () => {
      const count = sql<number>`count(*)`.as('count');
      const events = await other.selectFrom('events').select(count).executeTakeFirstOrThrow();
      const attempts = await other.selectFrom('attempts').select(count).executeTakeFirstOrThrow();
      return Number(events.count) + Number(attempts.count);
    };
    const left: number[] = [];
    const afterEach: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (result.numAffectedRows) left.push(await countLeft());
        return result;
      },
    };
    await deleteOldEvents({ db: db.withPlugin(afterEach), engine }, now);
    expect(left).toEqual([2_100, 1_600, 1_100, 600, 300, 0]);
  });

  it('no statement of delivery or of a sweep walks through all that waits', async () => {
    const database = await filledDatabase(engine);
    for (const [name, work] of Object.entries(works)) {
      const { heard, plugin } = listener();
      const db = database.db.withPlugin(plugin);
      await work(database, db);
      expect([name, heard.length > 0]).toEqual([name, true]);
      for (const node of heard) {
        const query = database.db.getExecutor().compileQuery(node, { queryId: 'plan' });
        const plan = await planOf(database, query);
        expect({ name, query: query.sql, plan, walks: walks(plan, engine, name) }).toMatchObject({ walks: [] });
      }
    }
  });
});
