// Random texts for ids, secrets, codes and tokens, from letters and digits only: clients disagree on how to encode
// anything else in Basic authentication, and these read the same either way. And their hashes, since nothing is stored
// in clear.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** 43 characters are just above 256 bits. */
export const secretLength = 43;
const idLength = 20;

/** A new secret, code or token of 256 bits. */
export function newSecret(): string {
  return randomText(secretLength);
}

/** A new public identifier; 119 bits, so it never meets another. */
export function newId(): string {
  return randomText(idLength);
}

function randomText(length: number): string {
  let text = '';
  while (text.length < length) text += letters(randomBytes(length * 2), length - text.length);
  return text;
}

/** The same text for the same key and purpose, and nothing about one from another (HMAC-SHA-256). */
export function derivedText(key: Buffer, purpose: string, length: number): string {
  let text = '';
  for (let part = 0; text.length < length; part += 1) {
    text += letters(createHmac('sha256', key).update(`${purpose}:${part}`).digest(), length - text.length);
  }
  return text;
}

/** Bytes from 248 on are left out, so that each letter is equally likely. */
function letters(bytes: Buffer, most: number): string {
  const fair = [...bytes].filter((byte) => byte < 248).slice(0, most);
  return fair.map((byte) => alphabet[byte % alphabet.length]).join('');
}

/** SHA-256 in hex. Right for random texts of 256 bits; passwords need passwords.ts. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Compares a secret with a stored hash in constant time. */
export function matchesHash(secret: string, hash: string): boolean {
  const given = createHash('sha256').update(secret).digest();
  const stored = Buffer.from(hash, 'hex');
  return stored.length === given.length && timingSafeEqual(given, stored);
}
