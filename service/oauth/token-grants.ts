// One function per `grant_type` of the token endpoint (docs/interface.md §4.2): checks the application's permission and the
// parameters, and returns the response.
import { createHash } from 'node:crypto';
import type { GrantType, TokenResponse } from '@rainbell/contract/service-api';
import type { Application } from '../accounts/application-store.ts';
import type { SignIn } from '../accounts/sign-in.ts';
import { ServiceError } from '../errors/service-error.ts';
import { type Form, required } from './form-body.ts';
import { narrowScope, readScope, storedScope } from './scope.ts';
import type { Code, Grant, TokenStore } from './token-store.ts';

type TokenRequest = { application: Application; form: Form; address: string };
export type TokenGrants = Readonly<Record<GrantType, (request: TokenRequest) => Promise<TokenResponse>>>;

const badRefreshToken =
  'The refresh token is unknown, expired, or revoked, or belongs to another application; authorize again.';
const badCode =
  'The code is unknown, expired, or used, or belongs to another application; open the sign-in page again.';

export function createTokenGrants(tokens: TokenStore, signIn: SignIn): TokenGrants {
  const responseOf = (accessToken: string, refreshToken: string): TokenResponse => ({
    access_token: accessToken,
    token_type: 'bearer',
    expires_in: tokens.lifetimes.accessTokenSeconds,
    refresh_token: refreshToken,
  });

  /** A first access token with the full grant, and its refresh token. */
  async function issueTokens(own: TokenStore, grant: Grant): Promise<TokenResponse> {
    const accessToken = await own.issueAccessToken(grant, storedScope(grant.scope));
    return responseOf(accessToken, await own.issueRefreshToken(grant));
  }

  /** Revokes the tokens of a code that is used twice, because someone else may have seen it (RFC 6749 §4.1.2). */
  async function reused(code: Code): Promise<ServiceError> {
    await tokens.revoke({ grantId: code.grant_id });
    return new ServiceError('invalid_grant', badCode);
  }

  return {
    /** Once, within its lifetime, by the same application and with the same redirect URI. */
    async authorization_code({ application, form }) {
      const text = required(form, 'code');
      const redirectUri = required(form, 'redirect_uri');
      const code = await tokens.findCode(text);
      if (code?.grant.application_id !== application.id) throw new ServiceError('invalid_grant', badCode);
      if (code.used === 1) throw await reused(code);
      if (code.expires_at <= tokens.now()) throw new ServiceError('invalid_grant', badCode);
      if (code.redirect_uri !== redirectUri) {
        throw new ServiceError('invalid_grant', 'The redirect_uri differs from the one in the authorization request.');
      }
      checkVerifier(code.code_challenge, form.get('code_verifier'));
      const response = await tokens.atOnce(async (own) =>
        (await own.consumeCode(code)) ? issueTokens(own, code.grant) : undefined,
      );
      if (response) return response;
      throw await reused(code);
    },

    /** Only with the operator's flag, which is off by default. */
    async password({ application, form, address }) {
      if (application.allows_password !== 1) {
        throw new ServiceError(
          'unauthorized_client',
          'The operator has not authorized this application for the password grant; open the sign-in page.',
        );
      }
      const username = required(form, 'username');
      const password = required(form, 'password');
      const scope = readScope(form.get('scope') ?? '');
      const account = await signIn({ username, password, address });
      if (!account) throw new ServiceError('invalid_grant', 'The username or the password is wrong.');
      const grant = { applicationId: application.id, accountId: account.id, kind: 'password', scope } as const;
      return tokens.atOnce(async (own) => issueTokens(own, await own.createGrant(grant)));
    },

    /** Requires a secret; ignores the scope, because there is no user (docs/interface.md §4.2). */
    async client_credentials({ application }) {
      if (application.is_public === 1) {
        throw new ServiceError(
          'unauthorized_client',
          'A public client cannot keep a secret, so it cannot use client_credentials; open the sign-in page.',
        );
      }
      const { accessToken, refreshToken } = await tokens.issueClientTokens(application);
      return responseOf(accessToken, refreshToken);
    },

    /** RFC 6749 §6. Only a public client's refresh token is replaced; the use of a replaced one ends the grant (RFC 9700 §4.14). */
    async refresh_token({ application, form }) {
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
      return responseOf(await tokens.issueAccessToken(found.grant, scope, found.family), next);
    },
  };
}

/** RFC 7636, only S256: `plain` gives no protection if a code is stolen. A verifier has 43 to 128 unreserved characters (§4.1). */
function checkVerifier(challenge: string | null, verifier: string | undefined): void {
  if (challenge === null && verifier === undefined) return;
  const isValid = verifier !== undefined && /^[A-Za-z0-9\-._~]{43,128}$/.test(verifier);
  if (isValid && createHash('sha256').update(verifier).digest('base64url') === challenge) return;
  throw new ServiceError('invalid_grant', 'The code_verifier does not match the code_challenge.');
}
