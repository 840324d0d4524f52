// Parses callback URLs that users type.
import type { Parsed } from '../text/coordinate-text.ts';

// A global in both Node and browsers.
declare const URL: { parse(address: string): { protocol: string; username: string; password: string } | null };

const addressLimit = 2048;

/** Parses a URL that a service can POST to. */
export function parseCallbackAddress(text: string): Parsed<string> {
  const plain = text.trim();
  if (plain === '') return { ok: false, problem: 'Enter a URL, for instance https://example.net/rain.' };
  if (plain.length > addressLimit) return { ok: false, problem: `Enter a URL of at most ${addressLimit} characters.` };
  const url = URL.parse(plain);
  if (!url) return { ok: false, problem: 'Enter a URL that starts with https:// or http://.' };
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return { ok: false, problem: 'Callbacks are sent only over HTTP or HTTPS.' };
  if (url.username !== '' || url.password !== '')
    return { ok: false, problem: 'Enter a URL without a username or password.' };
  return { ok: true, value: plain };
}
