// Mailed links: each has a 256-bit token that works once and expires. The database contains only its hash, and the base URL is
// always the configured one, never a request's Host.
import { type Clock, hourMs } from '@rainbell/shared';
import type { Db } from '../database/tables.ts';
import { hashOf, newSecret, secretLength } from '../secrets/random-text.ts';
import type { LinkPurpose } from './tables.ts';

export type LinkRequest = { purpose: LinkPurpose; accountId: string; email: string };
export type MailedLink = LinkRequest & { hash: string };

const paths = {
  'confirm-email': '/confirm-email/',
  'reset-password': '/reset-password/',
} as const satisfies Record<LinkPurpose, string>;
const linkLifetimesMs = {
  'confirm-email': 24 * hourMs,
  'reset-password': hourMs,
} as const satisfies Record<LinkPurpose, number>;

export type Links = ReturnType<typeof createLinks>;

export function createLinks({ db, clock, baseUrl }: { db: Db; clock: Clock; baseUrl: string }) {
  return {
    /** Returns a new link as an absolute URL, valid from now on. Only the caller, which mails it, sees the token. */
    async issue({ purpose, accountId, email }: LinkRequest): Promise<string> {
      const token = newSecret();
      const expires_at = clock.now() + linkLifetimesMs[purpose];
      const row = { hash: hashOf(token), purpose, account_id: accountId, email, expires_at, used: 0 };
      await db.insertInto('mail_links').values(row).execute();
      return `${baseUrl}${paths[purpose]}?token=${token}`;
    },
    /** Returns the link of a valid, unused token; does not use it up. */
    async find(token: string, purpose: LinkPurpose): Promise<MailedLink | undefined> {
      if (token.length !== secretLength) return undefined;
      const row = await db
        .selectFrom('mail_links')
        .select(['hash', 'purpose', 'account_id as accountId', 'email'])
        .where('hash', '=', hashOf(token))
        .where('purpose', '=', purpose)
        .where('used', '=', 0)
        .where('expires_at', '>', clock.now())
        .executeTakeFirst();
      return row;
    },
  };
}

/** Uses up a link in the transaction of its action; true for exactly one of several calls. */
export async function consumeLink(trx: Db, now: number, { hash }: MailedLink): Promise<boolean> {
  const change = await trx
    .updateTable('mail_links')
    .set({ used: 1 })
    .where('hash', '=', hash)
    .where('used', '=', 0)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return change.numUpdatedRows === 1n;
}
