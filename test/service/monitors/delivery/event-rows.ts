// Events as tests write and read them: one row each, with what waits and how it ended.
import { type Insertable, type Kysely, sql } from 'kysely';
import type { Tables } from '#service/database/tables.ts';

type Written = Insertable<Tables['events']> & Omit<Insertable<Tables['waiting_events']>, 'event_id'>;
/** `delivered`, or why it was not. */
export type EventState = 'waiting' | 'delivered' | 'failed' | 'expired' | 'deleted' | 'feed-only';
export type EventChanges = Partial<Written> & { state?: EventState };

export const rowHostOf = (uri: string) => new URL(uri).origin;

/** Writes an event of monitor m1, which waits unless its state says otherwise. */
export async function insertEvent(
  db: Kysely<Tables>,
  id: string,
  now: number,
  { state = 'waiting', ...changes }: EventChanges = {},
): Promise<void> {
  const callback_uri = changes.callback_uri ?? 'https://hooks.example/rain';
  const row = {
    id,
    monitor_id: 'm1',
    application_id: 'a',
    kind: 'precipitation' as const,
    occurred_at: now,
    triggered_by: null,
    callback_uri,
    body: '{}',
    feed_position: 0,
    undelivered: state === 'waiting' || state === 'delivered' ? null : state,
    host: rowHostOf(callback_uri),
    is_guarded: 0,
    is_resend: 0,
    attempts: 0,
    due_at: now,
    expires_at: (changes.occurred_at ?? now) + 3_600_000,
    held_until: 0,
    held_by: null,
    ...(changes.kind === 'test' || changes.is_resend === 1 ? { expires_at: null } : {}),
    ...changes,
  };
  const { host, is_guarded, is_resend, attempts, due_at, expires_at, held_until, held_by, ...event } = row;
  await db.insertInto('events').values(event).execute();
  const line = { host, is_guarded, is_resend, attempts, due_at, expires_at, held_until, held_by };
  if (state === 'waiting') {
    await db
      .insertInto('waiting_events')
      .values({ event_id: id, application_id: row.application_id, ...line })
      .execute();
  }
}

/** `attempts`: of an event that ended, those in the log. */
export function selectEvents(db: Kysely<Tables>) {
  return db
    .selectFrom('events')
    .leftJoin('waiting_events', 'waiting_events.event_id', 'events.id')
    .selectAll('events')
    .select(['host', 'is_guarded', 'is_resend', 'due_at', 'expires_at', 'held_until', 'held_by'])
    .select([
      sql<EventState>`case when event_id is null then coalesce(undelivered, 'delivered') else 'waiting' end`.as(
        'state',
      ),
      sql<number>`coalesce(attempts, (select count(*) from attempts where attempts.event_id = events.id))`.as(
        'attempts',
      ),
      sql<string>`coalesce((select account_id from applications where id = events.application_id), events.application_id)`.as(
        'account_id',
      ),
    ]);
}
