// Applications and accounts for tests that need other ones than the sandbox's.
import type { NewApplication } from '#service/accounts/application-store.ts';
import type { PlanId } from '#service/accounts/plans.ts';
import type { OAuthService } from './oauth-service.ts';

export const carol = { username: 'carol', email: 'carol@example.org', password: 'carol has a long password' };

export type Registered = {
  id: string;
  clientId: string;
  clientSecret: string;
  redirectUri: string;
  accountId: string;
};

type Wishes = Partial<
  Pick<NewApplication, 'isPublic' | 'allowsPassword' | 'requiresPkce' | 'redirectUris' | 'name'>
> & { plan?: PlanId; account?: { id: string } };

/** One application, of carol's account (made at the first call) unless the wishes name another. */
export async function registerApplication(
  { oauth }: Pick<OAuthService, 'oauth'>,
  { plan = 'in-house', account: owner, ...wishes }: Wishes = {},
): Promise<Registered> {
  const account = owner ?? (await oauth.accounts.findNamed(carol.username)) ?? (await oauth.accounts.create(carol));
  await oauth.contracts.ensure(account.id, plan);
  const redirectUris = wishes.redirectUris ?? ['https://app.example.org/callback?from=rainbell'];
  const { id, clientId, clientSecret } = await oauth.applications.create({
    accountId: account.id,
    plan,
    name: 'Umbrella',
    description: 'Tells people to take one.',
    isPublic: false,
    allowsPassword: false,
    requiresPkce: false,
    ...wishes,
    redirectUris,
  });
  return { id, clientId, clientSecret: clientSecret ?? '', redirectUri: redirectUris[0] ?? '', accountId: account.id };
}
