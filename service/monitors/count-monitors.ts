// Counts an application's monitors, for its plan's limit and its usage page.
import type { Kysely } from 'kysely';
import { countLimited } from '../accounts/application-store.ts';
import type { Tables } from '../database/tables.ts';

export async function countMonitors(db: Kysely<Tables>, applicationId: string): Promise<number> {
  const { count } = await db
    .selectFrom('monitors')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('application_id', '=', applicationId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Counts the monitors of all of an account's applications, except those on the in-house plan, which has no limit. */
export async function countAccountMonitors(db: Kysely<Tables>, accountId: string): Promise<number> {
  const monitors = countLimited(db, accountId).innerJoin('monitors', 'monitors.application_id', 'applications.id');
  return Number((await monitors.executeTakeFirstOrThrow()).count);
}
