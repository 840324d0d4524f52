// Explains a rejected token request to the user, depending on the grant (docs/interface.md §4.2, RFC 6749 section 5.2).
import type { AppErrorCode } from '@rainbell/contract/app-rpc';
import { AppFailure } from '../errors/app-failure.ts';
import { statusFailure } from '../http/status-failure.ts';
import { serviceMessage, withReason } from '../http/service-message.ts';
import type { HttpResponse } from '../http/http-sender.ts';
import { hostOf } from '../http/http-headers.ts';

type Grant = 'client_credentials' | 'refresh_token' | 'authorization_code' | 'password';
type MessageFormat = (host: string) => string;

const grantMessages: Readonly<Record<Grant, MessageFormat>> = {
  password: (host) => `${host} refused the username or password. Enter both again.`,
  authorization_code: (host) => `${host} refused the authorization code. Sign in again.`,
  refresh_token: (host) => `${host} no longer accepts this authorization. Sign in again.`,
  client_credentials: (host) => `${host} refused the application’s token request. Check the connection.`,
};

const messages: Readonly<Record<string, readonly [AppErrorCode, MessageFormat]>> = {
  unauthorized_client: [
    'UNAUTHORIZED_CLIENT',
    (host) => `${host} does not allow this application to use this grant type.`,
  ],
  unsupported_grant_type: ['UNAUTHORIZED_CLIENT', (host) => `${host} does not offer this grant type.`],
  invalid_scope: ['INVALID_SCOPE', (host) => `${host} does not allow the requested scope.`],
};

/** For a response that is not a token. */
export function tokenFailure(response: HttpResponse, grant: Grant): AppFailure {
  const host = hostOf(response.request.url);
  const message = serviceMessage(response);
  const { error } = message;
  const { status, trafficId } = response;
  const details = { httpStatus: status, trafficId, ...(error === undefined ? {} : { error }) };
  const failure = (code: AppErrorCode, sentence: string) =>
    new AppFailure(code, withReason(sentence, message), details);
  // Some services answer 501 to a grant that they do not offer.
  const isTheirs = response.status >= 500 && error !== 'unsupported_grant_type';
  if (!isTheirs && response.status !== 429) {
    if (error === 'invalid_client' || (response.status === 401 && error !== 'invalid_grant')) {
      return failure('INVALID_CLIENT', `${host} refused the client ID or client secret. Check both in the connection.`);
    }
    if (error === 'invalid_grant') return failure('INVALID_GRANT', grantMessages[grant](host));
    const [code, sentence] = (error === undefined ? undefined : messages[error]) ?? [];
    if (code && sentence) return failure(code, sentence(host));
  }
  if (response.status < 300) {
    return failure('REFUSED', `${host} returned an error for the token request.`);
  }
  return (
    statusFailure(response) ??
    new AppFailure(
      'PROTOCOL',
      `${host} returned status ${response.status} instead of 200 for the token request.`,
      details,
    )
  );
}
