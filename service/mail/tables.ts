// Tables of email: what was or is to be sent, the links in it, and who wants to be told of the launch.
export type LinkPurpose = 'confirm-email' | 'reset-password' | 'launch-notice';

export type MailTables = {
  mails: {
    id: string;
    recipient: string;
    reply_to: string | null;
    subject: string;
    /** With `{link}` where the link of `link` goes. */
    body: string;
    created_at: number;
    /** `kept`: not sent by email, the operator reads it here. */
    state: 'waiting' | 'sent' | 'failed' | 'kept';
    attempts: number;
    next_attempt_at: number | null;
    /** The mailbox that the limit per recipient counts. */
    recipient_key: string;
    /** When it counts against that limit; 0: not at all. */
    counted_at: number;
    /** JSON of a LinkRequest, or null. The link itself is made when the email is sent, so no token lies here. */
    link: string | null;
  };
  /** One row per mailbox that got an email lately: whoever counts locks it first. */
  mail_recipients: { recipient_key: string; last_at: number };
  /** Single-use tokens that were mailed, as SHA-256 (hex). */
  mail_links: {
    hash: string;
    purpose: LinkPurpose;
    /** Null for a launch notice, which needs no account. */
    account_id: string | null;
    email: string;
    expires_at: number;
    /** 1 after the link was followed to its end. */
    used: number;
  };
  /** `confirmed_at`: null until the link that was mailed there was followed; only then may list mail be sent. */
  launch_notices: { email_key: string; email: string; created_at: number; confirmed_at: number | null };
};

declare module '#service/database/tables.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only interfaces merge
  interface Tables extends MailTables {}
}
