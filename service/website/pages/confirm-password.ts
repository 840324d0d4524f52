// Requires the password again for changes that need more than a session.
import type { Account } from '../../accounts/account-store.ts';
import type { SignIn } from '../../accounts/sign-in.ts';
import { FormError } from '../layout/form-error.ts';

/** Throws if the password in that field is missing or wrong. `address`: the client's IP address, for the limits. */
export async function requirePassword(
  signIn: SignIn,
  { username }: Account,
  password: string | undefined,
  field: string,
  address: string,
): Promise<void> {
  if (password === undefined) throw new FormError('credentials_missing', { [field]: 'Enter your password.' });
  if (await signIn({ username, password, address })) return;
  throw new FormError('credentials_wrong', { [field]: "This isn't your current password." });
}
