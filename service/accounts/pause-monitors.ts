// A disabled application, or one of a disabled account, rings nobody: its monitors are turned off with a reason of their
// own, and on again with it. What was off before for another reason stays off.
import type { Kysely } from 'kysely';
import type { Clock } from '#shared/time/clock.ts';
import type { Tables } from '../database/tables.ts';

const reason = 'the operator disabled the application or its account';

/** Brings the monitors of an account's applications in line with what is disabled now. */
export async function alignMonitors(db: Kysely<Tables>, clock: Clock, accountId: string): Promise<void> {
  const applications = await db
    .selectFrom('applications')
    .innerJoin('accounts', 'accounts.id', 'applications.account_id')
    .select([
      'applications.id',
      'applications.disabled_at as ownDisabledAt',
      'accounts.disabled_at as accountDisabledAt',
    ])
    .where('accounts.id', '=', accountId)
    .execute();
  for (const { id, ownDisabledAt, accountDisabledAt } of applications) {
    if (ownDisabledAt === null && accountDisabledAt === null) await turnOn(db, id);
    else await turnOff(db, clock, id);
  }
}

async function turnOff(db: Kysely<Tables>, clock: Clock, applicationId: string): Promise<void> {
  await db
    .updateTable('monitors')
    .set({ off_since: clock.now(), off_reason: reason })
    .where('application_id', '=', applicationId)
    .where('off_since', 'is', null)
    .execute();
}

async function turnOn(db: Kysely<Tables>, applicationId: string): Promise<void> {
  await db
    .updateTable('monitors')
    .set({ off_since: null, off_reason: null })
    .where('application_id', '=', applicationId)
    .where('off_reason', '=', reason)
    .execute();
}
