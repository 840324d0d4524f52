// Opens the sandbox: one per database if the service is local, otherwise none, because others could use it.
import type { Logger } from 'pino';
import type { Clock } from '@rainbell/shared';
import { alignMonitors } from '../accounts/pause-monitors.ts';
import type { Passwords } from '../accounts/passwords.ts';
import { announceRevocation } from '../accounts/revocation.ts';
import type { Database } from '../database/open-database.ts';
import type { Db } from '../database/tables.ts';
import type { SecretSeal } from '../secrets/secret-seal.ts';
import { ensureStoredKey } from '../secrets/stored-keys.ts';
import { ensureSandbox, type Sandbox } from './sandbox-application.ts';
import { closedSandboxName, sandboxCredentials, sharedSandboxCredentials } from './sandbox-key.ts';

type Dependencies = {
  database: Pick<Database, 'db' | 'engine'>;
  clock: Clock;
  log: Logger;
  passwords: Passwords;
  seal: SecretSeal;
  folder: string;
  isLocal: boolean;
};

/**
 * Finds or creates the sandbox. A public service closes it instead: its account is disabled. A local one reopens that
 * of its SQLite file; PostgreSQL may still be used by other services, so there it stays closed.
 */
export async function openSandbox(dependencies: Dependencies): Promise<Sandbox | undefined> {
  const { database, clock, passwords, seal, folder, isLocal } = dependencies;
  const { db, engine } = database;
  if (!isLocal) {
    await close(dependencies);
    return undefined;
  }
  if (engine === 'sqlite') {
    await reopen(db, clock);
    return ensureSandbox({ db, clock, passwords, credentials: sandboxCredentials(folder) });
  }
  const credentials = await sharedSandboxCredentials(db, seal);
  return credentials && ensureSandbox({ db, clock, passwords, credentials });
}

async function close({ database: { db }, clock, log }: Dependencies): Promise<void> {
  await ensureStoredKey(db, closedSandboxName, () => '');
  const open = await sandboxAccounts(db).where('accounts.disabled_at', 'is', null).execute();
  for (const { id, username, applicationId } of open) {
    await db.transaction().execute(async (trx) => {
      await trx.updateTable('accounts').set({ disabled_at: clock.now() }).where('id', '=', id).execute();
      await announceRevocation(trx, clock.now(), { kind: 'account', subject: id });
      await announceRevocation(trx, clock.now(), { kind: 'application', subject: applicationId });
    });
    await alignMonitors(db, clock, id);
    log.warn({ account: username }, 'disabled a sandbox account that must not be used here');
  }
}

async function reopen(db: Db, clock: Clock): Promise<void> {
  const closed = await db.deleteFrom('signing_keys').where('name', '=', closedSandboxName).executeTakeFirst();
  if (closed.numDeletedRows === 0n) return;
  for (const { id } of await sandboxAccounts(db).execute()) {
    await db.updateTable('accounts').set({ disabled_at: null }).where('id', '=', id).execute();
    await alignMonitors(db, clock, id);
  }
}

function sandboxAccounts(db: Db) {
  return db
    .selectFrom('accounts')
    .innerJoin('applications', 'applications.account_id', 'accounts.id')
    .select(['accounts.id', 'accounts.username', 'applications.id as applicationId'])
    .where('applications.is_sandbox', '=', 1);
}
