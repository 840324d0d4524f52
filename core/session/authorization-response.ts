// Reads the URL at which the dialog ended (docs/interface.md §4.1, RFC 6749 §4.1.2 and §4.2.2). `state` is compared
// before anything else is read; a parameter that appears twice is refused; `iss` must name the connection's service
// (RFC 9207), in errors too; a token in the query is refused, because servers log queries.
import type { Deviation } from '@rainbell/contract/app-rpc';
import type { ExpectedIssuer } from './expected-issuer.ts';

export type AuthorizationResponse =
  | { kind: 'code'; code: string; deviations: Deviation[] }
  | { kind: 'token'; members: Record<string, string>; deviations: Deviation[] }
  | { kind: 'error'; error: string; description: string | null; deviations: Deviation[] }
  | { kind: 'wrong-state'; message: string }
  | { kind: 'unusable'; message: string };

export type ExpectedResponse = { state: string; responseType: 'code' | 'token'; issuer: ExpectedIssuer };

export function readRedirect(url: string, expected: ExpectedResponse): AuthorizationResponse {
  const parsed = URL.parse(url);
  if (!parsed) return unusable('The sign-in page redirected to an invalid URL.');
  const query = parsed.searchParams;
  const fragment = new URLSearchParams(parsed.hash.slice(1));
  const all = [...query, ...fragment];
  const states = all.filter(([name]) => name === 'state').map(([, value]) => value);
  if (states.length !== 1 || states[0] !== expected.state) return wrongState(states.length);
  const repeated = responseParameters.find((name) => all.filter(([other]) => other === name).length > 1);
  if (repeated !== undefined)
    return unusable(`The response contains “${repeated}” more than once, so it was not used.`);
  const issuerProblem = problemOfIssuer(query.get('iss') ?? fragment.get('iss'), expected.issuer);
  if (issuerProblem !== undefined) return unusable(issuerProblem);
  const error = query.get('error') ?? fragment.get('error');
  if (error !== null) return errorResponse(error, query, fragment, expected.responseType);
  return expected.responseType === 'code' ? readCode(query, fragment) : readToken(query, fragment);
}

const responseParameters = [
  'code',
  'access_token',
  'error',
  'error_description',
  'expires_in',
  'token_type',
  'scope',
  'iss',
];

/** RFC 9207 §2.4: a plain comparison of texts. */
function problemOfIssuer(issuer: string | null, { accepted, isRequired }: ExpectedIssuer): string | undefined {
  if (issuer === null) {
    if (!isRequired) return undefined;
    return 'The response doesn’t name the service it came from (iss), although the service’s metadata says that it sends that parameter. Rainbell didn’t use it: another service may have sent it. Sign in again, and tell the operator if it happens again.';
  }
  if (accepted.includes(issuer)) return undefined;
  return `The response came from “${issuer.slice(0, 200)}” (iss), not from ${accepted[0]}. Rainbell didn’t use it: another service may be trying to intercept the sign-in. Check the connection’s URLs.`;
}

function wrongState(count: number): AuthorizationResponse {
  const problem =
    count === 0
      ? 'The response has no “state”, so it does not belong to this sign-in and was not used.'
      : count > 1
        ? 'The response contains “state” more than once, so it does not belong to this sign-in and was not used.'
        : 'The response has a different “state” from the one that was sent, so it does not belong to this sign-in and was not used.';
  return {
    kind: 'wrong-state',
    message: `${problem} Someone may have tampered with the sign-in. Sign in again.`,
  };
}

function errorResponse(
  error: string,
  query: URLSearchParams,
  fragment: URLSearchParams,
  responseType: 'code' | 'token',
): AuthorizationResponse {
  const description = query.get('error_description') ?? fragment.get('error_description');
  const isInFragment = fragment.has('error');
  const deviations: Deviation[] = [];
  if (isInFragment && responseType === 'code') {
    deviations.push({ section: 'RFC 6749 §4.1.2.1', message: 'The error is in the fragment instead of the query.' });
  }
  if (!isInFragment && responseType === 'token') {
    deviations.push({ section: 'RFC 6749 §4.2.2.1', message: 'The error is in the query instead of the fragment.' });
  }
  return { kind: 'error', error: error.slice(0, 100), description: description?.slice(0, 300) ?? null, deviations };
}

function readCode(query: URLSearchParams, fragment: URLSearchParams): AuthorizationResponse {
  const [code, codeInFragment] = [query.get('code'), fragment.get('code')];
  if (code) return { kind: 'code', code, deviations: [] };
  if (codeInFragment) {
    const deviation = { section: 'RFC 6749 §4.1.2', message: 'The code is in the fragment instead of the query.' };
    return { kind: 'code', code: codeInFragment, deviations: [deviation] };
  }
  if (query.has('access_token') || fragment.has('access_token'))
    return unusable('The sign-in page returned a token although a code was requested. It was not used.');
  return unusable('The sign-in page’s response has neither a code nor an error.');
}

function readToken(query: URLSearchParams, fragment: URLSearchParams): AuthorizationResponse {
  if (query.has('access_token'))
    return unusable(
      'The token is in the query, where servers along the way can log it, instead of in the fragment. It was not used; revoke it.',
    );
  if (fragment.get('access_token')) return { kind: 'token', members: Object.fromEntries(fragment), deviations: [] };
  if (fragment.has('id_token'))
    return unusable(
      'The response has an id_token but no access_token. The service uses OpenID Connect here; the API spec requires an access token.',
    );
  if (query.has('code') || fragment.has('code'))
    return unusable('The sign-in page returned a code although a token was requested.');
  return unusable('The sign-in page’s response has neither a token nor an error.');
}

function unusable(message: string): AuthorizationResponse {
  return { kind: 'unusable', message };
}
