// Monitors of a disabled application or account send no callbacks: they are turned off with a separate reason, and on again with
// it. Monitors turned off for another reason stay off.
import type { Clock } from '@rainbell/shared';
import type { Db } from '../database/tables.ts';

export const disabledReason = 'the operator disabled the application or its account';

export async function alignMonitors(db: Db, clock: Clock, accountId: string): Promise<void> {
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
    const own = db.updateTable('monitors').where('application_id', '=', id);
    const aligned =
      ownDisabledAt === null && accountDisabledAt === null
        ? own.set({ off_since: null, off_reason: null }).where('off_reason', '=', disabledReason)
        : own.set({ off_since: clock.now(), off_reason: disabledReason }).where('off_since', 'is', null);
    await aligned.execute();
  }
}
