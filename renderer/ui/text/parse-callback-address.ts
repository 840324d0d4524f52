// Callback URLs as people type them.
import type { Parsed } from './coordinate-text.ts';

const addressLimit = 2048;

/** An address that a service can POST to. */
export function parseCallbackAddress(text: string): Parsed<string> {
  const plain = text.trim();
  if (plain === '') return { ok: false, problem: 'The address is missing, for instance https://example.net/rain.' };
  if (plain.length > addressLimit)
    return { ok: false, problem: `The address may have at most ${addressLimit} characters.` };
  if (!URL.canParse(plain))
    return { ok: false, problem: 'This is no full address. It begins with https:// or http://.' };
  const { protocol, username, password } = new URL(plain);
  if (protocol !== 'http:' && protocol !== 'https:')
    return { ok: false, problem: 'Callbacks are sent by http or https only.' };
  if (username !== '' || password !== '') {
    return { ok: false, problem: 'The address must not carry a user name or password.' };
  }
  return { ok: true, value: plain };
}
