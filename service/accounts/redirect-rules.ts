// Which redirect URIs an application may register, and which of them a request matches (RFC 6749 §3.1.2, RFC 8252). Compares the
// text: parsing two URLs and comparing parts leads to open redirects.
import { isLoopback } from '@rainbell/shared';

const redirectLimit = 20;
const lengthLimit = 2000;

export function redirectsProblem(uris: readonly string[]): string | undefined {
  if (uris.length > redirectLimit) return `An application can have at most ${redirectLimit} redirect URLs.`;
  const problems = uris.map((uri, index) => [index + 1, redirectProblem(uri)] as const);
  const [number, problem] = problems.find(([, found]) => found !== undefined) ?? [];
  return problem && `Redirect URL ${number}: ${problem}`;
}

export function redirectProblem(uri: string): string | undefined {
  if (uri.length > lengthLimit) return `A redirect URL can have at most ${lengthLimit} characters.`;
  if (!/^[\x21-\x7E]+$/.test(uri) || /["'<>\\^`{|}]/.test(uri)) {
    return 'A redirect URL must not contain spaces, quotes, or non-ASCII characters. Percent-encode them.';
  }
  if (!URL.canParse(uri)) return 'A redirect URL must be a full URL, such as https://example.org/callback.';
  if (uri.includes('#')) return 'A redirect URL must not have a fragment ("#").';
  const { protocol, username, password, hostname } = new URL(uri);
  if (username !== '' || password !== '' || /^[a-z]+:\/\/[^/?]*@/i.test(uri)) {
    return 'A redirect URL must not contain a username or password.';
  }
  if (protocol === 'https:') return undefined;
  if (protocol === 'http:')
    return isLoopback(hostname) ? undefined : 'http is allowed only for loopback addresses; use https.';
  // Schemes of browsers, such as javascript:, contain no dot.
  return protocol.includes('.') ? undefined : 'A private scheme must contain a dot, like org.example.app:/callback.';
}

/** Whether a redirect URI is registered: the same text, or a loopback literal on another port. */
export function isRegisteredRedirect(asked: string, registered: readonly string[]): boolean {
  if (registered.includes(asked)) return true;
  const portless = withoutLoopbackPort(asked);
  return portless !== undefined && registered.some((uri) => withoutLoopbackPort(uri) === portless);
}

/** RFC 8252 §7.3: the port of 127.0.0.1 and [::1] is chosen at run time. Names like localhost do not count (§8.3). */
function withoutLoopbackPort(uri: string): string | undefined {
  const [, host, port, rest] = /^http:\/\/(127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?(\/.*|\?.*|)$/s.exec(uri) ?? [];
  if (host === undefined || Number(port ?? '80') > 65_535) return undefined;
  return `${host}${rest ?? ''}`;
}
