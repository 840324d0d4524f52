// Explains a rejected token request to the user, depending on the grant (docs/interface.md §4.2, RFC 6749 section 5.2).
import type { AppErrorCode } from '#contract/app-rpc/app-errors.ts';
import { AppFailure } from '#core/errors/app-failure.ts';
import { statusFailure } from '#core/http/status-failure.ts';
import { serviceMessage } from '#core/http/service-message.ts';
import type { HttpResponse } from '#core/http/http-sender.ts';
import { hostOf } from '#core/http/http-headers.ts';

type Grant = 'client_credentials' | 'refresh_token' | 'authorization_code' | 'password' | 'device_code';
type MessageFormat = (host: string, text: string) => string;

const grantLabels: Readonly<Record<Grant, MessageFormat>> = {
  password: (host, text) => `${host} refused the user name or password${text}. Type both again.`,
  authorization_code: (host, text) => `${host} refused the authorization code${text}. Sign in again.`,
  refresh_token: (host, text) => `${host} no longer accepts this authorization${text}. Sign in again.`,
  device_code: (host, text) => `${host} refused the device code${text}. Sign in again.`,
  client_credentials: (host, text) => `${host} refused the application’s request${text}. Check the connection.`,
};

const messages: Readonly<Record<string, readonly [AppErrorCode, MessageFormat]>> = {
  unauthorized_client: [
    'UNAUTHORIZED_CLIENT',
    (host, text) => `${host} does not allow this application to use this grant type${text}.`,
  ],
  unsupported_grant_type: ['UNAUTHORIZED_CLIENT', (host, text) => `${host} does not offer this grant type${text}.`],
  // RFC 8628 section 3.5; device-sign-in.ts goes on after the first two.
  authorization_pending: ['REFUSED', (host, text) => `${host} is still waiting for the user${text}.`],
  slow_down: ['REFUSED', (host, text) => `${host} received too many requests${text}.`],
  access_denied: ['REFUSED', (host, text) => `The user denied access at ${host}${text}.`],
  expired_token: ['REFUSED', (host, text) => `The code of ${host} has expired${text}. Sign in again.`],
  invalid_scope: [
    'INVALID_SCOPE',
    (host, text) => `${host} does not allow the requested scope${text}. The granted scope is unchanged.`,
  ],
};

/** For a response that is not a token. */
export function tokenFailure(response: HttpResponse, grant: Grant): AppFailure {
  const host = hostOf(response.request.url);
  const { error, text } = serviceMessage(response);
  const { status, trafficId } = response;
  const details = { httpStatus: status, trafficId, ...(error === undefined ? {} : { error }) };
  // Some services answer 501 to a grant that they do not offer.
  const isTheirs = response.status >= 500 && error !== 'unsupported_grant_type';
  if (!isTheirs && response.status !== 429) {
    if (error === 'invalid_client' || (response.status === 401 && error !== 'invalid_grant')) {
      return new AppFailure(
        'INVALID_CLIENT',
        `${host} refused the client ID or client secret${text}. Check both in the connection.`,
        details,
      );
    }
    if (error === 'invalid_grant') return new AppFailure('INVALID_GRANT', grantLabels[grant](host, text), details);
    const [code, sentence] = (error === undefined ? undefined : messages[error]) ?? [];
    if (code && sentence) return new AppFailure(code, sentence(host, text), details);
  }
  if (response.status < 300) {
    return new AppFailure('REFUSED', `${host} returned an error for the token request${text}.`, details);
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
