// Accounts in the database (§5.2): names and addresses are unique without regard to case.
import type { Kysely, Selectable } from 'kysely';
import type { Clock } from '#contract/clock.ts';
import type { Tables } from '../database/tables.ts';
import { newId } from '../oauth/random-text.ts';
import type { Passwords } from './passwords.ts';
import { alignMonitors } from './pause-monitors.ts';
import { StoreRefusal } from './store-refusal.ts';
import type { AccountTables } from './tables.ts';

export type Account = Selectable<AccountTables['accounts']>;
export type NewAccount = { username: string; email: string; password: string; isOperator?: boolean };

export type AccountStore = {
  list(): Promise<Account[]>;
  /** By username or email address, also a disabled one. */
  findNamed(usernameOrEmail: string): Promise<Account | undefined>;
  /** By username or email address (§4.2), with the right password; undefined otherwise, in the same time. */
  signIn(usernameOrEmail: string, password: string): Promise<Account | undefined>;
  /** Throws a StoreRefusal `username_taken` or `email_taken`. */
  create(account: NewAccount): Promise<Account>;
  /** Throws `email_taken`, or `changed_meanwhile` where the address is no longer `before`. */
  changeEmail(accountId: string, before: string, email: string): Promise<void>;
  /** False where the current password is wrong. */
  changePassword(accountId: string, current: string, next: string): Promise<boolean>;
  /** Without knowing the old one; for the operator. */
  setPassword(accountId: string, password: string): Promise<void>;
  setDisabled(accountId: string, isDisabled: boolean): Promise<void>;
};

type Needs = { db: Kysely<Tables>; clock: Clock; passwords: Passwords };

export function createAccountStore({ db, clock, passwords }: Needs): AccountStore {
  const change = (accountId: string, columns: Partial<Account>) =>
    db.updateTable('accounts').set(columns).where('id', '=', accountId).executeTakeFirst();
  const byId = (id: string) => db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();

  async function findNamed(usernameOrEmail: string): Promise<Account | undefined> {
    const key = comparable(usernameOrEmail);
    return db
      .selectFrom('accounts')
      .selectAll()
      .where((where) => where.or([where('username_key', '=', key), where('email_key', '=', key)]))
      .executeTakeFirst();
  }

  return {
    list: () => db.selectFrom('accounts').selectAll().orderBy('created_at').orderBy('id').execute(),
    findNamed,

    async signIn(usernameOrEmail, password) {
      const found = await findNamed(usernameOrEmail);
      const account = found?.disabled_at === null ? found : undefined;
      const fits = await passwords.verify(password, account?.password_hash);
      return fits ? account : undefined;
    },

    async create({ username, email, password, isOperator = false }) {
      const account: Account = {
        id: newId(),
        username,
        username_key: comparable(username),
        email,
        email_key: comparable(email),
        password_hash: await passwords.hash(password),
        is_operator: isOperator ? 1 : 0,
        created_at: clock.now(),
        disabled_at: null,
      };
      await db.transaction().execute(async (trx) => {
        await refuseTaken(trx, account);
        await trx.insertInto('accounts').values(account).execute();
      });
      return account;
    },

    changeEmail: (accountId, before, email) =>
      db.transaction().execute(async (trx) => {
        const owner = await emailOwner(trx, email);
        if (owner !== undefined && owner !== accountId) throw new StoreRefusal('email_taken');
        const changed = await trx
          .updateTable('accounts')
          .set({ email, email_key: comparable(email) })
          .where('id', '=', accountId)
          .where('email', '=', before)
          .executeTakeFirst();
        if (changed.numUpdatedRows !== 1n) throw new StoreRefusal('changed_meanwhile');
      }),

    async changePassword(accountId, current, next) {
      const account = await byId(accountId);
      if (!(await passwords.verify(current, account?.password_hash))) return false;
      await change(accountId, { password_hash: await passwords.hash(next) });
      return true;
    },
    async setPassword(accountId, password) {
      await change(accountId, { password_hash: await passwords.hash(password) });
    },
    async setDisabled(accountId, isDisabled) {
      await change(accountId, { disabled_at: isDisabled ? clock.now() : null });
      await alignMonitors(db, clock, accountId);
    },
  };
}

async function refuseTaken(db: Kysely<Tables>, account: Account): Promise<void> {
  const named = await db
    .selectFrom('accounts')
    .select('id')
    .where('username_key', '=', account.username_key)
    .executeTakeFirst();
  if (named) throw new StoreRefusal('username_taken');
  if ((await emailOwner(db, account.email)) !== undefined) throw new StoreRefusal('email_taken');
}

async function emailOwner(db: Kysely<Tables>, email: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('accounts')
    .select('id')
    .where('email_key', '=', comparable(email))
    .executeTakeFirst();
  return row?.id;
}

/** Usernames and addresses as they are compared. Usernames hold no "@", so one never equals another's address. */
export function comparable(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}
