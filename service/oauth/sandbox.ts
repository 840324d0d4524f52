// The sandbox: an account, a contract, and an application that exist from the first start, so that users can try everything at
// once. Only if the service is local, because others could use it. Its credentials derive from a key, so that the database contains
// only hashes and the service can still show the credentials each time it starts. The key file is next to a SQLite database. Processes
// on one PostgreSQL share one sandbox: the key is in the database, encrypted like the webhook secrets.
import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { Clock } from '@rainbell/shared';
import type { ServiceIntroduction } from '@rainbell/contract/service-api';
import { accountRow } from '../accounts/account-store.ts';
import { insertApplication } from '../accounts/application-store.ts';
import { createPasswords, type Passwords } from '../accounts/passwords.ts';
import { alignMonitors } from '../accounts/pause-monitors.ts';
import { inHousePlanId } from '../accounts/plans.ts';
import { announceRevocation } from '../accounts/revocation.ts';
import { takeNumbers } from '../database/counters.ts';
import type { Database } from '../database/open-database.ts';
import type { Db } from '../database/tables.ts';
import { readOrCreateKey } from '../secrets/key-file.ts';
import { derivedText, secretLength } from '../secrets/random-text.ts';
import type { SecretSeal } from '../secrets/secret-seal.ts';
import { ensureStoredKey, readStoredKey } from '../secrets/stored-keys.ts';

type SandboxCredentials = { clientId: string; clientSecret: string; password: string; accountSuffix: string };

/** The row of `signing_keys` with the key that processes share. */
const sharedKeyName = 'sandbox';
/** A row with this name means that this database has no sandbox. */
const closedSandboxName = 'sandbox-closed';

const keyBytes = 32;

export function sandboxCredentials(folder: string): SandboxCredentials {
  return credentialsFrom(readOrCreateKey(folder, 'sandbox.key'));
}

/** Derives them from the key in the database; creates it if it is missing. Undefined if the sandbox is closed there. */
async function sharedSandboxCredentials(db: Db, seal: SecretSeal): Promise<SandboxCredentials | undefined> {
  if ((await readStoredKey(db, closedSandboxName)) !== undefined) return undefined;
  const create = () => seal.seal(randomBytes(keyBytes).toString('hex'));
  const key = seal.open(await ensureStoredKey(db, sharedKeyName, create));
  // The keys were checked before (secrets/secret-keys.ts).
  if (key === undefined) throw new Error("The sandbox's key cannot be decrypted.");
  return credentialsFrom(Buffer.from(key, 'hex'));
}

function credentialsFrom(key: Buffer): SandboxCredentials {
  return {
    clientId: `sandbox${derivedText(key, 'client id', 13)}`,
    clientSecret: derivedText(key, 'client secret', secretLength),
    password: derivedText(key, 'password', 24),
    accountSuffix: derivedText(key, 'account', 6).toLowerCase(),
  };
}

type OpenOptions = {
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
export async function openSandbox(options: OpenOptions): Promise<Sandbox | undefined> {
  const { database, clock, passwords, seal, folder, isLocal } = options;
  const { db, engine } = database;
  if (!isLocal) {
    await close(options);
    return undefined;
  }
  if (engine === 'sqlite') {
    await reopen(db, clock);
    return ensureSandbox({ db, clock, passwords, credentials: sandboxCredentials(folder) });
  }
  const credentials = await sharedSandboxCredentials(db, seal);
  return credentials && ensureSandbox({ db, clock, passwords, credentials });
}

async function close({ database: { db }, clock, log }: OpenOptions): Promise<void> {
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

/** Loopback addresses match on any port (RFC 8252 §7.3), so every host of the app can use it. */
const sandboxRedirectUri = 'http://127.0.0.1:7777/callback';

export type Sandbox = Pick<
  ServiceIntroduction,
  'clientId' | 'clientSecret' | 'redirectUri' | 'username' | 'password'
> & { applicationId: string };

type EnsureOptions = { db: Db; clock: Clock; passwords?: Passwords; credentials: SandboxCredentials };

export async function ensureSandbox(options: EnsureOptions): Promise<Sandbox> {
  const { db, clock, credentials, passwords = createPasswords() } = options;
  const { clientId, clientSecret, password } = credentials;
  const find = (on: Db) =>
    on
      .selectFrom('applications')
      .innerJoin('accounts', 'accounts.id', 'applications.account_id')
      .select(['applications.id as applicationId', 'accounts.username'])
      .where('applications.client_id', '=', clientId)
      .executeTakeFirst();
  /** In one of several processes that start at once; the others wait and find it. */
  async function create() {
    const passwordHash = await passwords.hash(password);
    return db.transaction().execute(async (trx) => {
      await takeNumbers(trx, 'sandbox', 0);
      return (await find(trx)) ?? createSandbox(trx, clock.now(), credentials, passwordHash);
    });
  }
  const found = (await find(db)) ?? (await create());
  return { clientId, clientSecret, password, redirectUri: sandboxRedirectUri, ...found };
}

async function createSandbox(trx: Db, now: number, credentials: SandboxCredentials, passwordHash: string) {
  // The name may belong to a user's account, or an earlier sandbox.
  const taken = await trx.selectFrom('accounts').select('id').where('username_key', '=', 'sandbox').executeTakeFirst();
  const username = taken ? `sandbox-${credentials.accountSuffix}` : 'sandbox';
  const account = accountRow({ username, email: `${username}@rainbell.invalid` }, passwordHash, now);
  await trx.insertInto('accounts').values(account).execute();
  const contract = { account_id: account.id, plan: inHousePlanId, created_at: now } as const;
  await trx.insertInto('contracts').values(contract).execute();
  const { id } = await insertApplication(trx, now, {
    accountId: account.id,
    plan: inHousePlanId,
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
