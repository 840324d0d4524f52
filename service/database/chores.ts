// Work that one process does for all that share a database, such as deleting old rows: the first to claim it in its hour. It takes
// no lock; if it dies, the next hour repeats the work.
import type { Clock } from '@rainbell/shared';
import { bigint, type RowsOf, table, text } from './table.ts';
import type { Db } from './tables.ts';

export const choreTables = {
  /** When each chore was last claimed, by the service's clock. */
  chores: table({ name: text('PRIMARY KEY'), taken_at: bigint() }),
};

declare module './tables.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only interfaces merge
  interface Tables extends RowsOf<typeof choreTables> {}
}

/** Slightly less than the hour of housekeeping.ts, so that the process that ran it last does not skip its next turn. */
const defaultMinMs = 55 * 60_000;

export type Chore = {
  db: Db;
  clock: Clock;
  name: string;
  /** Minimum time between two runs; most of an hour if absent. */
  minMs?: number;
  /** Asked before the claim, which writes: a service at rest writes nothing. */
  isDue?: (since: number) => Promise<boolean>;
  /** `since`: the previous run; 0 for the first. */
  work: (since: number) => Promise<unknown>;
};

export async function doChore({ db, clock, name, minMs = defaultMinMs, isDue, work }: Chore): Promise<void> {
  const now = clock.now();
  const last = await db.selectFrom('chores').select('taken_at').where('name', '=', name).executeTakeFirst();
  const since = last?.taken_at ?? 0;
  // A claim in the future was made by a wrong clock.
  if (since > now - minMs && since <= now + minMs) return;
  if (isDue && !(await isDue(since))) return;
  const { numInsertedOrUpdatedRows: taken } = await db
    .insertInto('chores')
    .values({ name, taken_at: now })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ taken_at: now }).where('chores.taken_at', '=', since),
    )
    .executeTakeFirstOrThrow();
  if (taken === 1n) await work(Math.min(since, now));
}
