// Accounts in the database (§5.2): names and addresses are unique without regard to case.
import type { Kysely, Selectable } from 'kysely';
import type { Clock } from '#contract/clock.ts';
import type { Tables } from '../database/tables.ts';
import type { Passwords } from './passwords.ts';
import type { AccountTables } from './tables.ts';

export type Account = Selectable<AccountTables['accounts']>;

export type AccountStore = {
  find(id: string): Promise<Account | undefined>;
  /** By username or email address (§4.2), with the right password; undefined otherwise, in the same time. */
  signIn(usernameOrEmail: string, password: string): Promise<Account | undefined>;
};

type Needs = { db: Kysely<Tables>; clock: Clock; passwords: Passwords };

export function createAccountStore({ db, passwords }: Needs): AccountStore {
  return {
    find: (id) =>
      db.selectFrom('accounts').selectAll().where('id', '=', id).where('disabled_at', 'is', null).executeTakeFirst(),

    async signIn(usernameOrEmail, password) {
      const key = comparable(usernameOrEmail);
      const account = await db
        .selectFrom('accounts')
        .selectAll()
        .where((where) => where.or([where('username_key', '=', key), where('email_key', '=', key)]))
        .where('disabled_at', 'is', null)
        .executeTakeFirst();
      const fits = await passwords.verify(password, account?.password_hash);
      return fits ? account : undefined;
    },
  };
}

/** Usernames and addresses as they are compared. Usernames hold no "@", so one never equals another's address. */
export function comparable(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}
