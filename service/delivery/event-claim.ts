// The hourly gate (docs/interface.md §6, docs/delivery.md S1). One UPDATE decides which monitors may have an event and
// closes their gates for an hour; the outbox rows are written in the same transaction, so a claimed event is never lost
// and never claimed twice.
import { expressionBuilder, type Insertable, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import { jumpMs } from '#shared/time/clock.ts';
import { eventIntervalSeconds } from '#contract/service-api/monitor.ts';
import { isAmong } from '../database/id-list.ts';
import type { Database } from '../database/open-database.ts';
import { retryOnDeadlock } from '../database/retry-on-deadlock.ts';
import { createRowInsert, type RowInsert } from '../database/row-insert.ts';
import type { Tables } from '../database/tables.ts';
import { monitorJson, type MonitorRow } from '../monitors/monitor-json.ts';
import { orderedIds } from './ordered-ids.ts';
import type { WaitingEvent } from './outbox.ts';
import { cancelPendingEvents, hostOf } from '#service/monitors/pending-events.ts';
import type { EventKind } from './tables.ts';

const intervalMs = eventIntervalSeconds * 1000;
/** More take further transactions, so that none holds its rows, or its events back, for long. */
const monitorsPerClaim = 2_000;

/**
 * The first `room` events of a claim are held for the process that claims, so it need not take them from the outbox.
 * `until`: an expression of the lease clock.
 */
export type Holder = { name: string; room: number; until: RawBuilder<number> };

export type EventClaim = {
  /** How many monitors got an event, and the events that are held. */
  count: number;
  held: WaitingEvent[];
};

export type EventClaims = {
  /**
   * Claims an event at `now` for every monitor of these cells whose gate is open. Two events of a monitor are an hour apart
   * by their timestamps too, even if the clock was ahead for a while and its gate was pulled in since.
   */
  claim(cells: readonly string[], now: number, holder?: Holder): Promise<EventClaim>;
  /** A gate that is shut for more than an hour was shut by a clock that has been set back since: it opens an hour from `now`. */
  pullGatesIn(now: number): Promise<void>;
};

export function createEventClaims({ db, engine }: Pick<Database, 'db' | 'engine'>): EventClaims {
  const insertEvents = createEventInsert();

  async function claimInTransaction(
    trx: Transaction<Tables>,
    cells: readonly string[],
    now: number,
    holder: Holder | undefined,
  ): Promise<EventClaim> {
    const open = trx
      .selectFrom('monitors')
      .select('id')
      .where(isAmong(engine, 'cell', cells))
      .where('gate_opens_at', '<=', now)
      .where((where) =>
        where.or([where('latest_event_at', '<=', now - intervalMs), where.not(where.exists(firstAttemptsAround(now)))]),
      )
      .where('off_since', 'is', null)
      .limit(monitorsPerClaim)
      // In one order for all processes, so that two claims of the same cells wait for each other instead of deadlocking.
      .$if(engine === 'postgres', (query) => query.orderBy('id').forUpdate());
    const monitors = await trx
      .updateTable('monitors')
      .set((columns) => ({
        gate_opens_at: now + intervalMs,
        latest_event_at: columns
          .case()
          .when('latest_event_at', '>', now)
          .then(columns.ref('latest_event_at'))
          .else(now)
          .end(),
      }))
      .where('id', 'in', open)
      .returningAll()
      .execute();
    if (monitors.length === 0) return { count: 0, held: [] };
    const ids = monitors.map((monitor) => monitor.id);
    await cancelPendingEvents(trx, isAmong(engine, 'monitor_id', ids), 'precipitation');
    const rows = eventRows(monitors, 'precipitation', now);
    const held = rows.slice(0, holder?.room ?? 0);
    if (holder && held.length > 0) {
      // Read last, so that a hold does not run out before the commit of a claim that had to wait for others.
      const { until } = await trx.selectNoFrom(holder.until.as('until')).executeTakeFirstOrThrow();
      for (const event of held) Object.assign(event, { held_until: Number(until), held_by: holder.name });
    }
    await insertEvents(trx, rows);
    return { count: rows.length, held };
  }

  return {
    async claim(cells, now, holder) {
      const claimed: EventClaim = { count: 0, held: [] };
      if (cells.length === 0) return claimed;
      for (;;) {
        const left = holder && { ...holder, room: holder.room - claimed.held.length };
        const part = await retryOnDeadlock(() =>
          db.transaction().execute((trx) => claimInTransaction(trx, cells, now, left)),
        );
        claimed.count += part.count;
        claimed.held.push(...part.held);
        // Fewer than the limit may only mean that another process was at some of them.
        if (part.count === 0) return claimed;
      }
    },
    async pullGatesIn(now) {
      await db
        .updateTable('monitors')
        .set({ gate_opens_at: now + intervalMs })
        .where('gate_opens_at', '>', now + intervalMs + jumpMs)
        .execute();
    },
  };
}

/** First attempts to a monitor within an hour before or after, which there can be if the clock was ahead for a while. */
function firstAttemptsAround(now: number) {
  return expressionBuilder<Tables, 'monitors'>()
    .selectFrom('deliveries')
    .select('deliveries.id')
    .whereRef('deliveries.monitor_id', '=', 'monitors.id')
    .where('deliveries.kind', '=', 'first')
    .where('deliveries.started_at', '>', now - intervalMs)
    .where('deliveries.started_at', '<', now + intervalMs);
}

/**
 * "Send test event" (docs/delivery.md S15): the same way through the outbox, with an id that says so, and the gate
 * untouched.
 */
export async function addTestEvent(db: Kysely<Tables>, monitor: MonitorRow, now: number): Promise<string> {
  const [event] = eventRows([monitor], 'test', now);
  if (!event) throw new Error('There is no event.');
  await db.insertInto('events').values(event).execute();
  return event.id;
}

function createEventInsert(): RowInsert<Insertable<Tables['events']>> {
  return createRowInsert('events', [
    'id',
    'monitor_id',
    'application_id',
    'kind',
    'occurred_at',
    'callback_uri',
    'host',
    'body',
    'state',
    'attempts',
    'next_attempt_at',
    'is_resend',
    'held_until',
    'held_by',
  ]);
}

function eventRows(monitors: readonly MonitorRow[], kind: EventKind, now: number): WaitingEvent[] {
  const ids = orderedIds(kind === 'test' ? 'test_' : 'evt_', now, monitors.length);
  return monitors.map((monitor, index) => ({
    id: ids[index] ?? '',
    monitor_id: monitor.id,
    application_id: monitor.application_id,
    kind,
    occurred_at: now,
    callback_uri: monitor.callback_uri,
    host: hostOf(monitor.callback_uri),
    body: monitorJson(monitor),
    state: 'waiting',
    attempts: 0,
    next_attempt_at: now,
    is_resend: 0,
    held_until: 0,
    held_by: null,
  }));
}
