// The sandbox: an account, a contract, and an application that exist from the first start, so that users can try everything at
// once. Later starts find them and only derive the credentials again.
import type { Clock } from '@rainbell/shared';
import type { ServiceIntroduction } from '@rainbell/contract/service-api';
import { accountRow } from '../accounts/account-store.ts';
import { insertApplication } from '../accounts/application-store.ts';
import { lockCreation } from '../accounts/delete-account.ts';
import { createPasswords, type Passwords } from '../accounts/passwords.ts';
import { inHousePlanId } from '../accounts/plans.ts';
import type { Db } from '../database/tables.ts';
import { newId } from '../secrets/random-text.ts';
import type { SandboxCredentials } from './sandbox-key.ts';

/** Loopback addresses match on any port (RFC 8252 §7.3), so every host of the app can use it. */
const sandboxRedirectUri = 'http://127.0.0.1:7777/callback';

export type Sandbox = Pick<
  ServiceIntroduction,
  'clientId' | 'clientSecret' | 'redirectUri' | 'username' | 'password'
> & { applicationId: string };

type Dependencies = { db: Db; clock: Clock; passwords?: Passwords; credentials: SandboxCredentials };

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
async function createOnce(db: Db, now: number, credentials: SandboxCredentials, passwords: Passwords): Promise<Found> {
  const passwordHash = await passwords.hash(credentials.password);
  return db.transaction().execute(async (trx) => {
    await lockCreation(trx, 'sandbox');
    return (await findSandbox(trx, credentials)) ?? createSandbox(trx, now, credentials, passwordHash);
  });
}

type Found = { applicationId: string; username: string };

function findSandbox(db: Db, { clientId }: SandboxCredentials): Promise<Found | undefined> {
  return db
    .selectFrom('applications')
    .innerJoin('accounts', 'accounts.id', 'applications.account_id')
    .select(['applications.id as applicationId', 'accounts.username'])
    .where('applications.client_id', '=', clientId)
    .executeTakeFirst();
}

async function createSandbox(
  trx: Db,
  now: number,
  credentials: SandboxCredentials,
  passwordHash: string,
): Promise<Found> {
  // The name may belong to a user's account, or an earlier sandbox.
  const taken = await trx.selectFrom('accounts').select('id').where('username_key', '=', 'sandbox').executeTakeFirst();
  const username = taken ? `sandbox-${credentials.accountSuffix}` : 'sandbox';
  const account = accountRow({ username, email: `${username}@rainbell.invalid` }, passwordHash, now);
  await trx.insertInto('accounts').values(account).execute();
  const contract = { id: newId(), account_id: account.id, plan: inHousePlanId, created_at: now };
  await trx.insertInto('contracts').values(contract).execute();
  const { id } = await insertApplication(trx, now, {
    accountId: account.id,
    contractId: contract.id,
    name: 'Rainbell sandbox',
    description: 'The application that came with this service, for trying things out.',
    redirectUris: [sandboxRedirectUri],
    isPublic: false,
    allowsPassword: true,
    requiresPkce: false,
    sandbox: credentials,
  });
  return { applicationId: id, username };
}
