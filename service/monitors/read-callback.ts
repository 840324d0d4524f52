// Splits a callback URL into the URL to call and its username and password (Basic, RFC 7617).
import { callbackUrlProblem } from '@rainbell/shared';

/** `credentials`: as `user:password`; '' if the URL has an empty user, undefined if it names none. */
export type GivenCallback = { uri: string; credentials: string | undefined };

/** Returns the end of a sentence about the URL if it can't be used. Never includes the password. */
export function readCallback(given: string): GivenCallback | string {
  const [, scheme = '', rest = ''] = /^(https?:\/\/)[^/?#\\]*@(.*)$/is.exec(given) ?? [];
  const uri = scheme === '' ? given : scheme + rest;
  const problem = callbackUrlProblem(uri);
  if (problem !== undefined || scheme === '') return problem ?? { uri, credentials: undefined };
  if (!URL.canParse(given) || new URL(given).host !== new URL(uri).host) return 'must be a full URL';
  const { username, password } = new URL(given);
  if (username === '' && password === '') return { uri, credentials: '' };
  const [user, secret] = [decoded(username), decoded(password)];
  if (user === undefined || secret === undefined)
    return 'must not have an invalid percent-encoding in its username or password';
  if (user.includes(':')) return 'must not have a colon in its username';
  // oxlint-disable-next-line no-control-regex -- RFC 7617 section 2 forbids them
  if (/[\0-\x1F\x7F]/.test(user + secret)) return 'must not have control characters in its username or password';
  return { uri, credentials: `${user}:${secret}` };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
