// Settings of the receiver's thread: who may reach it, and how.

/** As PEM. */
export type KeyAndCertificate = { key: string; cert: string };

/** What the receiver's thread needs to listen. */
export type ListenAccess = {
  tls: KeyAndCertificate | null;
  /** Other machines need this as the first segment of the path; null rejects all. */
  lanToken: string | null;
};

export const closedAccess: ListenAccess = { tls: null, lanToken: null };
