// Sessions of the website and the sign-in page. A session ID is a random text with a signature, in a cookie. The database contains
// the hash only of IDs that signed in. The ID changes at sign-in and sign-out, and IDs not issued by this service are ignored, so
// planting an ID in a browser has no effect.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Clock } from '@rainbell/shared';
import type { Tables } from '../database/tables.ts';
import { hashOf, newSecret } from '../secrets/random-text.ts';
import type { Account } from './account-store.ts';
import { isSignatureOf, signatureOf } from './signing-key.ts';

export const sessionLifetimeMs = 14 * 24 * 3_600_000;

export type Sessions = {
  /** Signs the account in under a new ID from `newSessionId`. Ends the previous session. */
  begin(accountId: string, id: string, previousId?: string): Promise<void>;
  find(id: string): Promise<Account | undefined>;
  end(id: string): Promise<void>;
  /** Ends all sessions after a password change, except the kept one, if any. */
  endAll(accountId: string, keptId?: string): Promise<void>;
};

export function createSessions({ db, clock }: { db: Kysely<Tables>; clock: Clock }): Sessions {
  return {
    async begin(accountId, id, previousId) {
      const now = clock.now();
      const row = { hash: hashOf(id), account_id: accountId, created_at: now, expires_at: now + sessionLifetimeMs };
      // One transaction, so one wait for the disk.
      await db.transaction().execute(async (trx) => {
        await trx
          .deleteFrom('sessions')
          .where((where) => where.or([where('expires_at', '<=', now), where('hash', '=', hashOf(previousId ?? ''))]))
          .execute();
        await trx.insertInto('sessions').values(row).execute();
      });
    },
    find: (id) =>
      db
        .selectFrom('sessions')
        .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
        .selectAll('accounts')
        .where('sessions.hash', '=', hashOf(id))
        .where('sessions.expires_at', '>', clock.now())
        .where('accounts.disabled_at', 'is', null)
        .executeTakeFirst(),
    async end(id) {
      await db.deleteFrom('sessions').where('hash', '=', hashOf(id)).execute();
    },
    async endAll(accountId, keptId = '') {
      await db.deleteFrom('sessions').where('account_id', '=', accountId).where('hash', '!=', hashOf(keptId)).execute();
    },
  };
}

const purpose = 'session';

/** A new session ID that `isSessionId` recognizes. Nothing is stored. */
export function newSessionId(key: Buffer): string {
  const id = newSecret();
  return `${id}.${signatureOf(key, purpose, id)}`;
}

/** Whether a service with this key issued the ID. */
export function isSessionId(key: Buffer, text: string): boolean {
  const [id = '', signature = '', ...more] = text.split('.');
  return more.length === 0 && isSignatureOf(key, purpose, id, signature);
}

/** Returns the token that proves that a form came from our page; derived from the session ID, unknown to other sites. */
export function csrfToken(sessionId: string): string {
  return createHmac('sha256', sessionId).update('csrf').digest('base64url');
}

export function isCsrfToken(sessionId: string, token: string): boolean {
  const [expected, given] = [Buffer.from(csrfToken(sessionId)), Buffer.from(token)];
  return expected.length === given.length && timingSafeEqual(expected, given);
}
