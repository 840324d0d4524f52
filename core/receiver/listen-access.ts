// Who may reach the receiver, and how: what its thread is told.

/** As PEM. */
export type KeyAndCertificate = { key: string; cert: string };

/** What the receiver's thread needs to listen. */
export type ListenAccess = {
  tls: KeyAndCertificate | null;
  /** Others than this machine are let in by this first segment of the path; null lets in nobody. */
  lanToken: string | null;
};

export const closedAccess: ListenAccess = { tls: null, lanToken: null };
