// An authorization request while a user is on the sign-in page or the consent page. It is not stored: the forms carry its query in
// a token that is signed, expires, and belongs to one browser session. Its ID is stored when the user allows the request, so that a
// second use is rejected, and outlasts the token (token-store.ts).
import { z } from 'zod';
import { type Clock, jumpMs } from '@rainbell/shared';
import { isSignatureOf, signatureOf } from '../secrets/stored-keys.ts';
import { newId } from '../secrets/random-text.ts';

const pendingRequestLifetimeMs = 30 * 60_000;

/** `expiresAt` in epoch milliseconds; `query` as the browser sent it, without the question mark. */
export type PendingRequest = { id: string; expiresAt: number; query: string };

export type PendingRequests = ReturnType<typeof createPendingRequests>;

const payloadSchema = z.tuple([z.string(), z.number(), z.string()]);

export function createPendingRequests({ key, clock }: { key: Buffer; clock: Clock }) {
  // A session ID has no line break, so the parts cannot run into each other.
  const signedText = (payload: string, sessionId: string) => `${sessionId}\n${payload}`;
  const purpose = 'authorization request';
  return {
    issue(query: string, sessionId: string): string {
      const content = JSON.stringify([newId(), clock.now() + pendingRequestLifetimeMs, query]);
      const payload = Buffer.from(content).toString('base64url');
      return `${payload}.${signatureOf(key, purpose, signedText(payload, sessionId))}`;
    },
    /** Undefined if it is forged, expired, or from the future, or belongs to another browser session. */
    read(token: string, sessionId: string): PendingRequest | undefined {
      const [payload = '', signature = ''] = token.split('.');
      if (!isSignatureOf(key, purpose, signedText(payload, sessionId), signature)) return undefined;
      const content: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
      const [id, expiresAt, query] = payloadSchema.parse(content);
      // A token from the future was issued before the clock was set back, and would be valid longer than any other.
      const leftMs = expiresAt - clock.now();
      return leftMs > 0 && leftMs <= pendingRequestLifetimeMs + jumpMs ? { id, expiresAt, query } : undefined;
    },
  };
}
