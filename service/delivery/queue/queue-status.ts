// State of the event queue and the watch of cells, for metrics and operators. Counts are bounded, so that reading stays cheap.
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import { pendingState } from '../../monitors/pending-events.ts';

const countedEvents = 100_000;

/** Returns how long the most overdue event has waited, and the number of pending ones, at most 100,000. */
export async function readQueue(db: Kysely<Tables>, now: number): Promise<{ oldestSeconds: number; waiting: number }> {
  const waiting = db.selectFrom('events').where('state', '=', pendingState);
  const { due } = await waiting
    .select((select) => select.fn.min('next_attempt_at').as('due'))
    .executeTakeFirstOrThrow();
  const { count } = await db
    .selectFrom(waiting.select('id').limit(countedEvents).as('waiting'))
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow();
  return { oldestSeconds: due === null ? 0 : Math.max(0, now - Number(due)) / 1000, waiting: Number(count) };
}

/** Returns the delay of the most overdue cell check, and the number of watched cells. */
export async function readSweep(db: Kysely<Tables>, now: number): Promise<{ lagSeconds: number; cells: number }> {
  const { due, cells } = await db
    .selectFrom('watch_cells')
    .select((select) => [select.fn.min('next_look_at').as('due'), sql<number>`count(*)`.as('cells')])
    .executeTakeFirstOrThrow();
  return { lagSeconds: due === null ? 0 : Math.max(0, now - Number(due)) / 1000, cells: Number(cells) };
}

/** The hosts with the most waiting events. */
export async function busiestHosts(db: Kysely<Tables>, limit: number): Promise<{ host: string; waiting: number }[]> {
  const rows = await db
    .selectFrom(
      db.selectFrom('events').select('host').where('state', '=', pendingState).limit(countedEvents).as('waiting'),
    )
    .select(['host', sql<number>`count(*)`.as('count')])
    .groupBy('host')
    .orderBy('count', 'desc')
    .orderBy('host')
    .limit(limit)
    .execute();
  return rows.map(({ host, count }) => ({ host, waiting: Number(count) }));
}
