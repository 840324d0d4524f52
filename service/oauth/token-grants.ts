// One function per `grant_type` of the token endpoint (docs/interface.md §4.2): checks the application's permission and the
// parameters, and returns the response.
import type { GrantType, TokenResponse } from '@rainbell/contract/service-api';
import type { Client } from '../accounts/application-store.ts';
import { ServiceError } from '../errors/service-error.ts';
import { type Form, required } from './form-body.ts';
import { narrowScope, storedScope } from './scope.ts';
import type { Grant, NewGrant, TokenStore } from './token-store.ts';

export type TokenRequest = { application: Client; form: Form; address: string };
export type TokenGrant = (request: TokenRequest) => Promise<TokenResponse>;
export type TokenGrants = Readonly<Record<GrantType, TokenGrant>>;

/**
 * `grant_type=client_credentials`: requires a secret; ignores the scope, because there is no user
 * (docs/interface.md §4.2).
 */
export function clientCredentialsGrant(tokens: TokenStore): TokenGrant {
  return async ({ application }) => {
    if (application.is_public === 1) {
      throw new ServiceError(
        'unauthorized_client',
        'A public client cannot keep a secret, so it cannot use client_credentials; open the sign-in page.',
      );
    }
    const { accessToken, refreshToken } = await tokens.issueClientTokens(application);
    return tokenResponse(tokens, accessToken, refreshToken);
  };
}

export function issueNewGrant(tokens: TokenStore, grant: NewGrant): Promise<TokenResponse> {
  return tokens.atOnce(async (own) => issueTokens(own, await own.createGrant(grant)));
}

export async function issueTokens(tokens: TokenStore, grant: Grant): Promise<TokenResponse> {
  const accessToken = await tokens.issueAccessToken(grant, storedScope(grant.scope));
  const refreshToken = await tokens.issueRefreshToken(grant);
  return tokenResponse(tokens, accessToken, refreshToken);
}

function tokenResponse(tokens: TokenStore, accessToken: string, refreshToken: string): TokenResponse {
  return {
    access_token: accessToken,
    token_type: 'bearer',
    expires_in: tokens.lifetimes.accessTokenSeconds,
    refresh_token: refreshToken,
  };
}

const badRefreshToken =
  'The refresh token is unknown, expired, or revoked, or belongs to another application; authorize again.';

/**
 * `grant_type=refresh_token` (RFC 6749 §6): a confidential client keeps its refresh token, a public one gets a new one each
 * time. Reusing a replaced one means that it was copied, so the whole grant ends (RFC 9700 §4.14).
 */
export function refreshGrant(tokens: TokenStore): TokenGrant {
  return async ({ application, form }) => {
    const token = required(form, 'refresh_token');
    const found = await tokens.findRefreshToken(token);
    if (found?.grant.application_id !== application.id) throw new ServiceError('invalid_grant', badRefreshToken);
    if (found.replaced_at !== null) {
      await tokens.revoke({ grantId: found.grant.id });
      throw new ServiceError('invalid_grant', badRefreshToken);
    }
    if (found.expires_at <= tokens.now()) throw new ServiceError('invalid_grant', badRefreshToken);
    const granted = storedScope(found.grant.scope);
    const asked = form.get('scope');
    const scope = asked === undefined ? granted : narrowScope(asked, granted);
    const next = application.is_public === 1 ? await tokens.replaceRefreshToken(found) : token;
    if (next === undefined) throw new ServiceError('invalid_grant', badRefreshToken);
    return tokenResponse(tokens, await tokens.issueAccessToken(found.grant, scope, found.family), next);
  };
}
