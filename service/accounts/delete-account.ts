// Deletes an account or an application with everything that belongs to it, in one transaction.
import type { Clock } from '@rainbell/shared';
import { takeNumbers } from '../database/counters.ts';
import { retryOnDeadlock } from '../database/retry-on-deadlock.ts';
import type { Db } from '../database/tables.ts';
import { removeInbox } from '../inbox/inbox.ts';
import { announceRevocation } from './revocation.ts';
import { type Account, comparable } from './account-store.ts';
import { StoreRefusal } from './store-refusal.ts';

/** Running services notice after `waitUntilNoticed`. Throws a StoreRefusal `unknown` or `sandbox`. */
export function deleteAccount(db: Db, clock: Clock, accountId: string): Promise<Account> {
  return retryOnDeadlock(() => db.transaction().execute((trx) => remove(trx, clock, accountId)));
}

/** Running services notice after `waitUntilNoticed`. Throws a StoreRefusal `unknown` or `sandbox`. */
export function deleteApplication(db: Db, clock: Clock, applicationId: string): Promise<void> {
  return retryOnDeadlock(() =>
    db.transaction().execute(async (trx) => {
      await lockMonitorCreation(trx);
      const application = await trx
        .selectFrom('applications')
        .select('is_sandbox')
        .where('id', '=', applicationId)
        .executeTakeFirst();
      if (!application) throw new StoreRefusal('unknown');
      if (application.is_sandbox === 1) throw new StoreRefusal('sandbox');
      await removeApplication(trx, applicationId);
      await announceRevocation(trx, clock.now(), { kind: 'application', subject: applicationId });
    }),
  );
}

/** Blocks the creation of monitors until the transaction ends, so that none is added to an application that is being deleted. */
const lockMonitorCreation = (trx: Db) => takeNumbers(trx, 'monitor', 0);

async function remove(trx: Db, clock: Clock, accountId: string): Promise<Account> {
  await lockMonitorCreation(trx);
  const account = await trx.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirst();
  if (!account) throw new StoreRefusal('unknown');
  const applications = await trx
    .selectFrom('applications')
    .select(['id', 'is_sandbox'])
    .where('account_id', '=', accountId)
    .execute();
  if (applications.some((application) => application.is_sandbox === 1)) throw new StoreRefusal('sandbox');
  for (const { id } of applications) await removeApplication(trx, id);
  await trx.deleteFrom('contracts').where('account_id', '=', accountId).execute();
  // Emails with a link for this account, including those to an address that waits for confirmation.
  await trx
    .deleteFrom('mails')
    .where('link', 'like', `%"accountId":${JSON.stringify(accountId)}%`)
    .execute();
  if (account.email_key === comparable(account.email))
    await trx.deleteFrom('mails').where('recipient', '=', account.email).execute();
  // The database deletes its sessions, grants with their tokens, and mailed links.
  await trx.deleteFrom('accounts').where('id', '=', accountId).execute();
  // Afterwards, because a report locks the account's row before it is written.
  await trx.deleteFrom('metags').where('account_id', '=', accountId).execute();
  for (const { id } of applications) await announceRevocation(trx, clock.now(), { kind: 'application', subject: id });
  await announceRevocation(trx, clock.now(), { kind: 'account', subject: accountId });
  return account;
}

async function removeApplication(trx: Db, applicationId: string): Promise<void> {
  const cells = await trx
    .selectFrom('monitors')
    .select(['cell', (select) => select.fn.countAll<number>().as('count')])
    .where('application_id', '=', applicationId)
    .groupBy('cell')
    .execute();
  // Locks the cells in the order of their keys, like sweeps (watched-cells.ts).
  for (const { cell, count } of cells.toSorted((one, other) => (one.cell < other.cell ? -1 : 1))) {
    await trx
      .updateTable('watch_cells')
      .set((row) => ({ monitor_count: row('monitor_count', '-', Number(count)) }))
      .where('cell', '=', cell)
      .execute();
  }
  await trx.deleteFrom('watch_cells').where('monitor_count', '<=', 0).execute();
  // First, so a process that records an attempt (monitors/delivery/outbox.ts) either commits before or finds no event.
  await trx.deleteFrom('waiting_events').where('application_id', '=', applicationId).execute();
  const own = trx.selectFrom('events').select('id').where('application_id', '=', applicationId);
  await trx.deleteFrom('attempts').where('event_id', 'in', own).execute();
  for (const table of ['events', 'outcomes', 'monitors', 'usage'] as const) {
    await trx.deleteFrom(table).where('application_id', '=', applicationId).execute();
  }
  await trx.deleteFrom('counters').where('name', '=', applicationId).execute();
  await trx.deleteFrom('applications').where('id', '=', applicationId).execute();
  // Afterwards, because a new secret locks the application's row before it is written.
  for (const table of ['webhook_secrets', 'endpoint_incidents'] as const) {
    await trx.deleteFrom(table).where('application_id', '=', applicationId).execute();
  }
  await removeInbox(trx, applicationId);
}
