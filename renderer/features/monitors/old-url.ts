// Callback URLs that stopped working when HTTPS was turned on or off: those of this app's receiver under the other scheme.
import { isLoopback } from '@rainbell/shared';

export function isOldUrl(callbackUri: string | null, baseUrl: string): boolean {
  // Most are current; parsing the URLs of thousands of monitors takes longer than a frame.
  if (callbackUri === null || hasSchemeOf(callbackUri, baseUrl)) return false;
  const base = URL.parse(baseUrl);
  const url = URL.parse(callbackUri);
  if (!base || !url || url.protocol === base.protocol || !isHttp(url)) return false;
  return url.port === base.port && isLoopback(url.hostname) && isLoopback(base.hostname);
}

function hasSchemeOf(url: string, other: string): boolean {
  return ['http://', 'https://'].some((scheme) => url.startsWith(scheme) && other.startsWith(scheme));
}

function isHttp({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:';
}
