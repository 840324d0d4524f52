// How many monitors an application has: what its plan's limit is held against, and what its page of usage shows.
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';

export async function countMonitors(db: Kysely<Tables>, applicationId: string): Promise<number> {
  const { count } = await db
    .selectFrom('monitors')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('application_id', '=', applicationId)
    .executeTakeFirstOrThrow();
  return Number(count);
}
