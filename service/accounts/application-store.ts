// Applications in the database (§5.2): found by their client id at each token request, made and changed by their owner
// or the operator.
import type { Kysely, Selectable } from 'kysely';
import type { Tables } from '../database/tables.ts';
import type { AccountTables } from './tables.ts';

type ApplicationRow = Selectable<AccountTables['applications']>;

/** An application as the OAuth engine sees it. */
export type Application = ApplicationRow & { redirectUris: readonly string[]; ownerName: string };

export type ApplicationStore = {
  /** Undefined where there is none, or it or its owner is disabled. */
  findActive(clientId: string): Promise<Application | undefined>;
};

export function createApplicationStore({ db }: { db: Kysely<Tables> }): ApplicationStore {
  return {
    async findActive(clientId) {
      const row = await db
        .selectFrom('applications')
        .innerJoin('accounts', 'accounts.id', 'applications.account_id')
        .selectAll('applications')
        .select('accounts.username as ownerName')
        .where('applications.client_id', '=', clientId)
        .where('applications.disabled_at', 'is', null)
        .where('accounts.disabled_at', 'is', null)
        .executeTakeFirst();
      return row && { ...row, redirectUris: await redirectUrisOf(db, row.id) };
    },
  };
}

export async function redirectUrisOf(db: Kysely<Tables>, applicationId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('application_redirects')
    .select('uri')
    .where('application_id', '=', applicationId)
    .orderBy('position')
    .execute();
  return rows.map((row) => row.uri);
}
