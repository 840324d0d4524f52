// Accounts in the database (docs/interface.md §5.2): names and confirmed addresses are unique without regard to case.
// An address that waits for its confirmation belongs to no one yet, so it is no reason to refuse anyone.
import type { Kysely, Selectable } from 'kysely';
import type { Clock } from '#shared/time/clock.ts';
import type { Tables } from '../database/tables.ts';
import { consumeLink, type MailedLink } from '../mail/links.ts';
import { hashOf, newId } from '#service/secrets/random-text.ts';
import { revokeGrantsIn } from './revocation.ts';
import type { PasswordRequest, Passwords } from './passwords.ts';
import { alignMonitors } from './pause-monitors.ts';
import { StoreRefusal } from './store-refusal.ts';
import type { AccountTables } from './tables.ts';

export type Account = Selectable<AccountTables['accounts']>;
/**
 * `confirmed`: someone vouches for the address, as the operator does. `claimed`: nobody checked it, and it is the account's
 * nevertheless, since no mail server is configured. `pending`: it becomes the account's by a mailed link.
 */
export type EmailState = 'confirmed' | 'claimed' | 'pending';

export type NewAccount = {
  username: string;
  email: string;
  password: string;
  isOperator?: boolean;
  emailState?: EmailState;
};

export type AccountStore = {
  list(): Promise<Account[]>;
  find(accountId: string): Promise<Account | undefined>;
  /** By username or email address, also a disabled one. */
  findNamed(usernameOrEmail: string): Promise<Account | undefined>;
  /** By username, or by the address if it is confirmed or addresses cannot be confirmed; also a disabled one. */
  findForSignIn(usernameOrEmail: string): Promise<Account | undefined>;
  /** Throws a StoreRefusal `username_taken` or `email_taken`; a pending address is never taken. */
  create(account: NewAccount, request?: PasswordRequest): Promise<Account>;
  /** Without confirmation. Throws `email_taken`, or `changed_meanwhile` if the address is no longer `before`. */
  changeEmail(accountId: string, before: string, email: string): Promise<void>;
  /** Waits for the confirmation of a new address, or of none. Throws `changed_meanwhile` like `changeEmail`. */
  setPendingEmail(accountId: string, before: string, email: string | null): Promise<void>;
  /** Whether an address is another account's confirmed one. */
  isConfirmedElsewhere(accountId: string, email: string): Promise<boolean>;
  /** Gives the account its pending address, or confirms the one it has. Throws `email_taken`. */
  confirmEmail(accountId: string): Promise<Confirmation>;
  /** The same by a mailed link, which is used up by it. Throws `link_used` if it no longer counts. */
  confirmEmailBy(link: MailedLink): Promise<Confirmation>;
  /**
   * In one transaction with the end of all grants and of all sessions except the kept one. The caller has verified the old
   * password, or is the operator.
   */
  setPassword(accountId: string, password: string, options?: PasswordChange): Promise<void>;
  /** The same by a mailed link, which is used up by it. Ends every session. Throws `link_used`. */
  resetPasswordBy(link: MailedLink, password: string, request: PasswordRequest): Promise<Account>;
  setDisabled(accountId: string, isDisabled: boolean): Promise<void>;
  /** Null: the service's settings count for this account. */
  setLimits(
    accountId: string,
    limits: { application_limit?: number | null; monitor_limit?: number | null },
  ): Promise<void>;
};

export type PasswordChange = { request?: PasswordRequest; keptSessionId?: string };

/** `previous`: the confirmed address that was replaced, whose owner should be told. */
export type Confirmation = { account: Account; previous: string | undefined };

/**
 * `confirmsEmail`: a mail server is configured, so addresses are confirmed by links. `onRevoked`: called after tokens were
 * revoked.
 */
type Dependencies = {
  db: Kysely<Tables>;
  clock: Clock;
  passwords: Passwords;
  confirmsEmail: boolean;
  onRevoked?: () => void;
};

export function createAccountStore({
  db,
  clock,
  passwords,
  confirmsEmail,
  onRevoked = () => {},
}: Dependencies): AccountStore {
  const change = (accountId: string, columns: Partial<Account>) =>
    db.updateTable('accounts').set(columns).where('id', '=', accountId).executeTakeFirst();
  const byId = (trx: Kysely<Tables>, id: string) =>
    trx.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
  const inTransaction = <Result>(work: (trx: Kysely<Tables>) => Promise<Result>) =>
    db.transaction().execute(work).catch(refuseDuplicate);

  async function findByName(usernameOrEmail: string, isConfirmedOnly: boolean): Promise<Account | undefined> {
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

  async function confirm(trx: Kysely<Tables>, account: Account): Promise<Confirmation> {
    const email = account.pending_email ?? account.email;
    const owner = await emailOwner(trx, email);
    if (owner !== undefined && owner.id !== account.id) {
      if (owner.email_confirmed_at !== null) throw new StoreRefusal('email_taken');
      // A claim that nobody checked gives way to a proof.
      const email_key = unconfirmedKey(owner.id);
      await trx.updateTable('accounts').set({ email_key }).where('id', '=', owner.id).execute();
    }
    const columns = { email, email_key: comparable(email), email_confirmed_at: clock.now(), pending_email: null };
    await trx.updateTable('accounts').set(columns).where('id', '=', account.id).execute();
    const isNew = account.email_confirmed_at !== null && comparable(account.email) !== comparable(email);
    return { account: { ...account, ...columns }, previous: isNew ? account.email : undefined };
  }

  return {
    list: () => db.selectFrom('accounts').selectAll().orderBy('created_at').orderBy('id').execute(),
    find: (accountId) => byId(db, accountId),
    findNamed: (usernameOrEmail) => findByName(usernameOrEmail, false),
    findForSignIn: (usernameOrEmail) => findByName(usernameOrEmail, confirmsEmail),

    async create({ username, email, password, isOperator = false, emailState = 'confirmed' }, request) {
      const id = newId();
      const isPending = emailState === 'pending';
      const account: Account = {
        id,
        username,
        username_key: comparable(username),
        email,
        email_key: isPending ? unconfirmedKey(id) : comparable(email),
        email_confirmed_at: emailState === 'confirmed' ? clock.now() : null,
        pending_email: isPending ? email : null,
        password_hash: await passwords.hash(password, request),
        is_operator: isOperator ? 1 : 0,
        application_limit: null,
        monitor_limit: null,
        created_at: clock.now(),
        disabled_at: null,
      };
      await inTransaction(async (trx) => {
        await refuseTaken(trx, account, isPending);
        await trx.insertInto('accounts').values(account).execute();
      });
      return account;
    },

    changeEmail: (accountId, before, email) =>
      inTransaction(async (trx) => {
        const owner = await emailOwner(trx, email);
        if (owner !== undefined && owner.id !== accountId) throw new StoreRefusal('email_taken');
        const changed = await trx
          .updateTable('accounts')
          .set({ email, email_key: comparable(email), email_confirmed_at: null, pending_email: null })
          .where('id', '=', accountId)
          .where('email', '=', before)
          .executeTakeFirst();
        if (changed.numUpdatedRows !== 1n) throw new StoreRefusal('changed_meanwhile');
      }),

    async setPendingEmail(accountId, before, email) {
      const changed = await db
        .updateTable('accounts')
        .set({ pending_email: email })
        .where('id', '=', accountId)
        .where('email', '=', before)
        .executeTakeFirst();
      if (changed.numUpdatedRows !== 1n) throw new StoreRefusal('changed_meanwhile');
    },

    async isConfirmedElsewhere(accountId, email) {
      const owner = await emailOwner(db, email);
      return owner !== undefined && owner.id !== accountId && owner.email_confirmed_at !== null;
    },

    confirmEmail: (accountId) =>
      inTransaction(async (trx) => {
        const account = await byId(trx, accountId);
        if (!account) throw new StoreRefusal('unknown');
        return confirm(trx, account);
      }),

    confirmEmailBy: (link) =>
      inTransaction(async (trx) => {
        const isFirst = await consumeLink(trx, clock.now(), link);
        const account = link.accountId === null ? undefined : await byId(trx, link.accountId);
        // Only the address that was asked for last counts, and a disabled account is left as it is.
        if (!isFirst || account?.disabled_at !== null || !isAwaited(account, link.email)) {
          throw new StoreRefusal('link_used');
        }
        return confirm(trx, account);
      }),

    async setPassword(accountId, password, { request, keptSessionId } = {}) {
      const password_hash = await passwords.hash(password, request);
      await inTransaction((trx) => replacePassword(trx, clock, { accountId, password_hash, keptSessionId }));
      onRevoked();
    },

    async resetPasswordBy(link, password, request) {
      const password_hash = await passwords.hash(password, request);
      const changed = await inTransaction(async (trx) => {
        const isFirst = await consumeLink(trx, clock.now(), link);
        const account = link.accountId === null ? undefined : await byId(trx, link.accountId);
        const isOwner = account?.email_confirmed_at !== null && account?.email === link.email;
        if (!isFirst || !isOwner || account.disabled_at !== null) throw new StoreRefusal('link_used');
        await replacePassword(trx, clock, { accountId: account.id, password_hash });
        return account;
      });
      onRevoked();
      return changed;
    },

    async setLimits(accountId, limits) {
      await change(accountId, limits);
    },

    async setDisabled(accountId, isDisabled) {
      await change(accountId, { disabled_at: isDisabled ? clock.now() : null });
      await alignMonitors(db, clock, accountId);
    },
  };
}

type NewPassword = { accountId: string; password_hash: string; keptSessionId?: string | undefined };

/** What the old password gave access to ends with it: sessions, tokens, and links that were mailed to reset it. */
async function replacePassword(
  trx: Kysely<Tables>,
  clock: Clock,
  { accountId, password_hash, keptSessionId = '' }: NewPassword,
): Promise<void> {
  await trx.updateTable('accounts').set({ password_hash }).where('id', '=', accountId).execute();
  await trx
    .updateTable('mail_links')
    .set({ used: 1 })
    .where('account_id', '=', accountId)
    .where('purpose', '=', 'reset-password')
    .execute();
  await trx
    .deleteFrom('sessions')
    .where('account_id', '=', accountId)
    .where('hash', '!=', hashOf(keptSessionId))
    .execute();
  await revokeGrantsIn(trx, clock, { accountId });
}

function isAwaited({ email, email_confirmed_at, pending_email }: Account, linked: string): boolean {
  return linked === (pending_email ?? (email_confirmed_at === null ? email : undefined));
}

/** What no one types as a username or address. */
function unconfirmedKey(accountId: string): string {
  return `unconfirmed:${accountId}`;
}

async function refuseTaken(db: Kysely<Tables>, account: Account, isEmailPending: boolean): Promise<void> {
  const named = await db
    .selectFrom('accounts')
    .select('id')
    .where('username_key', '=', account.username_key)
    .executeTakeFirst();
  if (named) throw new StoreRefusal('username_taken');
  if (!isEmailPending && (await emailOwner(db, account.email)) !== undefined) throw new StoreRefusal('email_taken');
}

function emailOwner(db: Kysely<Tables>, email: string) {
  return db
    .selectFrom('accounts')
    .select(['id', 'email_confirmed_at'])
    .where('email_key', '=', comparable(email))
    .executeTakeFirst();
}

/** Two processes on one PostgreSQL may look at once; then its unique indexes decide. */
function refuseDuplicate(error: unknown): never {
  const isDuplicate = error instanceof Error && 'code' in error && error.code === '23505';
  if (!isDuplicate) throw error;
  const isUsername = 'constraint' in error && String(error.constraint).includes('username');
  throw new StoreRefusal(isUsername ? 'username_taken' : 'email_taken', { cause: error });
}

/** Usernames and addresses as they are compared. Usernames hold no "@", so one never equals another's address. */
export function comparable(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}
