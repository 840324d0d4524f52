// Tables of the website's sessions and of authorization dialogs that are open just now. Ids are random; here as SHA-256.
export type SessionTables = {
  sessions: {
    hash: string;
    account_id: string;
    created_at: number;
    expires_at: number;
  };
  /** What an application asked for, kept here so that the dialog's forms need not carry it (and nobody can change it). */
  dialogs: {
    /** SHA-256 of the once-only id in the form. */
    hash: string;
    /** SHA-256 of the session id of the browser in which the dialog was opened. */
    session_hash: string;
    application_id: string;
    client_id: string;
    response_type: 'code' | 'token';
    redirect_uri: string;
    scope: string;
    /** As it stood in the address, still percent-encoded, so that it goes back byte for byte; null: none. */
    raw_state: string | null;
    code_challenge: string | null;
    expires_at: number;
  };
};
