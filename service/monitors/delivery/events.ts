// Where events begin, and what changes them before they are sent: the claim of a sweep, test events, resends, and edits of their
// monitor. The cool-down (docs/interface.md §6, docs/delivery.md S1): one UPDATE decides which monitors get an event and starts their
// hour; the events are written in the same transaction, so a claimed event is never lost and never claimed twice.
import {
  type ExpressionBuilder,
  expressionBuilder,
  type RawBuilder,
  sql,
  type SqlBool,
  type Transaction,
} from 'kysely';
import { eventIntervalSeconds, pausedReason } from '@rainbell/contract/service-api';
import { takeNumbers } from '../../database/counters.ts';
import { isAmong } from '../../database/id-list.ts';
import { leaseEnd, leaseNow } from '../../database/lease-clock.ts';
import type { Database } from '../../database/open-database.ts';
import { retryOnDeadlock } from '../../database/retry-on-deadlock.ts';
import { createRowInsert } from '../../database/row-insert.ts';
import type { Db, Tables } from '../../database/tables.ts';
import { disabledReason } from '../../accounts/pause-monitors.ts';
import { monitorJson, type MonitorRow, placeOf } from '../monitor-json.ts';
import type { Trigger } from '../../weather/reading/reading.ts';
import { type EventBasis, storedBasis } from './event-basis.ts';
import {
  deliveryTables,
  type EpisodeEvent,
  type EventKind,
  eventPrefix,
  orderedIds,
  retentionMs,
  testPrefix,
  type WaitingEvent,
} from './tables.ts';

const intervalMs = eventIntervalSeconds * 1000;
/** How long, by the lease clock, until a process that does not renew its lease is considered dead. */
export const holdMs = 6_000;
/** Larger claims use several transactions, so that none locks its rows or delays its events for long. */
const monitorsPerClaim = 2_000;
/** An event of an episode is due so much later than the one before it: that is found by a poll of every 2 s, and ends within 15 s. */
const behindMs = 20_000;

type Engine = Pick<Database, 'db' | 'engine'>;

/** The basis of events, by cell, or by monitor if those of a cell differ. */
export type Triggers = ReadonlyMap<string, Partial<Trigger>>;

export type ClaimOptions = {
  /** Up to so many events are leased to this process, so that it doesn't have to take them from the outbox. */
  room?: number;
  /** Gets the leased events of each transaction when it commits: the leases of the first may end before the last one commits. */
  onHeld?: (events: readonly WaitingEvent[]) => void;
  triggers?: Triggers | undefined;
  only?: readonly string[] | undefined;
};

/** `holder`: the name of this process. */
export function createEventClaim({ db, engine }: Engine, holder: string) {
  const insertEvents = createEventInsert(engine);

  async function claimSome(
    trx: Transaction<Tables>,
    cells: readonly string[],
    now: number,
    { room = 0, triggers, only }: ClaimOptions,
  ) {
    const open = trx
      .selectFrom('monitors')
      .select('id')
      .where(isAmong(engine, 'cell', cells))
      .$if(only !== undefined, (query) => query.where(isAmong(engine, 'id', only ?? [])))
      .where('gate_opens_at', '<=', now)
      // The others get the events that they chose (sweep/episodes.ts).
      .where('rules', 'is', null)
      .where((where) =>
        where.or([where('latest_event_at', '<=', now - intervalMs), where.not(where.exists(firstAttemptsAround(now)))]),
      )
      .where(getsEvents(now))
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
      .returning(accountOfMonitor)
      .execute();
    const rows = eventRows(monitors, 'precipitation', now, triggers);
    const held = rows.filter(({ undelivered }) => undelivered === null).slice(0, room);
    await insertEvents(trx, rows, async () => {
      if (held.length === 0) return;
      // Read last, so that a lease does not expire before the commit of a claim that waited for others.
      const { until } = await trx
        .selectNoFrom(leaseEnd(leaseNow(engine), holdMs).as('until'))
        .executeTakeFirstOrThrow();
      for (const event of held) Object.assign(event, { held_until: Number(until), held_by: holder });
    });
    return { count: rows.length, held };
  }

  /**
   * Claims an event at `now` for every monitor of these cells that is not in cool-down, and returns how many. Two events of a monitor
   * are an hour apart by their timestamps too, even if the clock was temporarily ahead and its cool-down was shortened.
   */
  return async (cells: readonly string[], now: number, options: ClaimOptions = {}): Promise<number> => {
    let [total, room] = [0, options.room ?? 0];
    if (cells.length === 0) return 0;
    for (;;) {
      const { count, held } = await retryOnDeadlock(() =>
        db.transaction().execute((trx) => claimSome(trx, cells, now, { ...options, room })),
      );
      total += count;
      room -= held.length;
      options.onHeld?.(held);
      // Fewer than the limit may only mean that another process locked some.
      if (count === 0) return total;
    }
  };
}

export const accountOfMonitor = (select: ExpressionBuilder<Tables, 'monitors'>) =>
  select
    .selectFrom('applications')
    .select('account_id')
    .whereRef('applications.id', '=', 'monitors.application_id')
    .as('account_id');

/** Selects first attempts to a monitor within an hour before or after, which exist if the clock was temporarily ahead. */
function firstAttemptsAround(now: number) {
  return expressionBuilder<Tables, 'monitors'>()
    .selectFrom('events')
    .innerJoin('attempts', 'attempts.event_id', 'events.id')
    .select('attempts.event_id')
    .whereRef('events.monitor_id', '=', 'monitors.id')
    .where('attempts.kind', '=', 'first')
    .where('attempts.started_at', '>', now - intervalMs)
    .where('attempts.started_at', '<', now + intervalMs);
}

/** With delivery off, events still go to the feed, except if the owner paused the monitor or the operator disabled its application. */
export function getsEvents(now: number) {
  const where = expressionBuilder<Tables, 'monitors'>();
  return where.or([
    where('off_since', 'is', null),
    where.and([where('off_reason', 'not in', [disabledReason, pausedReason]), where.exists(readsFeed(now))]),
  ]);
}

/** The application read its feed recently enough for its cursor to be valid. */
function readsFeed(now: number) {
  return expressionBuilder<Tables, 'monitors'>()
    .selectFrom('applications')
    .select('applications.id')
    .whereRef('applications.id', '=', 'monitors.application_id')
    .where('feed_read_at', '>', now - retentionMs);
}

/** Adds a test event (docs/delivery.md S15): uses the outbox, has a test ID, and ignores the cool-down. Returns its ID. */
export async function addTestEvent(
  { db, engine }: Engine,
  monitor: MonitorRow,
  now: number,
  body?: string,
): Promise<string> {
  const rows = eventRows([monitor], 'test', now).map((row) => (body === undefined ? row : { ...row, body }));
  await db.transaction().execute((trx) => createEventInsert(engine)(trx, rows));
  return rows[0]?.id ?? '';
}

/** Lets an event wait for one more attempt, at its monitor's current URL. `busy`: it is waiting. */
export function resendEvent(
  { db }: Pick<Database, 'db'>,
  monitor: MonitorRow,
  eventId: string,
  now: number,
): Promise<'sent' | 'busy' | 'unknown'> {
  return db.transaction().execute(async (trx) => {
    const known = await trx
      .selectFrom('events')
      .select((select) => [
        'application_id',
        select
          .selectFrom('attempts')
          .select((attempt) => attempt.fn.max('attempt').as('last'))
          .where('event_id', '=', eventId)
          .as('attempts'),
      ])
      .where('id', '=', eventId)
      .where('monitor_id', '=', monitor.id)
      .executeTakeFirst();
    if (!known) return 'unknown';
    const added = await trx
      .insertInto('waiting_events')
      .values({
        event_id: eventId,
        application_id: known.application_id,
        ...lineOf(monitor),
        is_resend: 1,
        attempts: known.attempts ?? 0,
        due_at: now,
        expires_at: null,
        held_until: 0,
        held_by: null,
      })
      .onConflict((conflict) => conflict.column('event_id').doNothing())
      .executeTakeFirst();
    if (added.numInsertedOrUpdatedRows !== 1n) return 'busy';
    await setRequest(trx, eventId, monitor);
    return 'sent';
  });
}

/** Writes an event's request; the body of an episode's event stays as it was. */
async function setRequest(trx: Transaction<Tables>, eventId: string, monitor: Sent): Promise<void> {
  const sent = await trx
    .selectFrom('events')
    .select(['kind', 'callback_uri', 'body'])
    .where('id', '=', eventId)
    .executeTakeFirst();
  if (!sent) return;
  const { kind, ...request } = sent;
  await trx
    .updateTable('attempts')
    .set({ request: JSON.stringify(request) })
    .where('event_id', '=', eventId)
    .where('request', 'is', null)
    .execute();
  const isMonitor = kind === 'precipitation' || (kind === 'test' && monitor.rules === null);
  await trx
    .updateTable('events')
    .set({ callback_uri: monitor.callback_uri, ...(isMonitor && { body: monitorJson(monitor) }) })
    .where('id', '=', eventId)
    .execute();
}

export type RainEventToSend = { monitor: Firing; kind: EpisodeEvent; body: string; trigger: EventBasis };

/**
 * Writes events of episodes (docs/events.md). A start replaces an expectation that is still waiting, and the end of an expectation
 * that was never sent is not sent either. Otherwise a monitor's events wait for those before them.
 */
export async function addRainEvents(
  trx: Transaction<Tables>,
  engine: Database['engine'],
  events: readonly RainEventToSend[],
  now: number,
): Promise<void> {
  const rows: NewEvent[] = [];
  for (const { monitor, kind, body, trigger } of events) {
    const { dropped, freeAt } = await replaceExpected(trx, engine, monitor.id, kind);
    const isSent = kind !== 'canceled' || dropped === 0;
    const triggered_by = storedBasis(JSON.stringify(trigger), trigger, placeOf(monitor));
    for (const row of isSent ? eventRows([monitor], kind, now) : [])
      rows.push({ ...row, body, triggered_by, due_at: Math.max(now, freeAt) });
  }
  await createEventInsert(engine)(trx, rows);
}

/** `freeAt`: when the monitor's waiting events will have been tried again. */
async function replaceExpected(
  trx: Transaction<Tables>,
  engine: Database['engine'],
  monitorId: string,
  kind: EpisodeEvent,
) {
  const waiting = await trx
    .selectFrom('events')
    .innerJoin('waiting_events', 'waiting_events.event_id', 'events.id')
    .select(['events.id', 'kind', 'due_at', 'held_by'])
    .where('monitor_id', '=', monitorId)
    .where('is_resend', '=', 0)
    .where('kind', '!=', 'test')
    .execute();
  // One that a process holds may be on its way.
  const dropped =
    kind === 'expected' ? [] : waiting.filter((each) => each.kind === 'expected' && each.held_by === null);
  const ids = dropped.map(({ id }) => id);
  if (ids.length > 0) await endUnsent(trx, engine, isAmong(engine, 'event_id', ids), 'replaced');
  const rest = waiting.filter((each) => !dropped.includes(each));
  return { dropped: dropped.length, freeAt: Math.max(0, ...rest.map((each) => Number(each.due_at) + behindMs)) };
}

/** Moves the events of an episode that come after a failed one behind its next attempt. */
export async function postponeLater(
  trx: Transaction<Tables>,
  { id, monitor_id }: Pick<WaitingEvent, 'id' | 'monitor_id'>,
  nextAttemptAt: number,
): Promise<void> {
  const later = trx.selectFrom('events').select('id').where('monitor_id', '=', monitor_id).where('id', '>', id);
  await trx
    .updateTable('waiting_events')
    .set({ due_at: nextAttemptAt + behindMs })
    .where('event_id', 'in', later.where('kind', '!=', 'test'))
    .where('due_at', '<', nextAttemptAt + behindMs)
    .where('held_by', 'is', null)
    .execute();
}

type NewEvent = ReturnType<typeof eventRows>[number];

/** `beforeWrite`: called while no other claim can commit. */
function createEventInsert(engine: Database['engine']) {
  const insertWaiting = createRowInsert(engine, 'waiting_events', deliveryTables.waiting_events.columns);
  const insertEvents = createRowInsert(engine, 'events', deliveryTables.events.columns);
  return async (trx: Transaction<Tables>, rows: readonly NewEvent[], beforeWrite?: () => Promise<void>) => {
    if (rows.length === 0) return;
    const first = await takeFeedPositions(trx, rows.length);
    for (const [index, row] of rows.entries()) row.feed_position = first + index;
    await beforeWrite?.();
    const waiting = rows.filter(({ undelivered }) => undelivered === null);
    await insertWaiting(trx, waiting);
    await insertEvents(trx, rows);
  };
}

/**
 * Returns the first of `count` positions of the feed, in the order of commits: a reader continues after the last one it read, and none
 * may become visible before it. Called last, so that claims wait for each other only while they write.
 */
export const takeFeedPositions = (trx: Db, count: number) => takeNumbers(trx, 'feed', count);

type Firing = MonitorRow & { account_id?: string | null };

function eventRows(monitors: readonly Firing[], kind: EventKind, now: number, triggers: Triggers = new Map()) {
  // Many monitors share a cell, so its text is built once.
  const texts = new Map([...triggers].map(([key, trigger]) => [key, { trigger, text: JSON.stringify(trigger) }]));
  const basisOf = (monitor: Firing) => {
    const known = texts.get(monitor.id) ?? texts.get(monitor.cell);
    return known ? storedBasis(known.text, known.trigger, placeOf(monitor)) : null;
  };
  const ids = orderedIds(kind === 'test' ? testPrefix : eventPrefix, now, monitors.length);
  return monitors.map((monitor, index) => {
    const id = ids[index] ?? '';
    return {
      id,
      event_id: id,
      monitor_id: monitor.id,
      application_id: monitor.application_id,
      account_id: monitor.account_id ?? monitor.application_id,
      kind,
      occurred_at: now,
      triggered_by: basisOf(monitor),
      callback_uri: monitor.callback_uri,
      body: monitorJson(monitor),
      ...lineOf(monitor),
      feed_position: 0,
      // A test event is also sent while delivery is off, to check whether the callback works again.
      undelivered: monitor.off_since === null || kind === 'test' ? null : ('feed-only' as const),
      is_resend: 0,
      attempts: 0,
      due_at: now,
      expires_at: kind === 'test' ? null : now + intervalMs,
      held_until: 0,
      held_by: null,
    };
  });
}

/** Returns the queue key of a URL: scheme, name, and port, as written. */
export function hostOf(callbackUri: string): string {
  const end = callbackUri.slice(8).search(/[/?#]/);
  return (end === -1 ? callbackUri : callbackUri.slice(0, 8 + end)).toLowerCase();
}

type Sent = Parameters<typeof monitorJson>[0] & Pick<MonitorRow, 'callback_credentials'>;

function lineOf({ callback_uri, callback_credentials }: Sent) {
  return { is_guarded: callback_credentials === null ? 0 : 1, host: hostOf(callback_uri) };
}

export function isOfMonitor(monitorId: string) {
  return sql<SqlBool>`event_id in (select id from events where monitor_id = ${monitorId})`;
}

/** The monitor was edited: its waiting events are sent to its current URL. */
export async function updatePendingUrls(trx: Transaction<Tables>, monitor: Sent): Promise<void> {
  const waiting = await trx
    .updateTable('waiting_events')
    .set(lineOf(monitor))
    .where(isOfMonitor(monitor.id))
    .returning('event_id')
    .execute();
  for (const { event_id } of waiting) await setRequest(trx, event_id, monitor);
}

/**
 * Ends waiting events without another attempt. A resend changes nothing else, because its event ended before. Returns how many ended,
 * and the monitors of the others.
 */
export async function endUnsent(
  trx: Transaction<Tables>,
  engine: Database['engine'],
  which: RawBuilder<SqlBool>,
  undelivered: NonNullable<Tables['events']['undelivered']>,
): Promise<{ count: number; monitors: string[] }> {
  const waiting = await trx.deleteFrom('waiting_events').where(which).returning(['event_id', 'is_resend']).execute();
  const ids = waiting.flatMap(({ event_id, is_resend }) => (is_resend === 1 ? [] : [event_id]));
  if (ids.length === 0) return { count: waiting.length, monitors: [] };
  const ended = await trx
    .updateTable('events')
    .set({ undelivered })
    .where(isAmong(engine, 'id', ids))
    .returning('monitor_id')
    .execute();
  return { count: waiting.length, monitors: ended.map(({ monitor_id }) => monitor_id) };
}
