// Sessions of the website and the dialog. A session id is a random text in a cookie; the database knows its hash. The id
// changes at sign-in, so an id planted before is worth nothing.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Clock } from '#contract/clock.ts';
import type { Tables } from '../database/tables.ts';
import { hashOf, newSecret } from '../oauth/random-text.ts';
import type { Account } from './account-store.ts';

const lifetimeMs = 14 * 24 * 3_600_000;

export type Sessions = {
  /** A new session id for somebody who has just proved who they are. Ends the session before it. */
  begin(accountId: string, previousId: string | undefined): Promise<string>;
  find(id: string): Promise<Account | undefined>;
  end(id: string): Promise<void>;
  /** After a change of password: everywhere but in the kept one, where there is one. */
  endAll(accountId: string, keptId?: string): Promise<void>;
};

export function createSessions({ db, clock }: { db: Kysely<Tables>; clock: Clock }): Sessions {
  const end = async (id: string) => {
    await db.deleteFrom('sessions').where('hash', '=', hashOf(id)).execute();
  };
  return {
    async begin(accountId, previousId) {
      if (previousId !== undefined) await end(previousId);
      await db.deleteFrom('sessions').where('expires_at', '<=', clock.now()).execute();
      const id = newSecret();
      const row = {
        hash: hashOf(id),
        account_id: accountId,
        created_at: clock.now(),
        expires_at: clock.now() + lifetimeMs,
      };
      await db.insertInto('sessions').values(row).execute();
      return id;
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
    end,
    async endAll(accountId, keptId = '') {
      await db.deleteFrom('sessions').where('account_id', '=', accountId).where('hash', '!=', hashOf(keptId)).execute();
    },
  };
}

/** The token that proves that a form came from a page of ours: it follows from the session id, which no other site knows. */
export function csrfToken(sessionId: string): string {
  return createHmac('sha256', sessionId).update('csrf').digest('base64url');
}

export function isCsrfToken(sessionId: string, token: string): boolean {
  const [expected, given] = [Buffer.from(csrfToken(sessionId)), Buffer.from(token)];
  return expected.length === given.length && timingSafeEqual(expected, given);
}
