// The refresh token of client credentials. The application can get a new token with its secret at any time, so nothing is stored:
// the token contains its grant, encrypted and authenticated (AES-256-GCM) with a key that all processes on one database share. It
// requires the application's credentials.
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { z } from 'zod';

/** `family`: its access tokens. */
export type SealedRefreshToken = { grantId: string; family: string; expiresAt: number };

const prefix = 'cc.';
const ivBytes = 12;
const tagBytes = 16;
const payloadSchema = z.tuple([z.string(), z.string(), z.number()]);

/** Derived once, because creating a key costs more than using it. */
export function refreshTokenKey(signingKey: Buffer): KeyObject {
  return createSecretKey(createHmac('sha256', signingKey).update('refresh token of client credentials').digest());
}

/** Whether a text looks like a sealed token; random tokens have no dot. */
export function isSealedForm(token: string): boolean {
  return token.startsWith(prefix);
}

export function sealRefreshToken(key: KeyObject, { grantId, family, expiresAt }: SealedRefreshToken): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const text = JSON.stringify([grantId, family, expiresAt]);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return prefix + Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Returns undefined if this service did not seal it. */
export function openRefreshToken(key: KeyObject, token: string): SealedRefreshToken | undefined {
  const bytes = Buffer.from(token.slice(prefix.length), 'base64url');
  if (!isSealedForm(token) || bytes.length <= ivBytes + tagBytes) return undefined;
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes));
    decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
    const text = decipher.update(bytes.subarray(ivBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8');
    const [grantId, family, expiresAt] = payloadSchema.parse(JSON.parse(text));
    return { grantId, family, expiresAt };
  } catch {
    return undefined;
  }
}
