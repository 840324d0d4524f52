// `rainbell://callbacks/21079?q=rain`: links that lead into the running app. Whatever is on the web may open one, so only the
// form is passed on; the screens check every value (renderer/store/link-codec.ts) and a link never triggers an action.

export const deepLinkScheme = 'rainbell';
/** Longer ones are ignored. */
export const maxDeepLinkLength = 8192;

/** Returns the hash of what a deep link names, such as `#/callbacks/21079?q=rain`, or undefined if it names no screen. */
export function hashOfDeepLink(deepLink: string): string | undefined {
  if (deepLink.length > maxDeepLinkLength || !URL.canParse(deepLink)) return undefined;
  const { protocol, host, pathname, search } = new URL(deepLink);
  if (protocol !== `${deepLinkScheme}:` || !/^[a-z]{1,20}$/.test(host)) return undefined;
  const hash = `#/${host}${pathname === '/' ? '' : pathname}${search}`;
  // The parser leaves only printable ASCII, but it lengthens what it encodes.
  return hash.length <= maxDeepLinkLength && /^[!-~]+$/.test(hash) ? hash : undefined;
}
