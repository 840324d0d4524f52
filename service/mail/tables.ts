// Tables of email: sent and pending emails, the links in them, and subscribers to the launch notice.
export type LinkPurpose = 'confirm-email' | 'reset-password' | 'launch-notice';

declare module '../database/tables.ts' {
  interface Tables {
    mails: {
      id: string;
      recipient: string;
      reply_to: string | null;
      subject: string;
      /** Contains `{link}` in place of the link. */
      body: string;
      created_at: number;
      /** `kept`: not sent by email; the operator reads it here. */
      state: 'waiting' | 'sent' | 'failed' | 'kept';
      attempts: number;
      next_attempt_at: number | null;
      /** The mailbox that the limit per recipient counts. */
      recipient_key: string;
      /** When it counts against that limit; 0: never. */
      counted_at: number;
      /** JSON of a LinkRequest, or null. The link is created when the email is sent, so no token is stored here. */
      link: string | null;
    };
    /** One row per mailbox that got an email recently; counting locks it first. */
    mail_recipients: { recipient_key: string; last_at: number };
    /** Single-use tokens that were mailed, as SHA-256 (hex). */
    mail_links: {
      hash: string;
      purpose: LinkPurpose;
      /** Null for a launch notice, which needs no account. */
      account_id: string | null;
      email: string;
      expires_at: number;
      /** 1 once the link has been used. */
      used: number;
    };
    /** `confirmed_at`: null until the mailed link was used; no list mail is sent before. */
    launch_notices: { email_key: string; email: string; created_at: number; confirmed_at: number | null };
  }
}
