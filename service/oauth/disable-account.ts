import type { OAuth } from './create-oauth.ts';

/** Ends every session, and revokes every token of an account and its applications, or enables it again. */
export async function setAccountDisabled(
  { accounts, sessions }: Pick<OAuth, 'accounts' | 'sessions'>,
  accountId: string,
  isDisabled: boolean,
): Promise<void> {
  await accounts.setDisabled(accountId, isDisabled);
  if (isDisabled) await sessions.endAll(accountId);
}
