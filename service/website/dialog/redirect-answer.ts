// The URL to which the dialog sends the browser at its end (docs/interface.md §4.1): the registered text as it is, with
// the response in the query or in the fragment. `state` comes first, byte for byte as it was sent; `iss` comes last, in
// errors and fragments too (RFC 9207 §2), so clients that read the interface's order are not disturbed.

/** `issuer`: the value of `iss`; undefined leaves it out. */
export type AnswerPlace = {
  redirectUri: string;
  responseType: 'code' | 'token';
  rawState: string | null;
  issuer: string | undefined;
};

export function redirectAnswer(place: AnswerPlace, answer: Readonly<Record<string, string>>): string {
  const { redirectUri, responseType, rawState, issuer } = place;
  const state = rawState === null ? [] : [`state=${rawState}`];
  const parameters = issuer === undefined ? answer : { ...answer, iss: issuer };
  const text = [
    ...state,
    ...Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`),
  ].join('&');
  if (responseType === 'token') return `${redirectUri}#${text}`;
  if (!redirectUri.includes('?')) return `${redirectUri}?${text}`;
  return /[?&]$/.test(redirectUri) ? `${redirectUri}${text}` : `${redirectUri}&${text}`;
}

/**
 * A parameter as it stands in the address, still percent-encoded; null where it is absent or empty. Only what would not
 * survive in a header is encoded anew. Node gives the bytes of an address as Latin-1.
 */
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

/** One byte of an address, as Node gives it. */
export function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/** What a Content-Security-Policy must allow for the redirect: the origin, or the scheme where there is none to name. */
export function formTarget(redirectUri: string): string {
  const { protocol, host, hostname } = new URL(redirectUri);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  // An IPv6 literal cannot stand in a policy.
  return isWeb && !hostname.startsWith('[') ? `${protocol}//${host}` : protocol;
}
