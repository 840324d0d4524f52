// The outbox in the database: which events are due, which process sends them, and their results. Processes on the same database
// lease due events for a few seconds at a time, so others take over the events of one that died (docs/delivery.md S13).
import { type Kysely, sql, type Transaction } from 'kysely';
import { jumpMs } from '@rainbell/shared';
import { eventIntervalSeconds } from '@rainbell/contract/service-api';
import { isAmong } from '../../database/id-list.ts';
import { leaseEnd, leaseNow } from '../../database/lease-clock.ts';
import type { Database } from '../../database/open-database.ts';
import { retryOnDeadlock } from '../../database/retry-on-deadlock.ts';
import { createRowInsert } from '../../database/row-insert.ts';
import type { Tables } from '../../database/tables.ts';
import type { AttemptRecord } from './attempt-recorder.ts';
import { countEnded, countFailed } from './endpoint-health.ts';
import { createEventClaim, endUnsent, holdMs, postponeLater } from './events.ts';
import { type AttemptKind, deliveryTables, type WaitingEvent } from './tables.ts';

/** An application, or what it sends to one host, whose queue is so long that more of it would only crowd out others. */
export type FullLine = Pick<WaitingEvent, 'application_id'> & { host?: string };

export type Outbox = ReturnType<typeof createOutbox>;

const idsPerStatement = 500;
const intervalMs = eventIntervalSeconds * 1000;

export function createOutbox({ db, engine }: Pick<Database, 'db' | 'engine'>, holder: string) {
  const writeAttempts = createAttemptWriter(engine);
  const lockFree = engine === 'postgres';

  /** Due events that no process holds. Attempts are never planned beyond the hour, so those that are not due have not expired. */
  const dueEvents = (now: number) =>
    db
      .selectFrom('waiting_events')
      .select('event_id')
      .where('due_at', '<=', now)
      .where('held_until', '<=', leaseNow(engine))
      .$if(lockFree, (query) => query.forUpdate().skipLocked());
  /** As an array, PostgreSQL looks each of the chosen rows up by its key; `in` may make it read the whole table. */
  const chosen = (query: ReturnType<typeof dueEvents>) =>
    engine === 'postgres' ? sql<boolean>`event_id = any(array(${query}))` : sql<boolean>`event_id in (${query})`;

  return {
    claim: createEventClaim({ db, engine }, holder),

    /** Takes up to `limit` due events that are in none of the `full` queues. */
    async take(now: number, limit: number, full: readonly FullLine[]): Promise<WaitingEvent[]> {
      const due = dueEvents(now)
        .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
        .where((where) => where.not(where.or(full.map((line) => where.and(line)))))
        .orderBy('due_at')
        .limit(limit);
      const taking = db
        .updateTable('waiting_events')
        .set({ held_until: leaseEnd(leaseNow(engine), holdMs), held_by: holder })
        .where(chosen(due))
        .returning(['event_id', 'host', 'is_guarded', 'is_resend', 'attempts']);
      return withRequests(db, engine, await retryOnDeadlock(() => taking.execute()));
    },

    async hold(ids: readonly string[]): Promise<void> {
      for (let start = 0; start < ids.length; start += idsPerStatement) {
        const own = db
          .selectFrom('waiting_events')
          .select('event_id')
          .where(isAmong(engine, 'event_id', ids.slice(start, start + idsPerStatement)))
          .where('held_by', '=', holder)
          // Another statement that has a row ends it or changes its URL; the next renewal is early enough.
          .$if(lockFree, (query) => query.forUpdate().skipLocked());
        const renewed = db
          .updateTable('waiting_events')
          .set({ held_until: leaseEnd(leaseNow(engine), holdMs) })
          .where(chosen(own));
        await retryOnDeadlock(() => renewed.execute());
      }
    },

    async release(ids: readonly string[]): Promise<void> {
      if (ids.length === 0) return;
      await db
        .updateTable('waiting_events')
        .set({ held_until: 0, held_by: null })
        .where('held_by', '=', holder)
        .where(isAmong(engine, 'event_id', ids))
        .execute();
    },

    /** Expires events whose hour has passed, for example while no process ran (docs/delivery.md S13). */
    async expire(now: number): Promise<void> {
      const expired = dueEvents(now).where('expires_at', '<=', now).limit(idsPerStatement);
      const expireSome = () =>
        db.transaction().execute(async (trx) => {
          const { count, monitors } = await endUnsent(trx, engine, chosen(expired), 'expired');
          for (const id of monitors) await countFailed(trx, id, { at: now, error: 'not sent in time' });
          return count;
        });
      while ((await retryOnDeadlock(expireSome)) === idsPerStatement);
    },

    /**
     * Corrects plans made before the clock was set back: cool-downs, attempts, and leases. Reads `now` for each step, because the clock
     * may jump again meanwhile.
     */
    async replan(readNow: () => number): Promise<void> {
      await endLongGates(db, readNow());
      await replanEvents(db, readNow());
      // Their process may be alive and renew them, so let them expire instead of ending them here.
      const end = leaseEnd(leaseNow(engine), holdMs);
      await db.updateTable('waiting_events').set({ held_until: end }).where('held_until', '>', end).execute();
    },

    record: (records: readonly AttemptRecord[]): Promise<void> =>
      retryOnDeadlock(() => db.transaction().execute((trx) => writeAttempts(trx, records))),
  };
}

async function withRequests(
  db: Kysely<Tables>,
  engine: Database['engine'],
  taken: readonly (Pick<WaitingEvent, 'host' | 'is_guarded' | 'is_resend' | 'attempts'> & { event_id: string })[],
): Promise<WaitingEvent[]> {
  if (taken.length === 0) return [];
  const ids = taken.map(({ event_id }) => event_id);
  const rows = await db
    .selectFrom('events')
    .leftJoin('applications', 'applications.id', 'events.application_id')
    .select(['events.id', 'monitor_id', 'application_id', 'kind', 'occurred_at', 'callback_uri', 'body'])
    .select('triggered_by')
    .select((select) => select.fn.coalesce('account_id', 'application_id').as('account_id'))
    .where(isAmong(engine, 'events.id', ids))
    .execute();
  const events = new Map(rows.map((row) => [row.id, row]));
  return taken.flatMap(({ event_id, ...line }) => {
    const event = events.get(event_id);
    return event ? [{ ...event, ...line }] : [];
  });
}

/** Ends cool-downs longer than an hour, an hour from `now`. */
async function endLongGates(db: Kysely<Tables>, now: number): Promise<void> {
  await db
    .updateTable('monitors')
    .set({ gate_opens_at: now + intervalMs })
    .where('gate_opens_at', '>', now + intervalMs + jumpMs)
    .execute();
}

/** Events in the future, and those requested manually, are due now. They expire in an hour. */
async function replanEvents(db: Kysely<Tables>, now: number): Promise<void> {
  const latestEnd = now + intervalMs;
  await db
    .updateTable('waiting_events')
    .set({ due_at: now })
    .where('due_at', '>', now)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', latestEnd + jumpMs)]))
    .execute();
  await db
    .updateTable('waiting_events')
    .set({ expires_at: latestEnd })
    .where('expires_at', '>', latestEnd + jumpMs)
    .execute();
}

/**
 * Writes the results of many attempts at once: the log (docs/delivery.md S11), and what became of the events. Runs with every
 * callback, so each statement is the same for any number of rows. A success writes only its attempt.
 */
function createAttemptWriter(engine: Database['engine']) {
  const insertAttempts = createRowInsert(engine, 'attempts', deliveryTables.attempts.columns, { skipsKnown: true });

  /** Returns the IDs of the events that were still waiting: not deleted, expired, or recorded by another process. */
  async function closeOrRetry(trx: Transaction<Tables>, records: readonly AttemptRecord[]): Promise<Set<string>> {
    const closed = await trx
      .deleteFrom('waiting_events')
      .where(isAmong(engine, 'event_id', idsOf(records.filter(({ state }) => state !== 'waiting'))))
      .returning('event_id')
      .execute();
    const ids = new Set(closed.map(({ event_id }) => event_id));
    const retried = records.filter(({ state }) => state === 'waiting');
    if (retried.length === 0) return ids;
    const dueAt = JSON.stringify(
      Object.fromEntries(retried.map(({ event, nextAttemptAt }) => [event.id, nextAttemptAt])),
    );
    const given = engine === 'sqlite' ? sql`json_each(${dueAt})` : sql`json_each_text(${dueAt}::json)`;
    const { rows } = await sql<{ event_id: string }>`
      update waiting_events
      set attempts = attempts + 1, due_at = cast(given.value as bigint), held_until = 0, held_by = null
      from ${given} as given
      where event_id = given.key
      returning event_id
    `.execute(trx);
    for (const { event_id } of rows) ids.add(event_id);
    for (const { event, nextAttemptAt = 0 } of retried) {
      if (event.kind !== 'precipitation' && event.kind !== 'test') await postponeLater(trx, event, nextAttemptAt);
    }
    return ids;
  }

  return async (trx: Transaction<Tables>, records: readonly AttemptRecord[]): Promise<void> => {
    const open = await closeOrRetry(trx, records);
    const others = records.filter(({ event }) => !open.has(event.id));
    // The log of an event that was deleted meanwhile is not written, because the deletion promises to leave nothing.
    const left = trx
      .selectFrom('events')
      .select(['id', 'undelivered'])
      .where(isAmong(engine, 'id', idsOf(others)));
    const known = others.length === 0 ? [] : await left.execute();
    const all = new Set([...open, ...known.map(({ id }) => id)]);
    await insertAttempts(trx, records.filter(({ event }) => all.has(event.id)).map(attemptRow));
    // Its monitor was paused or deleted during the attempt that delivered it: it counts as a resend does.
    const canceled = new Set(
      known.filter(({ undelivered: why }) => why === 'feed-only' || why === 'deleted').map(({ id }) => id),
    );
    const late = others
      .filter(({ event, state }) => state === 'delivered' && canceled.has(event.id))
      .map((record) => ({ ...record, event: { ...record.event, is_resend: 1 } }));
    const counted = [...records.filter(({ event }) => open.has(event.id)), ...late];
    await setUndelivered(trx, engine, counted);
    await countEnded(trx, engine, counted);
  };
}

const idsOf = (records: readonly AttemptRecord[]) => records.map(({ event }) => event.id);

/** A failed resend changes nothing: its event was delivered before, or was not. */
async function setUndelivered(trx: Transaction<Tables>, engine: Database['engine'], records: readonly AttemptRecord[]) {
  const failed = records.filter(({ event, state }) => event.is_resend === 0 && ['failed', 'gone'].includes(state));
  const delivered = records.filter(({ event, state }) => event.is_resend === 1 && state === 'delivered');
  for (const [some, undelivered] of [
    [failed, 'failed'],
    [delivered, null],
  ] as const) {
    if (some.length === 0) continue;
    await trx
      .updateTable('events')
      .set({ undelivered })
      .where(isAmong(engine, 'id', idsOf(some)))
      .execute();
  }
}

function attemptRow({ event, startedAt, result }: AttemptRecord) {
  return {
    event_id: event.id,
    attempt: event.attempts + 1,
    kind: attemptKind(event),
    started_at: startedAt,
    latency_ms: result.latencyMs,
    http_status: result.status,
    error: result.error,
    answer: result.answer,
    request: null,
  };
}

function attemptKind(event: WaitingEvent): AttemptKind {
  if (event.is_resend === 1) return 'resend';
  if (event.kind === 'test') return 'test';
  return event.attempts === 0 ? 'first' : 'retry';
}

/** Counts for metrics and operators are bounded, so that reading stays cheap. */
const countedEvents = 100_000;

/** Returns how long the most overdue event has waited, and the number of waiting ones, at most 100,000. */
export async function readQueue(db: Kysely<Tables>, now: number): Promise<{ oldestSeconds: number; waiting: number }> {
  const { due } = await db
    .selectFrom('waiting_events')
    .select((select) => select.fn.min('due_at').as('due'))
    .executeTakeFirstOrThrow();
  const { count } = await db
    .selectFrom(db.selectFrom('waiting_events').select('event_id').limit(countedEvents).as('waiting'))
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow();
  return { oldestSeconds: due === null ? 0 : Math.max(0, now - Number(due)) / 1000, waiting: Number(count) };
}
