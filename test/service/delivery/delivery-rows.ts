// The database of the service with rows that a test writes, and nothing that runs on it.
import { join } from 'node:path';
import type { Insertable, Updateable } from 'kysely';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { openServiceDatabase } from '#service/app/open-service-database.ts';
import type { Tables } from '#service/database/tables.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

export const startMs = Date.parse('2026-11-21T06:00:00Z');

/** A new SQLite file. `addApplication` also adds its account, of the same name. */
export async function openDeliveryRows() {
  const folder = temporaryFolder();
  const clock = createManualClock(startMs);
  const log = pino({ level: 'silent' });
  const database = await openServiceDatabase({ file: join(folder, 'service.sqlite'), clock, log });
  onTestFinished(() => database.close());
  const { db } = database;

  async function addApplication(
    name: string,
    changes: Partial<Insertable<Tables['applications']>> = {},
    account: Partial<Insertable<Tables['accounts']>> = {},
  ): Promise<string> {
    const accountId = `account of ${name}`;
    await db
      .insertInto('accounts')
      .values({
        id: accountId,
        username: name,
        username_key: name,
        email: `${name}@example.org`,
        email_key: `${name}@example.org`,
        email_confirmed_at: 1,
        pending_email: null,
        password_hash: '',
        is_operator: 0,
        application_limit: null,
        monitor_limit: null,
        created_at: 0,
        disabled_at: null,
        ...account,
      })
      .execute();
    await db
      .insertInto('contracts')
      .values({ id: `contract of ${name}`, account_id: accountId, plan: 'storm', created_at: 0, state: 'active' })
      .execute();
    await db
      .insertInto('applications')
      .values({
        id: name,
        client_id: `client of ${name}`,
        account_id: accountId,
        contract_id: `contract of ${name}`,
        name: `The app ${name}`,
        description: '',
        is_public: 0,
        allows_password: 0,
        requires_pkce: 0,
        secret_hash: null,
        secret_created_at: null,
        is_sandbox: 0,
        terms_accepted_at: 0,
        created_at: 0,
        disabled_at: null,
        client_grant: null,
        ...changes,
      })
      .execute();
    return name;
  }

  async function addMonitor(
    applicationId: string,
    id: string,
    changes: Partial<Insertable<Tables['monitors']>> = {},
  ): Promise<string> {
    await db
      .insertInto('monitors')
      .values({
        id,
        application_id: applicationId,
        monitor_type: 'precipitation',
        callback_uri: 'http://127.0.0.1:9/',
        callback_credentials: null,
        latitude: '45',
        longitude: '7',
        cell: 'x',
        created_at: 0,
        gate_opens_at: 0,
        off_since: null,
        off_reason: null,
        failed_events: 0,
        delivered_count: 0,
        failed_count: 0,
        ...changes,
      })
      .execute();
    return id;
  }

  const changeMonitor = (id: string, changes: Updateable<Tables['monitors']>) =>
    db.updateTable('monitors').set(changes).where('id', '=', id).execute();

  return { folder, clock, log, database, db, addApplication, addMonitor, changeMonitor };
}
