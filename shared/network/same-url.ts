// When two URLs are the same (RFC 3986 section 6): a service may return a URL in another form than the one it received.

type UrlParts = { protocol: string; host: string; pathname: string; search: string };

// A global in both Node and browsers.
declare const URL: { parse(address: string): UrlParts | null };

/** Returns the http(s) URL in its normal form, without a fragment, which is never sent; any other text as it is. */
export function normalUrl(text: string): string {
  const url = URL.parse(text);
  return url && /^https?:$/.test(url.protocol) ? `${url.protocol}//${url.host}${normalPath(url)}` : text;
}

/** Returns the path and query of a request target in their normal form; of a whole URL, too (RFC 9112 section 3.2.2). */
export function normalTarget(target: string): string {
  const url = URL.parse(target.startsWith('/') ? `http://host${target}` : target);
  return url ? normalPath(url) : target;
}

/** The parser has done the rest: case, default port, empty path, dot segments, and characters outside ASCII. */
function normalPath({ pathname, search }: UrlParts): string {
  return (pathname + search)
    .replaceAll(/%[\dA-F]{2}/gi, (code) => {
      const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
      return /[\w.~-]/.test(character) ? character : code.toUpperCase();
    })
    .replaceAll(/["<>[\\\]^`{|}]/g, encodeURIComponent);
}
