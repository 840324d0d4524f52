// The key that signs the values that browsers send back: session IDs and pending authorization requests. It is a row of the
// database, so every process on one database shares it and it needs no configuration. An attacker who can read it gains nothing: a
// signature only proves that this service issued a value; a forged value must still match a session cookie and pass all checks of
// the request.
import { createHmac, randomBytes } from 'node:crypto';
import type { Db } from '../database/tables.ts';
import { isSameSecret } from '../secrets/random-text.ts';
import { ensureStoredKey } from '../secrets/stored-keys.ts';

const keyBytes = 32;

export async function ensureSigningKey(db: Db): Promise<Buffer> {
  return Buffer.from(await ensureStoredKey(db, 'browser', () => randomBytes(keyBytes).toString('hex')), 'hex');
}

/** HMAC-SHA-256 in base64url, 43 characters. `purpose` prevents using a signature of one kind as another. */
export function signatureOf(key: Buffer, purpose: string, text: string): string {
  return createHmac('sha256', key).update(`${purpose}\n${text}`).digest('base64url');
}

export function isSignatureOf(key: Buffer, purpose: string, text: string, signature: string): boolean {
  return isSameSecret(signatureOf(key, purpose, text), signature);
}
