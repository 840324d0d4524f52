// The refresh token of client credentials. The application can get a new token with its secret at any time, so nothing is stored: the
// token contains its grant, encrypted and authenticated (AES-256-GCM) with a key that all processes on one database share. It requires
// the application's credentials.
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { decrypt, encrypt } from '../secrets/secret-seal.ts';

type SealedRefreshToken = { grantId: string; family: string; expiresAt: number };

const prefix = 'cc.';
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
  return prefix + encrypt(key, JSON.stringify([grantId, family, expiresAt])).toString('base64url');
}

/** Returns undefined if this service did not seal it. */
export function openRefreshToken(key: KeyObject, token: string): SealedRefreshToken | undefined {
  if (!isSealedForm(token)) return undefined;
  const text = decrypt(key, Buffer.from(token.slice(prefix.length), 'base64url')) ?? '';
  try {
    const [grantId, family, expiresAt] = payloadSchema.parse(JSON.parse(text));
    return { grantId, family, expiresAt };
  } catch {
    return undefined;
  }
}
