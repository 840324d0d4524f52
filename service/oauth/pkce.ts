// PKCE (RFC 7636), only S256: `plain` gives no protection if a code is stolen.
import { createHash } from 'node:crypto';

/** §4.1: 43 to 128 unreserved characters. */
export function isVerifier(text: string): boolean {
  return /^[A-Za-z0-9\-._~]{43,128}$/.test(text);
}

/** §4.2: 32 bytes in base64url. */
export function isChallenge(text: string): boolean {
  return /^[A-Za-z0-9\-_]{43}$/.test(text);
}

export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}
