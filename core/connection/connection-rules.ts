// Validates the fields of a connection; the messages say what to do.
import { isLoopback } from '@rainbell/shared';
import type { ConnectionFields } from '@rainbell/contract/app-rpc';
import { AppFailure } from '../errors/app-failure.ts';
import { certificateProblem } from '../http/transport.ts';

type Secret = string | null | undefined;
type Check = (fields: ConnectionFields, secret: Secret) => string | undefined;

/** Per field: why it cannot be taken, or undefined. In the order of the form. */
const checks: readonly (readonly [keyof ConnectionFields | 'clientSecret', Check])[] = [
  ['name', ({ name }) => (name === '' ? 'Enter a name for the connection.' : undefined)],
  ['baseUrl', ({ baseUrl }) => addressProblem('The base URL', baseUrl)],
  ['authUrl', ({ authUrl, redirectUri }) => signInUrlProblem(authUrl, redirectUri)],
  ['clientId', ({ clientId }) => clientIdProblem(clientId)],
  ['clientSecret', (_fields, secret) => secretProblem(secret)],
  ['redirectUri', ({ redirectUri }) => redirectProblem(redirectUri)],
  ['scope', ({ scope }) => scopeProblem(scope)],
  ['caPem', ({ caPem }) => caProblem(caPem)],
  ['proxyUrl', ({ proxyUrl }) => proxyProblem(proxyUrl)],
];

/** Without spaces around, and addresses without slashes at their end. The redirect address stays byte for byte. */
export function tidyFields(fields: ConnectionFields): ConnectionFields {
  return {
    ...fields,
    name: fields.name.trim(),
    baseUrl: fields.baseUrl.trim().replace(/\/+$/, ''),
    authUrl: fields.authUrl.trim().replace(/\/+$/, ''),
    clientId: fields.clientId.trim(),
    redirectUri: fields.redirectUri.trim(),
    scope: fields.scope.trim().split(/\s+/).join(' '),
    caPem: fields.caPem?.trim() || null,
    proxyUrl: fields.proxyUrl?.trim() || null,
  };
}

/** Throws AppFailure INVALID_INPUT for the first field that does not fit, with the problems of all. `secret`: a new one. */
export function checkFields(fields: ConnectionFields, secret?: Secret): void {
  const found = checks.flatMap(([field, check]) => {
    const sentence = check(fields, secret);
    return sentence === undefined ? [] : [[field, sentence] as const];
  });
  if (found[0] === undefined) return;
  const [field, sentence] = found[0];
  throw new AppFailure('INVALID_INPUT', sentence, { field, problems: Object.fromEntries(found) });
}

function addressProblem(what: string, text: string): string | undefined {
  if (text === '')
    return `${what} is missing. The service’s documentation lists it, for example https://api.example.com.`;
  const url = URL.parse(text);
  if (!url) return `${what} is not a full URL; it must look like https://api.example.com.`;
  if (url.username || url.password) return `${what} must not contain a username or password.`;
  if (url.search || url.hash || text.includes('?') || text.includes('#')) {
    return `${what} must not contain a query (?) or fragment (#).`;
  }
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) return undefined;
  if (url.protocol !== 'http:') return `${what} must start with https://.`;
  return `${what} must start with https://, because secrets are sent there. Use http:// only for this computer.`;
}

/** Both may be empty: then the user can’t sign in on a page. */
function signInUrlProblem(authUrl: string, redirectUri: string): string | undefined {
  return authUrl === '' && redirectUri === '' ? undefined : addressProblem('The sign-in URL', authUrl);
}

function clientIdProblem(clientId: string): string | undefined {
  if (clientId === '') return 'The client ID is missing. The developer website shows it with your application.';
  // RFC 6749 appendix A.1: VSCHAR.
  return /^[\x20-\x7E]+$/.test(clientId)
    ? undefined
    : 'The client ID has an invalid character. Copy it again from the developer website.';
}

/** A line end is often copied too, and not kept. RFC 6749 appendix A.2: VSCHAR. */
function secretProblem(secret: Secret): string | undefined {
  if (secret == null || /^[\x20-\x7E]+$/.test(secret.trim())) return undefined;
  return secret.trim() === ''
    ? 'The client secret is empty. Copy it from the developer website, or turn on “Public client (no secret)”.'
    : 'The client secret has an invalid character. Copy it again from the developer website.';
}

function redirectProblem(text: string): string | undefined {
  if (text === '') return undefined;
  const url = URL.parse(text);
  if (!url || /[\s\p{Cc}]/u.test(text))
    return 'The redirect URL is not a full URL. Enter the one registered for the application.';
  if (text.includes('#')) return 'The redirect URL must not have a fragment (#…), which OAuth doesn’t allow.';
  if (url.username || url.password) return 'The redirect URL must not contain a username or password.';
  if (url.protocol === 'https:') return undefined;
  if (url.protocol === 'http:') {
    return isLoopback(url.hostname)
      ? undefined
      : 'The redirect URL must use https://, http:// on this computer, or a custom scheme, such as com.example.app:/done.';
  }
  return /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(url.protocol)
    ? undefined
    : 'A redirect URL with a custom scheme needs a dot in the scheme, such as com.example.app:/done.';
}

function scopeProblem(scope: string): string | undefined {
  // RFC 6749 appendix A.4: scope tokens of NQCHAR, separated by single spaces.
  return scope === '' || /^[\x21\x23-\x5B\x5D-\x7E]+( [\x21\x23-\x5B\x5D-\x7E]+)*$/.test(scope)
    ? undefined
    : 'Separate scopes with spaces, without quotation marks. Example: post_metag.';
}

function caProblem(caPem: string | null): string | undefined {
  const problem = caPem === null ? undefined : certificateProblem(caPem);
  return problem === undefined ? undefined : `The additional certificates field ${problem}.`;
}

function proxyProblem(proxyUrl: string | null): string | undefined {
  if (proxyUrl === null) return undefined;
  const url = URL.parse(proxyUrl);
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    return 'The proxy must be a full http:// or https:// URL, such as http://proxy.example.com:3128.';
  }
  if (url.username || url.password) {
    return 'The proxy URL must not contain a username or password, because settings are stored in plain text.';
  }
  return url.pathname !== '/' || url.search || url.hash
    ? 'The proxy URL must not contain a path, query, or fragment.'
    : undefined;
}
