// The order of an application's feed. A reader continues after the last position it read, so no event may become visible before one
// already read. SQLite has one writer at a time, so its transaction numbers its events. PostgreSQL commits in any order, so events
// have their transaction's number, and are readable once every earlier transaction has ended: a long one delays the feed but loses
// nothing.
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Database } from '#service/database/open-database.ts';
import type { Tables } from '#service/database/tables.ts';

type Engine = Database['engine'];

/**
 * Returns the first of `count` positions for events that this transaction inserts. Undefined on PostgreSQL, where the column's
 * default is the number of the transaction.
 */
export async function takeFeedPositions(
  trx: Transaction<Tables>,
  engine: Engine,
  count: number,
): Promise<number | undefined> {
  if (engine === 'postgres') return undefined;
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

/** For a statement: it may read only events with lower positions. Undefined on SQLite, where it may read all. */
export function feedHorizon(engine: Engine): RawBuilder<number> | undefined {
  return engine === 'postgres' ? sql<number>`pg_snapshot_xmin(pg_current_snapshot())::text::bigint` : undefined;
}
