// Tables of the website's sessions. IDs are random; the table has their SHA-256.
export type SessionTables = {
  sessions: {
    hash: string;
    account_id: string;
    created_at: number;
    expires_at: number;
  };
  /** See signing-key.ts. */
  signing_keys: {
    name: string;
    /** Hexadecimal. */
    value: string;
  };
};
