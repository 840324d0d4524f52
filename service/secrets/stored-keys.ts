// Random or fixed values that all processes on one database share, by name; and the key that signs the values that browsers send back:
// session IDs and pending authorization requests. An attacker who can read it gains nothing: a signature only proves that this service
// issued a value, which must still match a session cookie and pass all checks of the request.
import { createHmac, randomBytes } from 'node:crypto';
import type { Db } from '../database/tables.ts';
import { isSameSecret } from './random-text.ts';

const signingKeyBytes = 32;

export async function readStoredKey(db: Db, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('signing_keys').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}

/** Returns the value, and stores a new one if the database has none. Processes that start together get the same one. */
export async function ensureStoredKey(db: Db, name: string, create: () => string): Promise<string> {
  const stored = await readStoredKey(db, name);
  if (stored !== undefined) return stored;
  await db
    .insertInto('signing_keys')
    .values({ name, value: create() })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const created = await readStoredKey(db, name);
  if (created !== undefined) return created;
  throw new Error(`The key ${name} could not be stored.`);
}

export async function ensureSigningKey(db: Db): Promise<Buffer> {
  return Buffer.from(await ensureStoredKey(db, 'browser', () => randomBytes(signingKeyBytes).toString('hex')), 'hex');
}

/** HMAC-SHA-256 in base64url, 43 characters. `purpose` prevents using a signature of one kind as another. */
export function signatureOf(key: Buffer, purpose: string, text: string): string {
  return createHmac('sha256', key).update(`${purpose}\n${text}`).digest('base64url');
}

export function isSignatureOf(key: Buffer, purpose: string, text: string, signature: string): boolean {
  return isSameSecret(signatureOf(key, purpose, text), signature);
}
