// The sandbox: an account, a contract, and an application that exist from the first start, so that users can try everything at
// once. Later starts find them and only derive the credentials again.
import type { Kysely } from 'kysely';
import type { Clock } from '@rainbell/shared';
import type { ServiceIntroduction } from '@rainbell/contract/service-api';
import { createPasswords, type Passwords } from '../accounts/passwords.ts';
import { inHousePlanId } from '../accounts/plans.ts';
import type { Tables } from '../database/tables.ts';
import { hashOf, newId } from '../secrets/random-text.ts';
import type { SandboxCredentials } from './sandbox-key.ts';

/** Loopback addresses match on any port (RFC 8252 §7.3), so every host of the app can use it. */
const sandboxRedirectUri = 'http://127.0.0.1:7777/callback';

export type Sandbox = Pick<
  ServiceIntroduction,
  'clientId' | 'clientSecret' | 'redirectUri' | 'username' | 'password'
> & { applicationId: string };

type Dependencies = { db: Kysely<Tables>; clock: Clock; passwords?: Passwords; credentials: SandboxCredentials };

/** Finds the sandbox of these credentials, or creates it. */
export async function ensureSandbox({
  db,
  clock,
  credentials,
  passwords = createPasswords(),
}: Dependencies): Promise<Sandbox> {
  const found = (await findSandbox(db, credentials)) ?? (await createOnce(db, clock.now(), credentials, passwords));
  const { clientId, clientSecret, password } = credentials;
  return { clientId, clientSecret, password, redirectUri: sandboxRedirectUri, ...found };
}

/** Creates it in one of several processes that start at once; the others wait and find it. */
async function createOnce(
  db: Kysely<Tables>,
  now: number,
  credentials: SandboxCredentials,
  passwords: Passwords,
): Promise<Found> {
  const passwordHash = await passwords.hash(credentials.password);
  return db.transaction().execute(async (trx) => {
    // An insert, because without a sandbox there is no row to lock.
    await trx
      .insertInto('identifiers')
      .values({ name: 'sandbox', last_number: 0 })
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet((row) => ({ last_number: row.ref('identifiers.last_number') })),
      )
      .execute();
    return (await findSandbox(trx, credentials)) ?? createSandbox(trx, now, credentials, passwordHash);
  });
}

type Found = { applicationId: string; username: string };

function findSandbox(db: Kysely<Tables>, { clientId }: SandboxCredentials): Promise<Found | undefined> {
  return db
    .selectFrom('applications')
    .innerJoin('accounts', 'accounts.id', 'applications.account_id')
    .select(['applications.id as applicationId', 'accounts.username'])
    .where('applications.client_id', '=', clientId)
    .executeTakeFirst();
}

async function createSandbox(
  db: Kysely<Tables>,
  now: number,
  { clientId, clientSecret, accountSuffix }: SandboxCredentials,
  passwordHash: string,
): Promise<Found> {
  // The name may belong to a user's account, or an earlier sandbox.
  const taken = await db.selectFrom('accounts').select('id').where('username_key', '=', 'sandbox').executeTakeFirst();
  const username = taken ? `sandbox-${accountSuffix}` : 'sandbox';
  const [accountId, contractId, applicationId] = [newId(), newId(), newId()];
  const email = `${username}@rainbell.invalid`;
  await db
    .insertInto('accounts')
    .values({
      id: accountId,
      username,
      username_key: username,
      email,
      email_key: email,
      email_confirmed_at: now,
      pending_email: null,
      password_hash: passwordHash,
      is_operator: 0,
      created_at: now,
      disabled_at: null,
    })
    .execute();
  await db
    .insertInto('contracts')
    .values({ id: contractId, account_id: accountId, plan: inHousePlanId, created_at: now })
    .execute();
  await db
    .insertInto('applications')
    .values({
      id: applicationId,
      client_id: clientId,
      account_id: accountId,
      contract_id: contractId,
      name: 'Rainbell sandbox',
      description: 'The application that came with this service, for trying things out.',
      is_public: 0,
      allows_password: 1,
      requires_pkce: 0,
      secret_hash: hashOf(clientSecret),
      secret_created_at: now,
      is_sandbox: 1,
      terms_accepted_at: now,
      created_at: now,
      disabled_at: null,
    })
    .execute();
  await db
    .insertInto('application_redirects')
    .values({ application_id: applicationId, uri: sandboxRedirectUri, position: 0 })
    .execute();
  return { applicationId, username };
}
