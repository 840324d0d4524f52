// How many monitors an application has: what its plan's limit is held against, and what its page of usage shows.
import type { Kysely } from 'kysely';
import { inHousePlanId } from '../accounts/plans.ts';
import type { Tables } from '../database/tables.ts';

export async function countMonitors(db: Kysely<Tables>, applicationId: string): Promise<number> {
  const { count } = await db
    .selectFrom('monitors')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('application_id', '=', applicationId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The monitors of all applications of an account, but for those on the in-house plan, which no limit counts. */
export async function countAccountMonitors(db: Kysely<Tables>, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('monitors')
    .innerJoin('applications', 'applications.id', 'monitors.application_id')
    .innerJoin('contracts', 'contracts.id', 'applications.contract_id')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('applications.account_id', '=', accountId)
    .where('contracts.plan', '!=', inHousePlanId)
    .executeTakeFirstOrThrow();
  return Number(count);
}
