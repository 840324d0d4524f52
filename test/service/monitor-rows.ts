// Monitors as rows, with their applications: thousands at once, without the check of each callback URL that the API makes.
import type { Insertable, Kysely } from 'kysely';
import type { Tables } from '#service/database/tables.ts';
import type { MonitorService } from './monitor-service.ts';

type MonitorColumns = Insertable<Tables['monitors']>;

/** A monitor of which everything counts from 0. */
export function newMonitorRow(changes: Pick<MonitorColumns, 'id' | 'application_id'> & Partial<MonitorColumns>) {
  return {
    monitor_type: 'precipitation' as const,
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
    rules: null,
    ...changes,
  } satisfies MonitorColumns;
}

type ApplicationChanges = {
  application?: Partial<Insertable<Tables['applications']>>;
  account?: Partial<Insertable<Tables['accounts']>>;
  plan?: Insertable<Tables['contracts']>['plan'];
};

/** Adds an application, and an account and a contract for it, unless they exist. */
export async function addApplicationRows(
  db: Kysely<Tables>,
  id: string,
  { application, account, plan = 'storm' }: ApplicationChanges = {},
): Promise<void> {
  const accountId = `account of ${id}`;
  await db
    .insertInto('accounts')
    .values({
      id: accountId,
      username: id,
      username_key: id,
      email: `${id}@example.org`,
      email_key: `${id}@example.org`,
      email_confirmed_at: 1,
      pending_email: null,
      password_hash: '',
      is_operator: 0,
      created_at: 0,
      disabled_at: null,
      ...account,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await db
    .insertInto('contracts')
    .values({ account_id: accountId, plan, created_at: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await db
    .insertInto('applications')
    .values({
      id,
      client_id: `client of ${id}`,
      account_id: accountId,
      plan,
      name: `The app ${id}`,
      description: '',
      redirect_uris: '',
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
      ...application,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Adds `perCell` monitors to each of so many cells, and returns the cells. */
export async function addMonitorRows(
  { db, sandbox }: Pick<MonitorService, 'db' | 'sandbox'>,
  cells: number,
  perCell: number,
): Promise<string[]> {
  const names = Array.from({ length: cells }, (_, index) => `cell-${index}`);
  for (const cell of names) {
    await db
      .insertInto('monitors')
      .values(
        Array.from({ length: perCell }, (_, index) =>
          newMonitorRow({
            id: `precipitation_${cell.slice(5)}00${index}`,
            application_id: sandbox.applicationId,
            cell,
          }),
        ),
      )
      .execute();
  }
  return names;
}
