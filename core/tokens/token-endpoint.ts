// Token requests of the app (docs/interface.md §4.2, RFC 6749 §4.4 and §6), sent like every other request. The documented content type
// comes first; a service that knows only RFC 6749's gets that one, and it is remembered.
import { documentedFormType, standardFormType } from '@rainbell/contract/service-api';
import type { AppErrorCode, Deviation } from '@rainbell/contract/app-rpc';
import { AppFailure } from '../errors/app-failure.ts';
import { hostOf } from '../http/http-headers.ts';
import type { HttpResponse, HttpSender } from '../http/http-sender.ts';
import { serviceMessage, withReason } from '../http/service-message.ts';
import { statusFailure } from '../http/status-failure.ts';
import { type ClientCredentials, hasRawForm, type RequestForm, sendForm } from './send-form.ts';
import { readTokenResponse, type ReceivedToken } from './token-response.ts';

export type TokenRequest =
  | { grant: 'client_credentials' }
  | { grant: 'refresh_token'; refreshToken: string }
  | { grant: 'authorization_code'; code: string; redirectUri: string; codeVerifier: string | undefined }
  | { grant: 'password'; username: string; password: string; scope: string };

export type TokenEndpoint = ReturnType<typeof createTokenEndpoint>;

export function createTokenEndpoint(http: HttpSender, credentials: ClientCredentials & { baseUrl: string }) {
  const url = `${credentials.baseUrl}/token/`;
  /** The request form that this service accepts, as far as known; proven by its first token. */
  let form: RequestForm = { contentType: documentedFormType, basic: 'encoded' };
  let isProven = false;

  /** Each form that did not work is followed by the next one, until the service has given a token once. */
  async function sendInFittingForm(
    request: TokenRequest,
    watch: (response: HttpResponse) => void,
  ): Promise<{ response: HttpResponse; form: RequestForm }> {
    const attempt = async (tried: RequestForm) => {
      const response = await sendForm(http, url, fieldsOf(request), credentials, tried);
      watch(response);
      return { response, form: tried };
    };
    // Another request may prove a form meanwhile, which says nothing of this one's.
    const isSettled = isProven;
    let best = await attempt(form);
    while (!isSettled) {
      const isUnread = best.form.contentType !== standardFormType && mayBeUnread(best.response);
      const isRefused = best.form.basic === 'encoded' && refusesClient(best.response) && hasRawForm(credentials);
      if (!isUnread && !isRefused) break;
      const other = isUnread ? { contentType: standardFormType } : ({ basic: 'raw' } as const);
      const next = await attempt({ ...best.form, ...other });
      if (isUnread ? failsToRead(next.response) : refusesClient(next.response)) break;
      best = next;
      if (isUnread && isOAuthError(next.response)) form = { ...form, contentType: standardFormType };
    }
    return best;
  }

  return {
    /**
     * `watch` sees each exchange, with its secrets. Throws AppFailure: NETWORK, SERVER, RATE_LIMITED, INVALID_CLIENT,
     * INVALID_GRANT, UNAUTHORIZED_CLIENT, INVALID_SCOPE, REFUSED, PROTOCOL.
     */
    async request(request: TokenRequest, watch: (response: HttpResponse) => void = () => {}): Promise<ReceivedToken> {
      const { response, form: fitting } = await sendInFittingForm(request, watch);
      // Some services answer 200 and mean an error.
      if (!isSuccess(response) || serviceMessage(response).error !== undefined) {
        throw tokenFailure(response, request.grant);
      }
      const received = readTokenResponse(response);
      form = fitting;
      isProven = true;
      return fitting.basic === 'raw' ? { ...received, deviations: [...received.deviations, rawBasic] } : received;
    },
  };
}

function fieldsOf(request: TokenRequest): Record<string, string> {
  const grant = { grant_type: request.grant };
  switch (request.grant) {
    case 'client_credentials':
      return grant;
    case 'refresh_token':
      return { ...grant, refresh_token: request.refreshToken };
    case 'authorization_code': {
      const { code, redirectUri, codeVerifier } = request;
      const proof = codeVerifier === undefined ? {} : { code_verifier: codeVerifier };
      return { ...grant, code, redirect_uri: redirectUri, ...proof };
    }
    case 'password': {
      const { username, password, scope } = request;
      return { ...grant, username, password, ...(scope === '' ? {} : { scope }) };
    }
  }
}

const rawBasic: Deviation = {
  section: 'RFC 6749 §2.3.1',
  message: 'The service doesn’t URL-decode the client ID and secret, so they are sent unencoded.',
};

function isSuccess({ status }: HttpResponse): boolean {
  return status >= 200 && status < 300;
}

/** A 500 or 501 is how some frameworks say that they have no parser for the type. */
function failsToRead({ status }: HttpResponse): boolean {
  return status === 415 || status === 500 || status === 501;
}

/**
 * Whether the content type can be the reason: the service fails to read it, misses what was sent, or refuses the request in
 * another way than OAuth's (FastAPI returns 422 with the fields that it misses). A 429 is about something else.
 */
function mayBeUnread(response: HttpResponse): boolean {
  if (failsToRead(response)) return true;
  const { status } = response;
  if (status < 400 || status >= 500 || status === 429) return false;
  const { error } = serviceMessage(response);
  return !isOAuthError(response) || error === 'invalid_request' || error === 'unsupported_grant_type';
}

const oauthErrors = new Set([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
]);

/** RFC 6749 §5.2. */
function isOAuthError(response: HttpResponse): boolean {
  return oauthErrors.has(serviceMessage(response).error ?? '');
}

function refusesClient(response: HttpResponse): boolean {
  return response.status < 500 && serviceMessage(response).error === 'invalid_client';
}

type MessageFormat = (host: string) => string;

const grantMessages: Readonly<Record<TokenRequest['grant'], MessageFormat>> = {
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

/** Explains a rejected request to the user, depending on the grant (RFC 6749 section 5.2). */
function tokenFailure(response: HttpResponse, grant: TokenRequest['grant']): AppFailure {
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
  return statusFailure(response) ?? failure('REFUSED', `${host} returned an error for the token request.`);
}
