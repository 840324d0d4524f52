// Applications in the database (docs/interface.md §5.2): looked up by client ID for each token request, created and changed by
// their owner or the operator. A secret is shown in plain text only once, to its creator.
import type { Selectable } from 'kysely';
import type { Clock } from '@rainbell/shared';
import { prepareStatement } from '../database/prepared-statement.ts';
import type { Db, Tables } from '../database/tables.ts';
import { hashOf, newId, newSecret } from '../secrets/random-text.ts';
import { deleteApplication } from './delete-account.ts';
import { alignMonitors } from './pause-monitors.ts';
import { inHousePlanId } from './plans.ts';
import { StoreRefusal } from './store-refusal.ts';
import { accountTables } from './tables.ts';

type ApplicationRow = Selectable<Tables['applications']>;

/** An application without the fields that only the authorization page and its owner need. */
export type Client = ApplicationRow & { ownerName: string; plan: string };
export type Application = Client & { redirectUris: readonly string[] };
export type ApplicationText = {
  name: string;
  description: string;
  redirectUris: readonly string[];
  requiresPkce: boolean;
};
export type NewApplication = ApplicationText & {
  accountId: string;
  contractId: string;
  isPublic: boolean;
  allowsPassword: boolean;
  /** Maximum for the account, excluding in-house ones; no limit if absent. */
  limit?: number;
  /** Credentials of the sandbox; new ones if absent. */
  sandbox?: { clientId: string; clientSecret: string };
};
export type CreatedApplication = { id: string; clientId: string; clientSecret: string | undefined };

export type ApplicationStore = ReturnType<typeof createApplicationStore>;

/** Matches all our client IDs; others need no lookup. */
const clientIdForm = /^[A-Za-z0-9]{1,100}$/;

type OwnColumn = keyof Tables['applications'];
/** Listed, because the statement is prepared. */
const ownColumns = Object.keys(accountTables.applications.columns) as OwnColumn[];
const clientColumns = [
  ...ownColumns.map((name) => `applications.${name}` as const),
  'accounts.username as ownerName',
  'contracts.plan',
] as const;

/** `revokeAll` ends every grant of an application. `onRemoved`: called when cached tokens and secrets may be invalid. */
type Dependencies = {
  db: Db;
  clock: Clock;
  revokeAll: (applicationId: string) => Promise<void>;
  onRemoved: () => Promise<void>;
};

export function createApplicationStore({ db, clock, revokeAll, onRemoved }: Dependencies) {
  const rows = () =>
    db
      .selectFrom('applications')
      .innerJoin('accounts', 'accounts.id', 'applications.account_id')
      .innerJoin('contracts', 'contracts.id', 'applications.contract_id')
      .select(clientColumns);
  type Rows = ReturnType<typeof rows>;
  const one = async (query: Rows) => {
    const row = await query.executeTakeFirst();
    return row && withRedirects(db, row);
  };
  const many = async (query: Rows) => {
    const found = await query.orderBy('applications.created_at').orderBy('applications.id').execute();
    return Promise.all(found.map((row) => withRedirects(db, row)));
  };

  const selectClient = prepareStatement(
    'find-client',
    rows()
      .where('applications.client_id', '=', '')
      .where('applications.disabled_at', 'is', null)
      .where('accounts.disabled_at', 'is', null),
  );

  async function findClient(clientId: string): Promise<Client | undefined> {
    if (!clientIdForm.test(clientId)) return undefined;
    return (await selectClient(db, [clientId])).rows[0];
  }

  return {
    /** Returns undefined if it does not exist, or it or its owner is disabled. */
    async findActive(clientId: string): Promise<Application | undefined> {
      const client = await findClient(clientId);
      return client && withRedirects(db, client);
    },
    /** Like `findActive`, for the token endpoint, with one query less. */
    findClient,
    /** Includes disabled ones. */
    findByClientId: (clientId: string) => one(rows().where('applications.client_id', '=', clientId)),
    find: (accountId: string, id: string) =>
      one(rows().where('applications.id', '=', id).where('applications.account_id', '=', accountId)),
    listOf: (accountId: string) => many(rows().where('applications.account_id', '=', accountId)),
    list: () => many(rows()),
    /** Counts those that the account's limit includes. */
    countOf: (accountId: string) => countApplications(db, accountId),

    /** Throws `contract_unknown` if the contract belongs to another account, or `application_limit`. */
    create: (application: NewApplication) =>
      db.transaction().execute((trx) => insertApplication(trx, clock.now(), application)),

    /** Throws `changed_meanwhile` if the application does not match `version` anymore. */
    edit: (application: Application, version: string, text: ApplicationText) =>
      db.transaction().execute(async (trx) => {
        const redirectUris = await redirectUrisOf(trx, application.id);
        const current = await trx
          .selectFrom('applications')
          .select(['name', 'description', 'requires_pkce'])
          .where('id', '=', application.id)
          .executeTakeFirst();
        if (!current || versionOf({ ...current, redirectUris }) !== version)
          throw new StoreRefusal('changed_meanwhile');
        const { name, description } = text;
        const changes = { name, description, requires_pkce: text.requiresPkce ? 1 : 0 };
        await trx.updateTable('applications').set(changes).where('id', '=', application.id).execute();
        await trx.deleteFrom('application_redirects').where('application_id', '=', application.id).execute();
        await insertRedirects(trx, application.id, text.redirectUris);
      }),

    /** Creates a new secret, and revokes the old one and all grants. Throws `sandbox`. */
    async renewSecret(application: Application): Promise<string> {
      if (application.is_sandbox === 1) throw new StoreRefusal('sandbox');
      const secret = newSecret();
      await db
        .updateTable('applications')
        .set({ secret_hash: hashOf(secret), secret_created_at: clock.now() })
        .where('id', '=', application.id)
        .where('is_public', '=', 0)
        .execute();
      await revokeAll(application.id);
      return secret;
    },

    async setDisabled(application: Application, isDisabled: boolean) {
      const disabled_at = isDisabled ? clock.now() : null;
      await db.updateTable('applications').set({ disabled_at }).where('id', '=', application.id).execute();
      await alignMonitors(db, clock, application.account_id);
      await revokeAll(application.id);
    },

    /** Deletes it with all its data (delete-account.ts). Throws `unknown` or `sandbox`. */
    async remove({ id }: Application) {
      await deleteApplication(db, clock, id);
      await onRemoved();
    },
  };
}

export async function insertApplication(
  trx: Db,
  now: number,
  {
    accountId,
    contractId,
    limit,
    name,
    description,
    redirectUris,
    isPublic,
    allowsPassword,
    requiresPkce,
    sandbox,
  }: NewApplication,
): Promise<CreatedApplication> {
  const contract = await trx
    .selectFrom('contracts')
    .select(['id', 'plan'])
    .where('id', '=', contractId)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (!contract) throw new StoreRefusal('contract_unknown');
  if (limit !== undefined && contract.plan !== inHousePlanId) {
    // Locks the row in PostgreSQL, so that concurrent creations count each other.
    await trx.updateTable('accounts').set({ id: accountId }).where('id', '=', accountId).execute();
    if ((await countApplications(trx, accountId)) >= limit) throw new StoreRefusal('application_limit');
  }
  const id = newId();
  const { clientId, clientSecret } = sandbox ?? {
    clientId: newId(),
    clientSecret: isPublic ? undefined : newSecret(),
  };
  await trx
    .insertInto('applications')
    .values({
      id,
      client_id: clientId,
      account_id: accountId,
      contract_id: contractId,
      name,
      description,
      is_public: isPublic ? 1 : 0,
      allows_password: allowsPassword ? 1 : 0,
      requires_pkce: requiresPkce ? 1 : 0,
      secret_hash: clientSecret === undefined ? null : hashOf(clientSecret),
      secret_created_at: clientSecret === undefined ? null : now,
      is_sandbox: sandbox ? 1 : 0,
      terms_accepted_at: now,
      created_at: now,
      disabled_at: null,
    })
    .execute();
  await insertRedirects(trx, id, redirectUris);
  return { id, clientId, clientSecret };
}

async function countApplications(db: Db, accountId: string): Promise<number> {
  return Number((await countLimited(db, accountId).executeTakeFirstOrThrow()).count);
}

/** Counts an account's applications, except those on the in-house plan, which has no limit. */
export function countLimited(db: Db, accountId: string) {
  return db
    .selectFrom('applications')
    .innerJoin('contracts', 'contracts.id', 'applications.contract_id')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('applications.account_id', '=', accountId)
    .where('contracts.plan', '!=', inHousePlanId);
}

async function insertRedirects(trx: Db, applicationId: string, uris: readonly string[]): Promise<void> {
  const rows = [...new Set(uris)].map((uri, position) => ({ application_id: applicationId, uri, position }));
  if (rows.length > 0) await trx.insertInto('application_redirects').values(rows).execute();
}

async function redirectUrisOf(db: Db, applicationId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('application_redirects')
    .select('uri')
    .where('application_id', '=', applicationId)
    .orderBy('position')
    .execute();
  return rows.map((row) => row.uri);
}

async function withRedirects<Row extends { id: string }>(
  db: Db,
  row: Row,
): Promise<Row & { redirectUris: readonly string[] }> {
  return { ...row, redirectUris: await redirectUrisOf(db, row.id) };
}

/** Returns a text that changes with everything that the edit form shows. */
export function versionOf({
  name,
  description,
  redirectUris,
  requires_pkce,
}: Pick<Application, 'name' | 'description' | 'redirectUris' | 'requires_pkce'>): string {
  return hashOf(JSON.stringify([name, description, redirectUris, requires_pkce])).slice(0, 16);
}
