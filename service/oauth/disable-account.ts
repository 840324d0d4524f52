import type { OAuth } from './create-oauth.ts';

/** Ends every session and revokes every token of an account, or enables it again. */
export async function setAccountDisabled(
  { accounts, tokens, sessions }: Pick<OAuth, 'accounts' | 'tokens' | 'sessions'>,
  accountId: string,
  isDisabled: boolean,
): Promise<void> {
  await accounts.setDisabled(accountId, isDisabled);
  // Also makes running services notice.
  await tokens.revoke({ accountId });
  if (isDisabled) await sessions.endAll(accountId);
}
