// Callback URLs that stopped working when HTTPS was turned on or off: those of this app's receiver under the other scheme.
import { isLoopback } from '@rainbell/shared';

/** Returns the URL under which the receiver gets it now, or undefined if the URL is current or not the receiver's. */
export function currentUrl(callbackUri: string | null, baseUrl: string): string | undefined {
  // Most are current; parsing the URLs of thousands of monitors takes longer than a frame.
  if (callbackUri === null || hasSchemeOf(callbackUri, baseUrl)) return undefined;
  const base = URL.parse(baseUrl);
  const url = URL.parse(callbackUri);
  if (!base || !url || url.protocol === base.protocol || !isHttp(url)) return undefined;
  const isReceiver = url.port === base.port && isLoopback(url.hostname) && isLoopback(base.hostname);
  return isReceiver ? base.origin + url.pathname + url.search : undefined;
}

function hasSchemeOf(url: string, other: string): boolean {
  return ['http://', 'https://'].some((scheme) => url.startsWith(scheme) && other.startsWith(scheme));
}

function isHttp({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:';
}
