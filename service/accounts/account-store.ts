// Accounts in the database (docs/interface.md §5.2): usernames and confirmed email addresses are unique, ignoring case. An
// unconfirmed address belongs to no one yet and blocks no one.
import type { Selectable } from 'kysely';
import type { Clock } from '@rainbell/shared';
import type { Db, Tables } from '../database/tables.ts';
import { consumeLink, type MailedLink } from '../mail/links.ts';
import { hashOf, newId } from '../secrets/random-text.ts';
import { type Revoked, revokeGrantsIn } from './revocation.ts';
import type { PasswordRequest, Passwords } from './passwords.ts';
import { alignMonitors } from './pause-monitors.ts';
import { StoreRefusal } from './store-refusal.ts';

export type Account = Selectable<Tables['accounts']>;
/**
 * `confirmed`: verified by a link or by the operator. `claimed`: not verified, but the account's, because no mail server is
 * configured. `pending`: becomes the account's through a mailed link.
 */
export type EmailState = 'confirmed' | 'claimed' | 'pending';

export type NewAccount = {
  username: string;
  email: string;
  password: string;
  isOperator?: boolean;
  emailState?: EmailState;
};

export type AccountStore = ReturnType<typeof createAccountStore>;

export type PasswordChange = { request?: PasswordRequest; keptSessionId?: string };

/** `previous`: the replaced confirmed address; notify its owner. */
export type Confirmation = { account: Account; previous: string | undefined };

/** `confirmsEmail`: a mail server is configured, so addresses are confirmed by links. */
type Dependencies = {
  db: Db;
  clock: Clock;
  passwords: Passwords;
  confirmsEmail: boolean;
  onRevoked?: (revoked: Revoked) => void;
};

export function createAccountStore({ db, clock, passwords, confirmsEmail, onRevoked = () => {} }: Dependencies) {
  const change = (accountId: string, columns: Partial<Account>) =>
    db.updateTable('accounts').set(columns).where('id', '=', accountId).executeTakeFirst();
  const byId = (trx: Db, id: string) => trx.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
  const inTransaction = <Result>(work: (trx: Db) => Promise<Result>) =>
    db.transaction().execute(work).catch(refuseDuplicate);

  return {
    list: () => db.selectFrom('accounts').selectAll().orderBy('created_at').orderBy('id').execute(),
    find: (accountId: string) => byId(db, accountId),
    /** Returns it by username or email address, including disabled ones. */
    findNamed: (usernameOrEmail: string) => findByName(db, usernameOrEmail, false),
    /** Returns it by username, or by the address if it is confirmed or cannot be confirmed; including disabled ones. */
    findForSignIn: (usernameOrEmail: string) => findByName(db, usernameOrEmail, confirmsEmail),

    /** Throws a StoreRefusal `username_taken` or `email_taken`; a pending address never conflicts. */
    async create({ password, ...text }: NewAccount, request?: PasswordRequest): Promise<Account> {
      const account = accountRow(text, await passwords.hash(password, request), clock.now());
      const insert = db.insertInto('accounts').values(account);
      const unlessNamed = insert.onConflict((conflict) => conflict.column('username_key').doNothing());
      const { numInsertedOrUpdatedRows } = await unlessNamed.executeTakeFirst().catch(refuseDuplicate);
      if (numInsertedOrUpdatedRows !== 1n) throw new StoreRefusal('username_taken');
      return account;
    },

    /** Changes it without confirmation. Throws `email_taken`. */
    changeEmail: (accountId: string, email: string) =>
      change(accountId, {
        email,
        email_key: comparable(email),
        email_confirmed_at: null,
        pending_email: null,
      }).catch(refuseDuplicate),
    setPendingEmail: (accountId: string, email: string | null) => change(accountId, { pending_email: email }),

    async isConfirmedElsewhere(accountId: string, email: string): Promise<boolean> {
      const owner = await emailOwner(db, email);
      return owner !== undefined && owner.id !== accountId && owner.email_confirmed_at !== null;
    },

    /** Confirms the pending or the current address, and uses the link up. Throws `email_taken`, or `link_used` if it is not valid anymore. */
    confirmEmailBy: (link: MailedLink) =>
      inTransaction(async (trx) => {
        const isFirst = await consumeLink(trx, clock.now(), link);
        const account = await byId(trx, link.accountId);
        // Only the last requested address is valid, and a disabled account is not changed.
        if (!isFirst || account?.disabled_at !== null || !isAwaited(account, link.email)) {
          throw new StoreRefusal('link_used');
        }
        return confirm(trx, clock.now(), account);
      }),

    /** Ends all grants and all sessions except the kept one. The caller has verified the old password, or is the operator. */
    async setPassword(accountId: string, password: string, { request, keptSessionId }: PasswordChange = {}) {
      const password_hash = await passwords.hash(password, request);
      await inTransaction((trx) => replacePassword(trx, clock, { accountId, password_hash, keptSessionId }));
      onRevoked({ kind: 'account', subject: accountId });
    },

    /** Does the same by a mailed link, and uses it up. Ends every session. Throws `link_used`. */
    async resetPasswordBy(link: MailedLink, password: string, request: PasswordRequest): Promise<Account> {
      const password_hash = await passwords.hash(password, request);
      const changed = await inTransaction(async (trx) => {
        const isFirst = await consumeLink(trx, clock.now(), link);
        const account = await byId(trx, link.accountId);
        const isOwner = account?.email_confirmed_at !== null && account?.email === link.email;
        if (!isFirst || !isOwner || account.disabled_at !== null) throw new StoreRefusal('link_used');
        await replacePassword(trx, clock, { accountId: account.id, password_hash });
        return account;
      });
      onRevoked({ kind: 'account', subject: changed.id });
      return changed;
    },

    async setEndpointMails(accountId: string, isWanted: boolean) {
      await change(accountId, { endpoint_mails: isWanted ? 1 : 0 });
    },

    /** Disabling it also ends all its sessions, and all grants of the account and to its applications. */
    async setDisabled(accountId: string, isDisabled: boolean) {
      const revoked = await db.transaction().execute(async (trx) => {
        const disabled_at = isDisabled ? clock.now() : null;
        await trx.updateTable('accounts').set({ disabled_at }).where('id', '=', accountId).execute();
        if (isDisabled) {
          await endSessions(trx, accountId);
          await revokeOwnGrants(trx, clock, accountId);
        }
        return revokeGrantsIn(trx, clock, { accountId });
      });
      onRevoked(revoked);
      await alignMonitors(db, clock, accountId);
    },
  };
}

export function accountRow(
  { username, email, isOperator = false, emailState = 'confirmed' }: Omit<NewAccount, 'password'>,
  password_hash: string,
  now: number,
): Account {
  const id = newId();
  const isPending = emailState === 'pending';
  return {
    id,
    username,
    username_key: comparable(username),
    email,
    email_key: isPending ? unconfirmedKey(id) : comparable(email),
    email_confirmed_at: emailState === 'confirmed' ? now : null,
    pending_email: isPending ? email : null,
    password_hash,
    is_operator: isOperator ? 1 : 0,
    endpoint_mails: 1,
    created_at: now,
    disabled_at: null,
  };
}

async function findByName(db: Db, usernameOrEmail: string, isConfirmedOnly: boolean): Promise<Account | undefined> {
  const key = comparable(usernameOrEmail);
  return db
    .selectFrom('accounts')
    .selectAll()
    .where((where) => {
      const byEmail = where('email_key', '=', key);
      const confirmed = where.and([byEmail, where('email_confirmed_at', 'is not', null)]);
      return where.or([where('username_key', '=', key), isConfirmedOnly ? confirmed : byEmail]);
    })
    .executeTakeFirst();
}

async function confirm(trx: Db, now: number, account: Account): Promise<Confirmation> {
  const email = account.pending_email ?? account.email;
  const owner = await emailOwner(trx, email);
  if (owner !== undefined && owner.id !== account.id) {
    if (owner.email_confirmed_at !== null) throw new StoreRefusal('email_taken');
    // A verified address takes precedence over a claimed one.
    const email_key = unconfirmedKey(owner.id);
    await trx.updateTable('accounts').set({ email_key }).where('id', '=', owner.id).execute();
  }
  const columns = { email, email_key: comparable(email), email_confirmed_at: now, pending_email: null };
  await trx.updateTable('accounts').set(columns).where('id', '=', account.id).execute();
  const isNew = account.email_confirmed_at !== null && comparable(account.email) !== comparable(email);
  return { account: { ...account, ...columns }, previous: isNew ? account.email : undefined };
}

type NewPassword = { accountId: string; password_hash: string; keptSessionId?: string | undefined };

/** Ends all access by the old password: sessions, tokens, and mailed reset links. */
async function replacePassword(
  trx: Db,
  clock: Clock,
  { accountId, password_hash, keptSessionId }: NewPassword,
): Promise<void> {
  await trx.updateTable('accounts').set({ password_hash }).where('id', '=', accountId).execute();
  await trx
    .updateTable('mail_links')
    .set({ used: 1 })
    .where('account_id', '=', accountId)
    .where('purpose', '=', 'reset-password')
    .execute();
  await endSessions(trx, accountId, keptSessionId);
  await revokeGrantsIn(trx, clock, { accountId });
}

async function endSessions(trx: Db, accountId: string, keptId = ''): Promise<void> {
  await trx.deleteFrom('sessions').where('account_id', '=', accountId).where('hash', '!=', hashOf(keptId)).execute();
}

/** Revokes all grants to the account's applications; announcing the account's revocation also ends their cached tokens. */
async function revokeOwnGrants(trx: Db, clock: Clock, accountId: string): Promise<void> {
  await trx
    .updateTable('grants')
    .set({ revoked_at: clock.now() })
    .where('revoked_at', 'is', null)
    .where('application_id', 'in', (select) =>
      select.selectFrom('applications').select('id').where('account_id', '=', accountId),
    )
    .execute();
}

function isAwaited({ email, email_confirmed_at, pending_email }: Account, linked: string): boolean {
  return linked === (pending_email ?? (email_confirmed_at === null ? email : undefined));
}

function unconfirmedKey(accountId: string): string {
  return `unconfirmed:${accountId}`;
}

function emailOwner(db: Db, email: string) {
  return db
    .selectFrom('accounts')
    .select(['id', 'email_confirmed_at'])
    .where('email_key', '=', comparable(email))
    .executeTakeFirst();
}

/** The unique index decides who has an address. */
function refuseDuplicate(error: Error & { code?: string; errcode?: number }): never {
  const isDuplicate = error.code === '23505' || error.errcode === sqliteDuplicate;
  throw isDuplicate ? new StoreRefusal('email_taken', { cause: error }) : error;
}
const sqliteDuplicate = 2067;

/** Normalizes usernames and addresses for comparison. A username has no "@", so it never equals an address. */
export function comparable(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}
