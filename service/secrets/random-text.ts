// Random texts for IDs, secrets, codes, and tokens, only of letters and digits: clients disagree on how to encode anything else in
// Basic authentication. Also their hashes, because none is stored in plain text.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** 43 characters are just above 256 bits. */
export const secretLength = 43;
const idLength = 20;

export function newSecret(): string {
  return randomText(secretLength);
}

/** Returns a new public identifier; 119 bits make it unique. */
export function newId(): string {
  return randomText(idLength);
}

function randomText(length: number): string {
  let text = '';
  while (text.length < length) text += letters(randomBytes(length * 2), length - text.length);
  return text;
}

/** Returns the same text for the same key and purpose, which reveals nothing about others (HMAC-SHA-256). */
export function derivedText(key: Buffer, purpose: string, length: number): string {
  let text = '';
  for (let part = 0; text.length < length; part += 1) {
    text += letters(createHmac('sha256', key).update(`${purpose}:${part}`).digest(), length - text.length);
  }
  return text;
}

/** Skips bytes from 248 on, so that each letter is equally likely. */
function letters(bytes: Buffer, max: number): string {
  const fair = [...bytes].filter((byte) => byte < 248).slice(0, max);
  return fair.map((byte) => alphabet[byte % alphabet.length]).join('');
}

/** SHA-256 in hex. Suitable for random texts of 256 bits; passwords need passwords.ts. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Compares in constant time. */
export function isSameSecret(expected: string, given: string): boolean {
  const [right, other] = [Buffer.from(expected), Buffer.from(given)];
  return right.length === other.length && timingSafeEqual(right, other);
}
