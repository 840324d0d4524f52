// Builds the URL of the authorization page (docs/interface.md §4.1), with PKCE (RFC 7636) if there is a challenge.
import type { ConnectionProfile } from '../connection/connection.ts';

export type AuthorizationQuestion = {
  responseType: 'code' | 'token';
  redirectUri: string;
  scope: string;
  state: string;
  codeChallenge: string | undefined;
};

export function authorizationAddress(
  { authUrl, clientId }: Pick<ConnectionProfile, 'authUrl' | 'clientId'>,
  { responseType, redirectUri, scope, state, codeChallenge }: AuthorizationQuestion,
): string {
  const parameters = new URLSearchParams({
    client_id: clientId,
    response_type: responseType,
    redirect_uri: redirectUri,
    scope,
    state,
    ...(codeChallenge === undefined ? {} : { code_challenge: codeChallenge, code_challenge_method: 'S256' }),
  });
  // Not every service reads a plus as a space.
  return `${authUrl}/oauth/authorize/?${parameters.toString().replaceAll('+', '%20')}`;
}
