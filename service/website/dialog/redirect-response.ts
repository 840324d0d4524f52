// Builds the URL to which the authorization redirects at its end (docs/interface.md §4.1): the registered text unchanged, with the
// response in the query or fragment. `state` is first, byte for byte as sent; `iss` is last, also in errors and fragments (RFC 9207
// §2), so clients that depend on the interface's order still work.

/** `issuer`: the value of `iss` (RFC 9207). */
export type RedirectTarget = {
  redirectUri: string;
  responseType: 'code' | 'token';
  rawState: string | null;
  issuer: string;
};

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
export function rawParameter(rawQuery: string, name: string): string | null {
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
