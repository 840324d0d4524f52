// Writes the results of many attempts at once: the log (docs/delivery.md S11), and the events' rows. Runs with every callback, so
// each statement is the same for any number of rows.
import { sql, type Transaction } from 'kysely';
import { isAmong } from '../../database/id-list.ts';
import type { Database } from '../../database/open-database.ts';
import { createRowInsert } from '../../database/row-insert.ts';
import type { Tables } from '../../database/tables.ts';
import { attemptPrefix, orderedIds } from '../schema/ordered-ids.ts';
import type { SendResult } from './send-callback.ts';
import type { AttemptKind, EventState, WaitingEvent } from '../schema/tables.ts';

/** Result of an attempt. `nextAttemptAt`: undefined if the event is finished. */
export type AttemptRecord = {
  event: WaitingEvent;
  startedAt: number;
  result: SendResult;
  outcome: 'delivered' | 'waiting' | 'failed' | 'gone';
  nextAttemptAt: number | undefined;
};

type Engine = Database['engine'];

export function createAttemptWriter(engine: Engine) {
  const insertDeliveries = createRowInsert(engine, 'deliveries', {
    id: 'text',
    event_id: 'text',
    monitor_id: 'text',
    attempt: 'integer',
    kind: 'text',
    started_at: 'bigint',
    latency_ms: 'integer',
    http_status: 'integer',
    error: 'text',
    answer: 'text',
  });
  /** Returns the IDs of the events that were still pending. */
  return async (trx: Transaction<Tables>, records: readonly AttemptRecord[]): Promise<ReadonlySet<string>> => {
    await insertDeliveries(trx, logRows(records));
    const closed = new Set([
      ...(await closeDelivered(trx, engine, records)),
      ...(await closeOthers(trx, engine, records)),
    ]);
    // Few: replaced, canceled, or deleted with their application during the send.
    const others = records.map(({ event }) => event.id).filter((id) => !closed.has(id));
    if (others.length > 0) await dropDeleted(trx, engine, others);
    return closed;
  };
}

function attemptKind(event: WaitingEvent): AttemptKind {
  if (event.is_resend === 1) return 'resend';
  if (event.kind === 'test') return 'test';
  return event.attempts === 0 ? 'first' : 'retry';
}

function logRows(records: readonly AttemptRecord[]) {
  const ids = orderedIds(attemptPrefix, records[0]?.startedAt ?? 0, records.length);
  return records.map(({ event, startedAt, result }, index) => ({
    id: ids[index] ?? '',
    event_id: event.id,
    monitor_id: event.monitor_id,
    attempt: event.attempts + 1,
    kind: attemptKind(event),
    started_at: startedAt,
    latency_ms: result.latencyMs,
    http_status: result.status,
    error: result.error,
    answer: result.answer,
  }));
}

// Changes only pending events: one that was replaced or canceled during the send stays so. The state is a parameter, because
// otherwise SQLite would scan the index of all pending events instead of looking up the IDs.
const stillWaiting: EventState = 'waiting';

async function closeDelivered(
  trx: Transaction<Tables>,
  engine: Engine,
  records: readonly AttemptRecord[],
): Promise<string[]> {
  const ids = records.filter(({ outcome }) => outcome === 'delivered').map(({ event }) => event.id);
  if (ids.length === 0) return [];
  const rows = await trx
    .updateTable('events')
    .set((columns) => ({
      state: 'delivered',
      attempts: columns('attempts', '+', 1),
      next_attempt_at: null,
      is_resend: 0,
      held_until: 0,
      held_by: null,
    }))
    .where(isAmong(engine, 'id', ids))
    .where('state', '=', stillWaiting)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Updates failed and retried events, each with separate values. */
async function closeOthers(
  trx: Transaction<Tables>,
  engine: Engine,
  records: readonly AttemptRecord[],
): Promise<string[]> {
  const changes = records
    .filter(({ outcome }) => outcome !== 'delivered')
    .map(({ event, outcome, nextAttemptAt }) => ({
      id: event.id,
      state: (outcome === 'waiting' ? 'waiting' : 'failed') satisfies EventState,
      attempts: event.attempts + 1,
      at: nextAttemptAt ?? null,
    }));
  if (changes.length === 0) return [];
  const json = JSON.stringify(changes);
  const given =
    engine === 'sqlite'
      ? sql`(select value ->> 'id' as id, value ->> 'state' as state, value ->> 'attempts' as attempts, value ->> 'at' as at
             from json_each(${json}))`
      : sql`json_to_recordset(${json}::json) as given(id text, state text, attempts integer, at bigint)`;
  const source = engine === 'sqlite' ? sql`${given} as given` : given;
  const { rows } = await sql<{ id: string }>`
    update events
    set state = given.state, attempts = given.attempts, next_attempt_at = given.at,
      is_resend = 0, held_until = 0, held_by = null
    from ${source}
    where events.id = given.id and events.state = ${stillWaiting}
    returning events.id
  `.execute(trx);
  return rows.map(({ id }) => id);
}

/** Deletes log rows of events that do not exist anymore, because the deletion promises to leave nothing. */
async function dropDeleted(trx: Transaction<Tables>, engine: Engine, ids: readonly string[]): Promise<void> {
  const kept = await trx
    .selectFrom('events')
    .select('id')
    .where(isAmong(engine, 'id', ids))
    .execute();
  const known = new Set(kept.map(({ id }) => id));
  const gone = ids.filter((id) => !known.has(id));
  await trx
    .deleteFrom('deliveries')
    .where(isAmong(engine, 'event_id', gone))
    .execute();
}
