// Parses the parameters of the authorization request (docs/interface.md §4.1). Until client and redirect URI are both verified, an
// error is a page; after that it goes to the redirect URI (RFC 6749 §4.1.2.1, §4.2.2.1).
import { type Application, redirectUrisOf } from '../../accounts/application-store.ts';
import { isRegisteredRedirect } from '../../accounts/redirect-rules.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { readScope } from '../../oauth/scope.ts';
import type { Website } from '../website.ts';

/** `issuer`: the value of `iss` (RFC 9207). */
type RedirectTarget = {
  redirectUri: string;
  responseType: 'code' | 'token';
  rawState: string | null;
  issuer: string;
};

export type DialogRequest = RedirectTarget & {
  application: Application;
  scope: readonly string[];
  codeChallenge: string | null;
};

/** `refused`: the complete redirect URL. Throws a ServiceError for errors that must be shown on a page. */
export type DialogReading = { kind: 'asked'; request: DialogRequest } | { kind: 'refused'; location: string };

export async function readDialogRequest(
  rawQuery: string,
  { applications, baseUrl }: Pick<Website, 'applications' | 'baseUrl'>,
): Promise<DialogReading> {
  const query = new URLSearchParams(rawQuery);
  const application = await findApplication(query, applications);
  const redirectUri = findRedirectUri(query, application);
  const place: RedirectTarget = {
    redirectUri,
    responseType: query.get('response_type') === 'token' ? 'token' : 'code',
    rawState: rawParameter(rawQuery, 'state'),
    issuer: baseUrl,
  };
  const refuse = (error: string, error_description: string): DialogReading => ({
    kind: 'refused',
    location: redirectResponse(place, { error, error_description }),
  });

  const repeated = knownParameters.find((name) => query.getAll(name).length > 1);
  if (repeated !== undefined) return refuse('invalid_request', `The ${repeated} parameter appears more than once.`);
  const responseType = query.get('response_type') ?? '';
  if (responseType === '')
    return refuse('invalid_request', 'The response_type parameter is missing; it must be code or token.');
  if (responseType !== 'code' && responseType !== 'token') {
    return refuse('unsupported_response_type', 'The response_type parameter must be code or token.');
  }
  const scopeText = query.get('scope') ?? '';
  if (scopeText.trim() === '') return refuse('invalid_request', 'The scope parameter is missing; request post_metag.');
  const scope = scopeOrError(scopeText);
  if (typeof scope === 'string') return refuse('invalid_scope', scope);
  const challenge = responseType === 'code' ? (query.get('code_challenge') ?? '') : '';
  const method = responseType === 'code' ? (query.get('code_challenge_method') ?? '') : '';
  const problem = challengeProblem(challenge, method);
  if (problem !== undefined) return refuse('invalid_request', problem);
  if (challenge === '' && application.requires_pkce === 1) {
    return responseType === 'code'
      ? refuse('invalid_request', pkceMissing)
      : refuse('unauthorized_client', "This application's 'Require PKCE' setting is on: use response_type=code.");
  }
  return {
    kind: 'asked',
    request: { ...place, application, scope, codeChallenge: challenge === '' ? null : challenge },
  };
}

const pkceMissing =
  "This application's 'Require PKCE' setting is on: send code_challenge and code_challenge_method=S256 (RFC 7636).";

const knownParameters = ['response_type', 'scope', 'state', 'code_challenge', 'code_challenge_method'];

async function findApplication(query: URLSearchParams, applications: Website['applications']): Promise<Application> {
  const application = await applications.findActive(single(query, 'client_id', 'which identifies the application'));
  if (application) return application;
  throw new ServiceError('invalid_request', 'The application that sent you here is unknown to this service.');
}

function findRedirectUri(query: URLSearchParams, application: Application): string {
  const redirectUri = single(query, 'redirect_uri', 'the URL to return to');
  if (isRegisteredRedirect(redirectUri, redirectUrisOf(application))) return redirectUri;
  throw new ServiceError(
    'invalid_request',
    'The return URL (redirect_uri) is not registered for this application, so nothing was sent there.',
  );
}

function single(query: URLSearchParams, name: string, meaning: string): string {
  const [value, ...more] = query.getAll(name);
  if (value !== undefined && value !== '' && more.length === 0) return value;
  const text = `The link that brought you here must contain exactly one ${name}, ${meaning}.`;
  throw new ServiceError('invalid_request', text);
}

function scopeOrError(text: string): readonly string[] | string {
  try {
    return readScope(text);
  } catch (error) {
    if (error instanceof ServiceError) return error.message;
    throw error;
  }
}

/** PKCE is optional, but must be S256: `plain`, the default of RFC 7636 §4.3, is rejected. */
function challengeProblem(challenge: string, method: string): string | undefined {
  if (challenge === '' && method === '') return undefined;
  if (challenge === '') return 'The code_challenge_method parameter was sent without code_challenge.';
  if (method !== 'S256') return 'The code_challenge_method parameter must be S256.';
  const isChallenge = /^[A-Za-z0-9\-_]{43}$/.test(challenge);
  return isChallenge ? undefined : 'The code_challenge parameter must be 43 base64url characters.';
}

/**
 * Builds the URL to which the authorization redirects at its end (docs/interface.md §4.1): the registered text unchanged, with the
 * response in the query or fragment. `state` is first, byte for byte as sent; `iss` is last, also in errors and fragments (RFC 9207 §2),
 * so clients that depend on the interface's order still work.
 */
export function redirectResponse(place: RedirectTarget, answer: Readonly<Record<string, string>>): string {
  const { redirectUri, responseType, rawState, issuer } = place;
  const state = rawState === null ? [] : [`state=${rawState}`];
  const parameters = { ...answer, iss: issuer };
  const text = [
    ...state,
    ...Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`),
  ].join('&');
  if (responseType === 'token') return `${redirectUri}#${text}`;
  if (!redirectUri.includes('?')) return `${redirectUri}?${text}`;
  return /[?&]$/.test(redirectUri) ? `${redirectUri}${text}` : `${redirectUri}&${text}`;
}

/** Still percent-encoded, null if absent or empty; encodes only what a header cannot contain. Node decodes URLs as Latin-1. */
function rawParameter(rawQuery: string, name: string): string | null {
  for (const part of rawQuery.split('&')) {
    const [key = '', ...rest] = part.split('=');
    if (new URLSearchParams(`${key}=`).has(name)) {
      const value = rest.join('=');
      return value === ''
        ? null
        : value.replaceAll(/[^\x21\x24-\x3B\x3D\x3F-\x5B\x5D\x5F\x61-\x7A\x7E]/g, percentEncoded);
    }
  }
  return null;
}

/** Encodes one byte of a URL, as decoded by Node. */
export function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/** Returns what a Content-Security-Policy must allow for the redirect: the origin, or the scheme if it has none. */
export function formTarget(redirectUri: string): string {
  const { protocol, host, hostname } = new URL(redirectUri);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  // A policy cannot contain an IPv6 literal.
  return isWeb && !hostname.startsWith('[') ? `${protocol}//${host}` : protocol;
}
