// Token requests of the app (docs/interface.md §4.2, RFC 6749 §4.4 and §6) through oauth4webapi, sent like every other
// request. The documented content type comes first; a service that knows only RFC 6749's gets that one, and it is
// remembered.
import {
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  clientCredentialsGrantRequest,
  customFetch,
  genericTokenEndpointRequest,
  nopkce,
  refreshTokenGrantRequest,
  type AuthorizationServer,
  type Client,
} from 'oauth4webapi';
import { isLoopback } from '@rainbell/shared';
import { documentedFormType, standardFormType } from '@rainbell/contract/service-api';
import type { Deviation } from '@rainbell/contract/app-rpc';
import { AppFailure } from '../errors/app-failure.ts';
import { type BasicForm, clientAuthentication, hasRawForm } from './client-authentication.ts';
import type { HttpResponse, HttpSender } from '../http/http-sender.ts';
import { serviceMessage } from '../http/service-message.ts';
import { responseLimits } from '../http/response-limits.ts';
import { readTokenResponse, type ReceivedToken } from './token-response.ts';
import { tokenFailure } from './token-failure.ts';

/** `clientSecret` undefined: a public client, which sends no Basic authentication (docs/interface.md §5.3). */
export type ClientCredentials = { baseUrl: string; clientId: string; clientSecret: string | undefined };

export type TokenRequest =
  | { grant: 'client_credentials' }
  | { grant: 'refresh_token'; refreshToken: string }
  /** `response`: the dialog's parameters, checked by oauth4webapi's validateAuthResponse. */
  | { grant: 'authorization_code'; response: URLSearchParams; redirectUri: string; codeVerifier: string | undefined }
  | { grant: 'password'; username: string; password: string; scope: string };

export type TokenEndpoint = ReturnType<typeof createTokenEndpoint>;

export function createTokenEndpoint(http: HttpSender, credentials: ClientCredentials) {
  const url = `${credentials.baseUrl}/token/`;
  const server: AuthorizationServer = { issuer: credentials.baseUrl, token_endpoint: url };
  const client: Client = { client_id: credentials.clientId };
  /** The request form that this service accepts, as far as known; proven by its first token. */
  let form: RequestForm = { contentType: documentedFormType, basic: 'encoded' };
  let isProven = false;

  async function send(request: TokenRequest, { contentType, basic }: RequestForm): Promise<HttpResponse> {
    let response: HttpResponse | undefined;
    const authentication = clientAuthentication(credentials, basic);
    const options = {
      [allowInsecureRequests]: isLoopbackHttp(url),
      [customFetch]: async (target: string, init: { body: URLSearchParams; headers: Record<string, string> }) => {
        const headers = Object.entries({ ...init.headers, 'content-type': contentType });
        response = await http.send({
          method: 'POST',
          url: target,
          headers,
          body: init.body.toString(),
          kind: 'token',
          limit: responseLimits.token,
        });
        return toResponse(response);
      },
    };
    switch (request.grant) {
      case 'client_credentials':
        await clientCredentialsGrantRequest(server, client, authentication, {}, options);
        break;
      case 'refresh_token':
        await refreshTokenGrantRequest(server, client, authentication, request.refreshToken, options);
        break;
      case 'authorization_code': {
        const { response: parameters, redirectUri, codeVerifier = nopkce } = request;
        await authorizationCodeGrantRequest(
          server,
          client,
          authentication,
          parameters,
          redirectUri,
          codeVerifier,
          options,
        );
        break;
      }
      case 'password': {
        const { username, password, scope } = request;
        const parameters = { username, password, ...(scope === '' ? {} : { scope }) };
        await genericTokenEndpointRequest(server, client, authentication, 'password', parameters, options);
      }
    }
    if (!response) throw new Error('oauth4webapi returned without sending a request');
    return response;
  }

  /** Each form that did not work is followed by the next one, until the service has given a token once. */
  async function sendInFittingForm(
    request: TokenRequest,
    watch: (response: HttpResponse) => void,
  ): Promise<{ response: HttpResponse; form: RequestForm }> {
    const attempt = async (tried: RequestForm) => {
      const response = await send(request, tried);
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
      requireHttpsOrLoopback(url);
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

type RequestForm = { contentType: string; basic: BasicForm };

const rawBasic: Deviation = {
  section: 'RFC 6749 §2.3.1',
  message: 'The service doesn’t URL-decode the client ID and secret, so they are sent unencoded.',
};

export function toResponse(response: HttpResponse): Response {
  const hasNoBody = response.status === 204 || response.status === 304;
  const headers = response.headers.filter(([name]) => !/^(content-encoding|content-length)$/i.test(name));
  return new Response(hasNoBody ? null : new Uint8Array(response.body), { status: response.status, headers });
}

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

export function isLoopbackHttp(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed?.protocol === 'http:' && isLoopback(parsed.hostname);
}

/** The client secret is in this request, so it is sent only encrypted or within this machine. */
function requireHttpsOrLoopback(url: string): void {
  if (URL.parse(url)?.protocol === 'https:' || isLoopbackHttp(url)) return;
  throw new AppFailure(
    'INVALID_INPUT',
    'The base URL must start with https:// (or http:// on this computer), because the client secret is sent to it.',
    {
      field: 'baseUrl',
    },
  );
}
