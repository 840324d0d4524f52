// Sessions of the website and the sign-in page. A session ID is a random text with a signature, in a cookie. The database contains
// the hash only of IDs that signed in. The ID changes at sign-in and sign-out, and IDs not issued by this service are ignored, so
// planting an ID in a browser has no effect.
import { createHmac } from 'node:crypto';
import type { Clock } from '@rainbell/shared';
import type { Db } from '../database/tables.ts';
import { hashOf, isSameSecret, newSecret } from '../secrets/random-text.ts';
import { isSignatureOf, signatureOf } from '../secrets/stored-keys.ts';

const sessionLifetimeMs = 14 * 24 * 3_600_000;

export type Sessions = ReturnType<typeof createSessions>;

export function createSessions({ db, clock }: { db: Db; clock: Clock }) {
  return {
    /** Signs the account in under a new ID from `newSessionId`. Ends the previous session. */
    async begin(accountId: string, id: string, previousId?: string) {
      const now = clock.now();
      const row = { hash: hashOf(id), account_id: accountId, expires_at: now + sessionLifetimeMs };
      // One transaction, so one wait for the disk.
      await db.transaction().execute(async (trx) => {
        await trx
          .deleteFrom('sessions')
          .where((where) => where.or([where('expires_at', '<=', now), where('hash', '=', hashOf(previousId ?? ''))]))
          .execute();
        await trx.insertInto('sessions').values(row).execute();
      });
    },
    find: (id: string) =>
      db
        .selectFrom('sessions')
        .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
        .selectAll('accounts')
        .where('sessions.hash', '=', hashOf(id))
        .where('sessions.expires_at', '>', clock.now())
        .where('accounts.disabled_at', 'is', null)
        .executeTakeFirst(),
    async end(id: string) {
      await db.deleteFrom('sessions').where('hash', '=', hashOf(id)).execute();
    },
  };
}

const purpose = 'session';

/** A new session ID that `isSessionId` recognizes. Nothing is stored. */
export function newSessionId(key: Buffer): string {
  const id = newSecret();
  return `${id}.${signatureOf(key, purpose, id)}`;
}

export function isSessionId(key: Buffer, text: string): boolean {
  const [id = '', signature = '', ...more] = text.split('.');
  return more.length === 0 && isSignatureOf(key, purpose, id, signature);
}

/** Returns the token that proves that a form came from our page; derived from the session ID, unknown to other sites. */
export function csrfToken(sessionId: string): string {
  return createHmac('sha256', sessionId).update('csrf').digest('base64url');
}

export function isCsrfToken(sessionId: string, token: string): boolean {
  return isSameSecret(csrfToken(sessionId), token);
}
