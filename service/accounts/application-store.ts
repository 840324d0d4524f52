// Applications in the database (docs/interface.md §5.2): looked up by client ID for each token request, created and changed by
// their owner or the operator. A secret is shown in plain text only once, to its creator.
import type { Selectable } from 'kysely';
import type { Clock } from '@rainbell/shared';
import { prepareStatement } from '../database/prepared-statement.ts';
import type { Db, Tables } from '../database/tables.ts';
import { hashOf, newId, newSecret } from '../secrets/random-text.ts';
import { deleteApplication } from './delete-account.ts';
import { alignMonitors } from './pause-monitors.ts';
import { inHousePlanId, type PlanId } from './plans.ts';
import { StoreRefusal } from './store-refusal.ts';
import { accountTables } from './tables.ts';

export type Application = Selectable<Tables['applications']> & { ownerName: string };
export type ApplicationText = {
  name: string;
  description: string;
  redirectUris: readonly string[];
  requiresPkce: boolean;
};
export type NewApplication = ApplicationText & {
  accountId: string;
  plan: PlanId;
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
const columns = [
  ...(Object.keys(accountTables.applications.columns) as OwnColumn[]).map((name) => `applications.${name}` as const),
  'accounts.username as ownerName',
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
    db.selectFrom('applications').innerJoin('accounts', 'accounts.id', 'applications.account_id').select(columns);
  const many = (query: ReturnType<typeof rows>): Promise<Application[]> =>
    query.orderBy('applications.created_at').orderBy('applications.id').execute();

  const selectActive = prepareStatement(
    'find-client',
    rows()
      .where('applications.client_id', '=', '')
      .where('applications.disabled_at', 'is', null)
      .where('accounts.disabled_at', 'is', null),
  );

  return {
    /** Returns undefined if it does not exist, or it or its owner is disabled. */
    async findActive(clientId: string): Promise<Application | undefined> {
      return clientIdForm.test(clientId) ? (await selectActive(db, [clientId])).rows[0] : undefined;
    },
    /** Includes disabled ones. */
    findByClientId: (clientId: string): Promise<Application | undefined> =>
      rows().where('applications.client_id', '=', clientId).executeTakeFirst(),
    find: (accountId: string, id: string): Promise<Application | undefined> =>
      rows().where('applications.id', '=', id).where('applications.account_id', '=', accountId).executeTakeFirst(),
    listOf: (accountId: string) => many(rows().where('applications.account_id', '=', accountId)),
    list: () => many(rows()),

    /** Throws `application_limit`. The account has a contract for the plan. */
    create: (application: NewApplication) =>
      db.transaction().execute((trx) => insertApplication(trx, clock.now(), application)),

    async edit(id: string, { name, description, redirectUris, requiresPkce }: ApplicationText): Promise<void> {
      const changes = { name, description, redirect_uris: storedUris(redirectUris) };
      await db
        .updateTable('applications')
        .set({ ...changes, requires_pkce: requiresPkce ? 1 : 0 })
        .where('id', '=', id)
        .execute();
    },

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
    plan,
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
  if (limit !== undefined && plan !== inHousePlanId) {
    // Locks the row in PostgreSQL, so that concurrent creations count each other.
    await trx.updateTable('accounts').set({ id: accountId }).where('id', '=', accountId).execute();
    const { count } = await countLimited(trx, accountId).executeTakeFirstOrThrow();
    if (Number(count) >= limit) throw new StoreRefusal('application_limit');
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
      plan,
      name,
      description,
      redirect_uris: storedUris(redirectUris),
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
  return { id, clientId, clientSecret };
}

/** Counts an account's applications, except those on the in-house plan, which has no limit. */
export function countLimited(db: Db, accountId: string) {
  return db
    .selectFrom('applications')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('applications.account_id', '=', accountId)
    .where('applications.plan', '!=', inHousePlanId);
}

/** None of them contains a line break (redirect-rules.ts). */
function storedUris(uris: readonly string[]): string {
  return [...new Set(uris)].join('\n');
}

export function redirectUrisOf({ redirect_uris: text }: Pick<Application, 'redirect_uris'>): readonly string[] {
  return text === '' ? [] : text.split('\n');
}
