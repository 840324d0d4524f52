// The record of events for 30 days (docs/delivery.md S11): why each fired, its attempts, and how it ended. Read only; the rows are
// those that delivery writes.
import { type Kysely, sql } from 'kysely';
import { formatTimestamp } from '@rainbell/shared';
import type { EventPage, EventRecord, EventState, Outcome } from '@rainbell/contract/service-api';
import { isAmong } from '../../database/id-list.ts';
import type { Database } from '../../database/open-database.ts';
import type { Tables } from '../../database/tables.ts';
import { evidenceHeaders, rateOf, readBasis } from '../delivery/event-basis.ts';
import { callbackHeaders } from '../delivery/send-callback.ts';
import { eventPrefix, firstIdAt } from '../delivery/tables.ts';

export type EventFilter = {
  id?: string | undefined;
  /** Undefined: of all, for the operator. */
  applicationId?: string | undefined;
  monitor?: string | undefined;
  /** Epoch milliseconds; `to` is exclusive. */
  from?: number | undefined;
  to?: number | undefined;
  state?: readonly EventState[] | undefined;
  /** Name, or name:port, of the callback URL. */
  host?: string | undefined;
  /** Only some of these (fronts.ts). */
  ids?: readonly string[] | undefined;
  /** The `next` of the previous page. */
  before?: number | undefined;
  limit: number;
};

export type EventRecords = ReturnType<typeof createEventRecords>;

/** A page looks through this many events at most, so that a rare host doesn't block the database. */
const maxScanned = 20_000;
const maxAttempts = 100;
/** Clocks of processes differ, so positions are in the order of time only about. */
export const slackMs = 3_600_000;
/** The highest time of an ID. */
const lastInstant = 0xffff_ffff_ffff;

export function createEventRecords(
  { db, engine }: Pick<Database, 'db' | 'engine'>,
  outcomesOf: (eventIds: readonly string[]) => Promise<ReadonlyMap<string, Outcome>>,
) {
  return {
    /** The newest event of a monitor, except tests; or this event of it. */
    async newestOf(monitorId: string, eventId?: string): Promise<EventRecord | undefined> {
      const found = await withQueue(db.selectFrom('events'))
        .where('monitor_id', '=', monitorId)
        .$if(eventId !== undefined, (query) => query.where('events.id', '=', eventId ?? ''))
        .where('events.id', '>=', eventPrefix)
        .where('events.id', '<', firstIdAt(eventPrefix, lastInstant))
        .orderBy('events.id', 'desc')
        .limit(1)
        .executeTakeFirst();
      if (!found) return undefined;
      return toRecord(found, (await attemptsOf(db, engine, [found.id])).get(found.id) ?? [], null);
    },

    /** Newest first. */
    async page(filter: EventFilter): Promise<EventPage> {
      const reach = await reachOf(db, filter);
      const rows = await matching(db, engine, filter, reach).execute();
      const shown = rows.slice(0, filter.limit);
      const ids = shown.map(({ id }) => id);
      const [attempts, outcomes] = await Promise.all([attemptsOf(db, engine, ids), outcomesOf(ids)]);
      const next = rows.length > filter.limit ? shown.at(-1)?.feed_position : reach.scannedTo;
      return {
        objects: shown.map((row) => toRecord(row, attempts.get(row.id) ?? [], outcomes.get(row.id) ?? null)),
        meta: { next: next === undefined ? null : String(next) },
      };
    },
  };
}

type Reach = { after: number; before: number | undefined; scannedTo: number | undefined };

function inScope(db: Kysely<Tables>, { id, applicationId, monitor }: EventFilter) {
  return (
    db
      .selectFrom('events')
      // As an expression, so that no engine searches an application's events for those of one monitor.
      .$if(applicationId !== undefined, (query) =>
        monitor === undefined
          ? query.where('events.application_id', '=', applicationId ?? '')
          : query.where(sql`events.application_id || ''`, '=', applicationId ?? ''),
      )
      .$if(monitor !== undefined, (query) => query.where('monitor_id', '=', monitor ?? ''))
      .$if(id !== undefined, (query) => query.where('events.id', '=', id ?? ''))
  );
}

/** Turns times into positions, because the events of an application are found by these. */
async function reachOf(db: Kysely<Tables>, filter: EventFilter): Promise<Reach> {
  const { from, to, before, ids } = filter;
  if (ids) return { after: 0, before, scannedTo: undefined };
  const earliest = from === undefined ? undefined : await positionAt(db, '<', from - slackMs);
  const latest = to === undefined ? undefined : await positionAt(db, '>=', to + slackMs);
  const ends = [before, latest].filter((end) => end !== undefined);
  const reach = { after: earliest ?? 0, before: ends.length === 0 ? undefined : Math.min(...ends) };
  const last = await within(inScope(db, filter), reach)
    .select('feed_position')
    .orderBy('feed_position', 'desc')
    .offset(maxScanned)
    .limit(1)
    .executeTakeFirst();
  return { ...reach, scannedTo: last && Number(last.feed_position) };
}

/** Returns the position of the last event before an instant, or of the first one from then on. */
export async function positionAt(db: Kysely<Tables>, side: '<' | '>=', at: number): Promise<number | undefined> {
  const found = await db
    .selectFrom('events')
    .select('feed_position')
    .where('id', side, firstIdAt(eventPrefix, at))
    .where('id', '>=', eventPrefix)
    .where('id', '<', firstIdAt(eventPrefix, lastInstant))
    .orderBy('id', side === '<' ? 'desc' : 'asc')
    .limit(1)
    .executeTakeFirst();
  return found && Number(found.feed_position);
}

function within(query: ReturnType<typeof inScope>, { after, before }: Pick<Reach, 'after' | 'before'>) {
  return query
    .$if(after > 0, (some) => some.where('feed_position', '>', after))
    .$if(before !== undefined, (some) => some.where('feed_position', '<', before ?? 0));
}

const stateOfEvent = sql<EventState>`case when waiting_events.event_id is not null then 'waiting'
  else coalesce(replace(undelivered, '-', '_'), 'delivered') end`;

function withQueue(query: ReturnType<typeof inScope>) {
  return query
    .leftJoin('waiting_events', 'waiting_events.event_id', 'events.id')
    .select(['events.id', 'monitor_id', 'kind', 'occurred_at', 'triggered_by', 'callback_uri', 'body'])
    .select(['feed_position', stateOfEvent.as('state')]);
}

function matching(db: Kysely<Tables>, engine: Database['engine'], filter: EventFilter, reach: Reach) {
  const { from, to, state, host, ids, limit } = filter;
  const scope = within(inScope(db, filter), { ...reach, after: Math.max(reach.after, (reach.scannedTo ?? 0) - 1) });
  return (
    withQueue(scope)
      .$if(from !== undefined, (query) => query.where('occurred_at', '>=', from ?? 0))
      .$if(to !== undefined, (query) => query.where('occurred_at', '<', to ?? 0))
      .$if(ids !== undefined, (query) => query.where(isAmong(engine, 'events.id', ids ?? [])))
      .$if(host !== undefined, (query) => query.where(isOfHost(host ?? '')))
      .$if(state !== undefined, (query) => query.where(stateOfEvent, 'in', state ?? []))
      // A small index has them.
      .$if(state?.every((one) => one !== 'waiting' && one !== 'delivered') === true, (query) =>
        query.where('undelivered', 'is not', null),
      )
      .orderBy('feed_position', 'desc')
      .limit(limit + 1)
  );
}

function isOfHost(host: string) {
  const starts = ['http://', 'https://'].flatMap((scheme) =>
    ['/', '?', ':'].map((end) => scheme + host.toLowerCase() + end),
  );
  // A URL may end with its host.
  const matches = starts.map(
    (start) => sql`substr(lower(callback_uri) || '/', 1, ${sql.lit(start.length)}) = ${start}`,
  );
  return sql<boolean>`(${sql.join(matches, sql` or `)})`;
}

type EventRow = Awaited<ReturnType<ReturnType<typeof matching>['execute']>>[number];
type AttemptRow = Tables['attempts'];

async function attemptsOf(
  db: Kysely<Tables>,
  engine: Database['engine'],
  ids: readonly string[],
): Promise<Map<string, AttemptRow[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('attempts')
    .selectAll()
    .where(isAmong(engine, 'event_id', ids))
    .orderBy('started_at')
    .orderBy('attempt')
    .execute();
  return Map.groupBy(rows, ({ event_id }) => event_id);
}

function toRecord(event: EventRow, attempts: readonly AttemptRow[], outcome: Outcome | null): EventRecord {
  const basis = readBasis(event.triggered_by);
  const { source, place, km } = basis;
  const { kind } = event;
  return {
    id: event.id,
    monitor_id: event.monitor_id,
    type: kind === 'precipitation' || kind === 'test' ? kind : `precipitation.${kind}`,
    occurred_at: formatTimestamp(Number(event.occurred_at)),
    state: event.state,
    callback_uri: event.callback_uri,
    host: new URL(event.callback_uri).host,
    episode_id: basis.episode ?? null,
    trigger:
      source === undefined
        ? null
        : {
            source,
            basis: basis.basis ?? (basis.isObserved ? 'station' : null),
            updated_at: formatTimestamp(basis.at ?? 0),
            precipitation_rate: rateOf(basis) ?? null,
            precipitation_type: basis.kind ?? 'unknown',
            distance_km: km ?? null,
            coordinates: place ? [place.lng, place.lat] : null,
          },
    attempts: attempts.slice(-maxAttempts).map((attempt) => ({
      attempt: attempt.attempt,
      kind: attempt.kind,
      started_at: formatTimestamp(Number(attempt.started_at)),
      latency_ms: attempt.latency_ms,
      request: requestOf(event, attempt),
      http_status: attempt.http_status,
      error: attempt.error,
      answer: attempt.answer,
    })),
    outcome,
  };
}

/** What was sent, without secrets. An event that was edited later keeps what its earlier attempts sent. */
function requestOf(
  event: EventRow,
  { request, started_at: at, error }: AttemptRow,
): EventRecord['attempts'][number]['request'] {
  if (error === 'host-silent') return null;
  const sent = request === null ? event : (JSON.parse(request) as Pick<EventRow, 'callback_uri' | 'body'>);
  const { 'webhook-signature': _, ...headers } = callbackHeaders({
    'webhook-id': event.id,
    'webhook-timestamp': String(Math.floor(Number(at) / 1000)),
    'webhook-signature': '',
    ...evidenceHeaders(event.triggered_by),
  });
  return { url: sent.callback_uri, headers, body: sent.body };
}

/** The event of this monitor that waits to be sent, if there is one: a test event is none. */
export function waitingEventOf(db: Kysely<Tables>, monitorId: string, now: number) {
  return (
    db
      .selectFrom('events')
      .innerJoin('waiting_events', 'waiting_events.event_id', 'events.id')
      .select(['event_id', 'occurred_at', 'attempts', 'due_at', 'is_resend'])
      .where('monitor_id', '=', monitorId)
      .where('kind', '!=', 'test')
      // One that waits for longer has failed, and is marked so within half a minute.
      .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
      .orderBy('due_at')
      .limit(1)
      .executeTakeFirst()
  );
}
