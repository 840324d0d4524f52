// Verifies passwords in one way for the sign-in page, the authorization page, the password grant, and the forms that require
// the password again.
import { withoutSlot } from '../http/request-slot.ts';
import { type Account, type AccountStore, comparable } from './account-store.ts';
import type { Passwords } from './passwords.ts';
import type { AttemptGuard } from '../limits/throttle.ts';

export type SignInAttempt = {
  /** A username, or an email address that the account may sign in with (docs/interface.md §4.2). */
  username: string;
  password: string;
  address: string;
};

/** Undefined if the name or the password is wrong; both take the same time. Throws `rate_limited` or `temporarily_unavailable`. */
export type SignIn = (attempt: SignInAttempt) => Promise<Account | undefined>;

type Dependencies = { accounts: Pick<AccountStore, 'findForSignIn'>; passwords: Passwords; guard: AttemptGuard };

export function createSignIn({ accounts, passwords, guard }: Dependencies): SignIn {
  return async ({ username, password, address }) => {
    const found = await accounts.findForSignIn(username);
    // Guesses by username and by email address count together.
    const name = found?.username_key ?? comparable(username);
    const account = found?.disabled_at === null ? found : undefined;
    const check = () => guard.check(address, name);
    await check();
    // Counted before the request waits for its place again, or simultaneous requests would be uncounted guesses.
    return withoutSlot(async () => {
      await guard.slowDown(address);
      const isRight = await passwords.verify(password, account?.password_hash, { address, check });
      if (account && isRight) {
        await guard.succeeded(address, name);
        return account;
      }
      await guard.failed(address, name);
      return undefined;
    });
  };
}
