// Parses callback URLs that users type.
import type { Parsed } from '../text/coordinate-text.ts';

// A global in both Node and browsers.
declare const URL: {
  new (address: string): { protocol: string; username: string; password: string };
  canParse(address: string): boolean;
};

const addressLimit = 2048;

/** Parses a URL that a service can POST to. */
export function parseCallbackAddress(text: string): Parsed<string> {
  const plain = text.trim();
  if (plain === '') return { ok: false, problem: 'Enter a URL, for instance https://example.net/rain.' };
  if (plain.length > addressLimit) return { ok: false, problem: `Enter a URL of at most ${addressLimit} characters.` };
  if (!URL.canParse(plain)) return { ok: false, problem: 'Enter a URL that starts with https:// or http://.' };
  const { protocol, username, password } = new URL(plain);
  if (protocol !== 'http:' && protocol !== 'https:')
    return { ok: false, problem: 'Callbacks are sent only over HTTP or HTTPS.' };
  if (username !== '' || password !== '') {
    return { ok: false, problem: 'Enter a URL without a username or password.' };
  }
  return { ok: true, value: plain };
}
