// Token requests of the app (§4.2, RFC 6749 §4.4 and §6) through oauth4webapi, sent like every other request. The
// documented content type comes first; a service that knows only RFC 6749's gets that one, and it is remembered.
import {
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  clientCredentialsGrantRequest,
  ClientSecretBasic,
  customFetch,
  genericTokenEndpointRequest,
  None,
  nopkce,
  refreshTokenGrantRequest,
  type AuthorizationServer,
  type Client,
} from 'oauth4webapi';
import { documentedFormType, standardFormType } from '#contract/oauth.ts';
import { AppFailure } from '../app-failure.ts';
import { answerFailure, serviceWords } from './answer-failure.ts';
import { hostOf, type HttpExchange, type HttpSender } from './http-exchange.ts';
import { readTokenAnswer, type ReceivedToken } from './token-answer.ts';

/** `clientSecret` undefined: a public client, which sends no Basic authentication (§5.3). */
export type ClientCredentials = { baseUrl: string; clientId: string; clientSecret: string | undefined };

export type TokenRequest =
  | { grant: 'client_credentials' }
  | { grant: 'refresh_token'; refreshToken: string }
  /** `answer`: the dialog's parameters, checked by oauth4webapi's validateAuthResponse. */
  | { grant: 'authorization_code'; answer: URLSearchParams; redirectUri: string; codeVerifier: string | undefined }
  | { grant: 'password'; username: string; password: string; scope: string };

export type TokenEndpoint = {
  /**
   * `watch` sees each exchange, with its secrets. Throws AppFailure: NETWORK, SERVER, RATE_LIMITED, INVALID_CLIENT,
   * INVALID_GRANT, UNAUTHORIZED_CLIENT, INVALID_SCOPE, REFUSED, PROTOCOL.
   */
  request: (request: TokenRequest, watch?: (exchange: HttpExchange) => void) => Promise<ReceivedToken>;
};

export function createTokenEndpoint(http: HttpSender, credentials: ClientCredentials): TokenEndpoint {
  const url = `${credentials.baseUrl}/token/`;
  const server: AuthorizationServer = { issuer: credentials.baseUrl, token_endpoint: url };
  const client: Client = { client_id: credentials.clientId };
  const { clientSecret } = credentials;
  const authentication = clientSecret === undefined ? None() : ClientSecretBasic(clientSecret);
  let formType: string = documentedFormType;

  async function send(request: TokenRequest, contentType: string): Promise<HttpExchange> {
    let exchange: HttpExchange | undefined;
    const options = {
      [allowInsecureRequests]: isLoopbackHttp(url),
      [customFetch]: async (target: string, init: { body: URLSearchParams; headers: Record<string, string> }) => {
        const headers = Object.entries({ ...init.headers, 'content-type': contentType });
        exchange = await http.send({
          method: 'POST',
          url: target,
          headers,
          body: init.body.toString(),
          kind: 'token',
        });
        return toResponse(exchange);
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
        const { answer, redirectUri, codeVerifier = nopkce } = request;
        await authorizationCodeGrantRequest(server, client, authentication, answer, redirectUri, codeVerifier, options);
        break;
      }
      case 'password': {
        const { username, password, scope } = request;
        const parameters = { username, password, ...(scope === '' ? {} : { scope }) };
        await genericTokenEndpointRequest(server, client, authentication, 'password', parameters, options);
      }
    }
    if (!exchange) throw new Error('oauth4webapi answered without sending');
    return exchange;
  }

  async function sendInKnownForm(
    request: TokenRequest,
    watch: (exchange: HttpExchange) => void,
  ): Promise<HttpExchange> {
    const first = await send(request, formType);
    watch(first);
    if (formType === standardFormType || !wasNotUnderstood(first)) return first;
    const second = await send(request, standardFormType);
    watch(second);
    if (second.status === 200) formType = standardFormType;
    return wasNotUnderstood(second) ? first : second;
  }

  return {
    async request(request, watch = () => {}) {
      requireHttpsOrLoopback(url);
      const exchange = await sendInKnownForm(request, watch);
      // Some services answer 200 and mean an error.
      if (exchange.status !== 200 || serviceWords(exchange).error !== undefined) throw tokenFailure(exchange);
      return readTokenAnswer(exchange);
    },
  };
}

export function toResponse(exchange: HttpExchange): Response {
  const hasNoBody = exchange.status === 204 || exchange.status === 304;
  const headers = exchange.headers.filter(([name]) => !/^(content-encoding|content-length)$/i.test(name));
  return new Response(hasNoBody ? null : new Uint8Array(exchange.body), { status: exchange.status, headers });
}

/** A 415, or a 400 that says the request lacks what was sent: the service could not read the content type. */
function wasNotUnderstood(exchange: HttpExchange): boolean {
  if (exchange.status === 415) return true;
  if (exchange.status !== 400) return false;
  const { error } = serviceWords(exchange);
  return error === undefined || error === 'invalid_request' || error === 'unsupported_grant_type';
}

function tokenFailure(exchange: HttpExchange): AppFailure {
  const host = hostOf(exchange.request.url);
  const { error, text } = serviceWords(exchange);
  const details = { httpStatus: exchange.status, ...(error === undefined ? {} : { error }) };
  if (exchange.status < 500 && exchange.status !== 429) {
    if (error === 'invalid_client' || exchange.status === 401) {
      return new AppFailure(
        'INVALID_CLIENT',
        `${host} refused the client id or client secret${text}. Check both in the connection.`,
        details,
      );
    }
    if (error === 'invalid_grant') {
      return new AppFailure(
        'INVALID_GRANT',
        `${host} no longer accepts this authorization${text}. Sign in again.`,
        details,
      );
    }
    if (error === 'unauthorized_client') {
      return new AppFailure(
        'UNAUTHORIZED_CLIENT',
        `${host} does not allow this application this way of getting a token${text}.`,
        details,
      );
    }
    if (error === 'invalid_scope') {
      return new AppFailure('INVALID_SCOPE', `${host} does not allow the scope that was asked for${text}.`, details);
    }
  }
  if (exchange.status === 200) {
    return new AppFailure('REFUSED', `${host} answered the token request with an error${text}.`, details);
  }
  return (
    answerFailure(exchange) ??
    new AppFailure(
      'PROTOCOL',
      `${host} answered the token request with status ${exchange.status} instead of 200 (§4.2).`,
      details,
    )
  );
}

export function isLoopbackHttp(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed?.protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(parsed.hostname);
}

/** The client secret travels in this request, so it goes out encrypted or not at all, except within this machine. */
function requireHttpsOrLoopback(url: string): void {
  if (URL.parse(url)?.protocol === 'https:' || isLoopbackHttp(url)) return;
  throw new AppFailure(
    'INVALID_INPUT',
    'The base URL must begin with https:// (or be http:// on this machine), since the client secret is sent to it.',
    {
      field: 'baseUrl',
    },
  );
}
