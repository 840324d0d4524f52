// Tables of email: what was or is to be sent, and who wants to hear of the launch.
export type MailTables = {
  mails: {
    id: string;
    recipient: string;
    reply_to: string | null;
    subject: string;
    body: string;
    created_at: number;
    /** `kept`: no mail server is configured, so the operator reads it here. */
    state: 'waiting' | 'sent' | 'failed' | 'kept';
    attempts: number;
    next_attempt_at: number | null;
  };
  launch_notices: { email_key: string; email: string; created_at: number };
};
