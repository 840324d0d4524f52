// The order of an application's feed. A reader continues after the last position it read, so no event may become visible before one
// already read. SQLite has one writer at a time, so its transaction numbers its events. PostgreSQL commits in any order, so events
// have their transaction's number plus an offset, and are readable once every earlier transaction has ended: a long one delays the
// feed but loses nothing.
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { Database } from '../../database/open-database.ts';
import type { Tables } from '../../database/tables.ts';

type Engine = Database['engine'];

/** PostgreSQL: what is added to the numbers of the server's transactions. */
const offset = sql`coalesce((select last_position from feed_positions where name = 'events'), 0)`;

/** Returns the first of `count` positions for events that this transaction inserts; on PostgreSQL, the position of them all. */
export async function takeFeedPositions(trx: Transaction<Tables>, engine: Engine, count: number): Promise<number> {
  if (engine === 'postgres') {
    const position = sql<number>`${offset} + pg_current_xact_id()::text::bigint`;
    return (await trx.selectNoFrom(position.as('position')).executeTakeFirstOrThrow()).position;
  }
  const { last_position: last } = await trx
    .insertInto('feed_positions')
    .values({ name: 'events', last_position: count })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet((row) => ({ last_position: row('feed_positions.last_position', '+', count) })),
    )
    .returning('last_position')
    .executeTakeFirstOrThrow();
  return Number(last) - count + 1;
}

/** For a statement: it may read only events with lower positions. Undefined on SQLite: it may read all. */
export function feedHorizon(engine: Engine): RawBuilder<number> | undefined {
  return engine === 'postgres'
    ? sql<number>`(${offset} + pg_snapshot_xmin(pg_current_snapshot())::text::bigint)`
    : undefined;
}

/**
 * Raises the offset on a PostgreSQL server that counts fewer transactions than the one whose dump was restored: otherwise the events
 * of the dump would stay hidden, and new ones would precede them.
 */
export async function continueFeedPositions(db: Kysely<Tables>): Promise<void> {
  // One index seek for each application.
  await sql`
    insert into feed_positions (name, last_position)
    select 'events', last - next + 1 from (
      select max(newest.feed_position) as last, pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next
      from applications cross join lateral (
        select feed_position from events where application_id = applications.id and feed_position is not null
        order by feed_position desc limit 1) as newest) as found
    where last >= ${offset} + next
    on conflict (name) do update set last_position = excluded.last_position`.execute(db);
}
