// Tables of email: sent and pending emails, and the links in them.
import { bigint, integer, orNull, type RowsOf, table, text } from '../database/table.ts';

export type LinkPurpose = 'confirm-email' | 'reset-password';

export const mailTables = {
  mails: table(
    {
      id: text('PRIMARY KEY'),
      recipient: text(),
      reply_to: orNull(text()),
      subject: text(),
      /** Contains `{link}` in place of the link. */
      body: text(),
      created_at: bigint(),
      /** `kept`: not sent by email; the operator reads it here. */
      state: text<'waiting' | 'sent' | 'failed' | 'kept'>(),
      attempts: integer(),
      next_attempt_at: orNull(bigint()),
      /** JSON of a LinkRequest, or null. The link is created when the email is sent, so no token is stored here. */
      link: orNull(text()),
    },
    { indexes: { mails_by_state: '(state, next_attempt_at)' } },
  ),
  /** Single-use tokens that were mailed, as SHA-256 (hex). */
  mail_links: table(
    {
      hash: text('PRIMARY KEY'),
      purpose: text<LinkPurpose>(),
      account_id: text('REFERENCES accounts (id) ON DELETE CASCADE'),
      email: text(),
      expires_at: bigint(),
      used: integer(),
    },
    { indexes: { mail_links_by_account: '(account_id)' } },
  ),
};

declare module '../database/tables.ts' {
  interface Tables extends RowsOf<typeof mailTables> {}
}
