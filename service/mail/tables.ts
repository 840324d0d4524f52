// Tables of email: sent and pending emails, the links in them, and addresses for the launch notice.
export type LinkPurpose = 'confirm-email' | 'reset-password';

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
      /** JSON of a LinkRequest, or null. The link is created when the email is sent, so no token is stored here. */
      link: string | null;
    };
    /** Single-use tokens that were mailed, as SHA-256 (hex). */
    mail_links: {
      hash: string;
      purpose: LinkPurpose;
      account_id: string;
      email: string;
      expires_at: number;
      /** 1 once the link has been used. */
      used: number;
    };
    /** Anyone can add an address, so its owner must confirm it before anything is mailed there; the service mails nothing. */
    launch_notices: { email_key: string; email: string; created_at: number };
  }
}
