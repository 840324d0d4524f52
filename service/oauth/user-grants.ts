// Grants by a user (docs/interface.md §4.2): the code from the sign-in page, and the password for applications that the operator
// authorized.
import type { SignIn } from '../accounts/sign-in.ts';
import { ServiceError } from '../errors/service-error.ts';
import { required } from './form-body.ts';
import { challengeOf, isVerifier } from './pkce.ts';
import { readScope } from './scope.ts';
import { issueNewGrant, issueTokens, type TokenGrant } from './token-grants.ts';
import type { Code, TokenStore } from './token-store.ts';

/** `grant_type=password`: only with the operator's flag, which is off by default. */
export function passwordGrant(tokens: TokenStore, signIn: SignIn): TokenGrant {
  return async ({ application, form, address }) => {
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
    const { id: applicationId } = application;
    return issueNewGrant(tokens, { applicationId, accountId: account.id, kind: 'password', scope });
  };
}

const badCode =
  'The code is unknown, expired, or used, or belongs to another application; open the sign-in page again.';

/** `grant_type=authorization_code`: once, within its lifetime, by the same application and with the same redirect URI. */
export function authorizationCodeGrant(tokens: TokenStore): TokenGrant {
  return async ({ application, form }) => {
    const text = required(form, 'code');
    const redirectUri = required(form, 'redirect_uri');
    const code = await tokens.findCode(text);
    if (code?.grant.application_id !== application.id) throw new ServiceError('invalid_grant', badCode);
    if (code.used === 1) throw await reused(tokens, code);
    if (code.expires_at <= tokens.now()) throw new ServiceError('invalid_grant', badCode);
    if (code.redirect_uri !== redirectUri) {
      throw new ServiceError('invalid_grant', 'The redirect_uri differs from the one in the authorization request.');
    }
    checkVerifier(code.code_challenge, form.get('code_verifier'));
    const response = await tokens.atOnce(async (own) =>
      (await own.consumeCode(code)) ? issueTokens(own, code.grant) : undefined,
    );
    if (response) return response;
    throw await reused(tokens, code);
  };
}

/** Revokes the tokens of a code that is used twice, because someone else may have seen it (RFC 6749 §4.1.2). */
async function reused(tokens: TokenStore, code: Code): Promise<ServiceError> {
  await tokens.revoke({ grantId: code.grant_id });
  return new ServiceError('invalid_grant', badCode);
}

function checkVerifier(challenge: string | null, verifier: string | undefined): void {
  if (challenge === null && verifier === undefined) return;
  if (verifier !== undefined && isVerifier(verifier) && challengeOf(verifier) === challenge) return;
  throw new ServiceError('invalid_grant', 'The code_verifier does not match the code_challenge.');
}
