// The cool-down (docs/interface.md §6, docs/delivery.md S1). One UPDATE decides which monitors get an event and starts their
// cool-down of an hour; the outbox rows are written in the same transaction, so a claimed event is never lost and never claimed
// twice.
import { expressionBuilder, type Insertable, type RawBuilder, type Transaction } from 'kysely';
import { jumpMs } from '@rainbell/shared';
import { eventIntervalSeconds } from '@rainbell/contract/service-api';
import { isAmong } from '../../database/id-list.ts';
import type { Database } from '../../database/open-database.ts';
import { retryOnDeadlock } from '../../database/retry-on-deadlock.ts';
import { createRowInsert, type RowInsert } from '../../database/row-insert.ts';
import type { Tables } from '../../database/tables.ts';
import type { MonitorRow } from '../../monitors/monitor-json.ts';
import { disabledReason } from '../../accounts/pause-monitors.ts';
import { takeFeedPositions } from '../schema/feed-positions.ts';
import { readsFeed } from '../schema/feed-readers.ts';
import { eventPrefixes, orderedIds } from '../schema/ordered-ids.ts';
import { countUnsent } from './endpoint-health.ts';
import type { EventKind, WaitingEvent } from '../schema/tables.ts';
import { cancelPendingEvents, requestOf } from '../../monitors/pending-events.ts';

const intervalMs = eventIntervalSeconds * 1000;
/** Larger claims use several transactions, so that none locks its rows or delays its events for long. */
const monitorsPerClaim = 2_000;

/** By cell: the basis of its events (service/weather/reading/reading.ts), stored as JSON. */
export type Triggers = ReadonlyMap<string, object>;

/**
 * The first `room` events of a claim are leased to the claiming process, so it doesn't have to take them from the outbox. `until`: an
 * expression of the lease clock.
 */
export type Holder = { name: string; room: number; until: RawBuilder<number> };

export type EventClaim = {
  /** How many monitors got an event, and the leased events. */
  count: number;
  held: WaitingEvent[];
};

export type EventClaims = {
  /**
   * Claims an event at `now` for every monitor of these cells that is not in cool-down. Two events of a monitor are an hour apart
   * by their timestamps too, even if the clock was temporarily ahead and its cool-down was shortened. `onHeld` gets the leased
   * events of each transaction when it commits, because the leases of the first may end before the last one commits.
   */
  claim(
    cells: readonly string[],
    now: number,
    holder?: Holder,
    triggers?: Triggers,
    onHeld?: (events: readonly WaitingEvent[]) => void,
  ): Promise<EventClaim>;
  /** Ends cool-downs longer than an hour, caused by a clock that was set back since, an hour from `now`. */
  pullGatesIn(now: number): Promise<void>;
};

export function createEventClaims({ db, engine }: Pick<Database, 'db' | 'engine'>): EventClaims {
  const insertEvents = createEventInsert(engine);

  async function claimInTransaction(
    trx: Transaction<Tables>,
    cells: readonly string[],
    now: number,
    holder: Holder | undefined,
    triggers: Triggers | undefined,
  ): Promise<EventClaim> {
    const open = trx
      .selectFrom('monitors')
      .select('id')
      .where(isAmong(engine, 'cell', cells))
      .where('gate_opens_at', '<=', now)
      .where((where) =>
        where.or([where('latest_event_at', '<=', now - intervalMs), where.not(where.exists(firstAttemptsAround(now)))]),
      )
      .where((where) =>
        // With delivery off, events still go to the feed, except if the operator disabled the application.
        where.or([
          where('off_since', 'is', null),
          where.and([where('off_reason', '!=', disabledReason), where.exists(readsFeed(now))]),
        ]),
      )
      .limit(monitorsPerClaim)
      // In the same order in all processes, so that two claims of the same cells wait instead of deadlocking.
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
    const replaced = await cancelPendingEvents(trx, isAmong(engine, 'monitor_id', ids), 'precipitation');
    await countUnsent(trx, engine, replaced, now);
    const rows = eventRows(monitors, 'precipitation', now, triggers);
    const held = rows.filter(({ state }) => state === 'waiting').slice(0, holder?.room ?? 0);
    if (holder && held.length > 0) {
      // Read last, so that a lease does not expire before the commit of a claim that waited for others.
      const { until } = await trx.selectNoFrom(holder.until.as('until')).executeTakeFirstOrThrow();
      for (const event of held) Object.assign(event, { held_until: Number(until), held_by: holder.name });
    }
    await giveFeedPositions(trx, engine, rows);
    await insertEvents(trx, rows);
    return { count: rows.length, held };
  }

  return {
    async claim(cells, now, holder, triggers, onHeld) {
      const claimed: EventClaim = { count: 0, held: [] };
      if (cells.length === 0) return claimed;
      for (;;) {
        const left = holder && { ...holder, room: holder.room - claimed.held.length };
        const part = await retryOnDeadlock(() =>
          db.transaction().execute((trx) => claimInTransaction(trx, cells, now, left, triggers)),
        );
        claimed.count += part.count;
        claimed.held.push(...part.held);
        onHeld?.(part.held);
        // Fewer than the limit may only mean that another process locked some.
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

/** Selects first attempts to a monitor within an hour before or after, which exist if the clock was temporarily ahead. */
function firstAttemptsAround(now: number) {
  return expressionBuilder<Tables, 'monitors'>()
    .selectFrom('deliveries')
    .select('deliveries.id')
    .whereRef('deliveries.monitor_id', '=', 'monitors.id')
    .where('deliveries.kind', '=', 'first')
    .where('deliveries.started_at', '>', now - intervalMs)
    .where('deliveries.started_at', '<', now + intervalMs);
}

/** Adds a test event (docs/delivery.md S15): uses the outbox, has a test ID, and ignores the cool-down. */
export async function addTestEvent(
  { db, engine }: Pick<Database, 'db' | 'engine'>,
  monitor: MonitorRow,
  now: number,
): Promise<string> {
  const rows = eventRows([monitor], 'test', now);
  await db.transaction().execute(async (trx) => {
    await giveFeedPositions(trx, engine, rows);
    await createEventInsert(engine)(trx, rows);
  });
  return rows[0]?.id ?? '';
}

async function giveFeedPositions(
  trx: Transaction<Tables>,
  engine: Database['engine'],
  rows: readonly WaitingEvent[],
): Promise<void> {
  const first = await takeFeedPositions(trx, engine, rows.length);
  for (const [index, row] of rows.entries()) row.feed_position = engine === 'postgres' ? first : first + index;
}

function createEventInsert(engine: Database['engine']): RowInsert<Insertable<Tables['events']>> {
  return createRowInsert(engine, 'events', {
    id: 'text',
    monitor_id: 'text',
    application_id: 'text',
    kind: 'text',
    occurred_at: 'bigint',
    callback_uri: 'text',
    is_guarded: 'integer',
    host: 'text',
    body: 'text',
    state: 'text',
    attempts: 'integer',
    next_attempt_at: 'bigint',
    is_resend: 'integer',
    held_until: 'bigint',
    held_by: 'text',
    feed_position: 'bigint',
    triggered_by: 'text',
  });
}

function eventRows(
  monitors: readonly MonitorRow[],
  kind: EventKind,
  now: number,
  triggers: Triggers = new Map(),
): WaitingEvent[] {
  // Many monitors share a cell, so its text is built once.
  const texts = new Map([...triggers].map(([cell, trigger]) => [cell, JSON.stringify(trigger)]));
  const ids = orderedIds(eventPrefixes[kind], now, monitors.length);
  return monitors.map((monitor, index) => ({
    id: ids[index] ?? '',
    monitor_id: monitor.id,
    application_id: monitor.application_id,
    kind,
    occurred_at: now,
    ...requestOf(monitor),
    ...(isSent(monitor, kind)
      ? ({ state: 'waiting', next_attempt_at: now } as const)
      : ({ state: 'feed-only', next_attempt_at: null } as const)),
    attempts: 0,
    is_resend: 0,
    held_until: 0,
    held_by: null,
    feed_position: null,
    triggered_by: texts.get(monitor.cell) ?? null,
  }));
}

/** A test event is also sent while delivery is off, to check whether the callback works again. */
function isSent(monitor: MonitorRow, kind: EventKind): boolean {
  return monitor.off_since === null || kind === 'test';
}
