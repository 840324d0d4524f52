// `rainbell://monitors` and `rainbell://forecast?lat=45.07&lng=7.69`: addresses that lead into the running window. Whatever
// is on the web may open one, so nothing but the name of a screen and a place passes.
import { deepLinkScheme } from '#electron/system/launch.ts';

/** Returns the hash of the screen that a deep link names, such as `#/monitors`, or undefined if it names none. */
export function screenHashOf(deepLink: string): string | undefined {
  if (!URL.canParse(deepLink)) return undefined;
  const { protocol, host, searchParams } = new URL(deepLink);
  if (protocol !== `${deepLinkScheme}:` || !/^[a-z]{1,20}$/.test(host)) return undefined;
  const [lat, lng] = [numberIn(searchParams, 'lat'), numberIn(searchParams, 'lng')];
  // A number beyond the globe passes: the screen says what is wrong with it.
  return lat !== undefined && lng !== undefined ? `#/${host}?lat=${lat}&lng=${lng}` : `#/${host}`;
}

function numberIn(parameters: URLSearchParams, name: string): number | undefined {
  const text = parameters.get(name);
  return text !== null && /^-?\d{1,6}(\.\d{1,20})?$/.test(text) ? Number(text) : undefined;
}
