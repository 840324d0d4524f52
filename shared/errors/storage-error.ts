// The one table of storage errors: what SQLite's result codes, PostgreSQL's states, and the system's error names mean, and
// what a user can do. The app, the service, the operator's tool, and the command line all use it.

export type StorageCause =
  | 'damaged'
  | 'full'
  | 'locked'
  | 'no-permission'
  | 'not-opened'
  | 'read-only'
  | 'unreachable'
  | 'unreadable'
  | 'wrong-path';

/** Completes "FILE cannot be opened: …". */
const phrases: Readonly<Record<StorageCause, string>> = {
  damaged: 'the database is damaged',
  full: 'the disk is full',
  locked: 'the database is locked by another program',
  'no-permission': 'this user account has no permission',
  'not-opened': 'the database file cannot be opened',
  'read-only': 'the folder is read-only',
  unreachable: 'the database cannot be reached',
  unreadable: 'the disk cannot be read or written',
  'wrong-path': 'part of the path is a file, not a folder',
};

const remedies: Readonly<Record<StorageCause, string>> = {
  damaged: 'Restart the program to open its newest copy',
  full: 'Free some space on that disk',
  locked: 'Close the other program',
  'no-permission': 'Check the owner and permissions of the folder and its files',
  'not-opened': 'Check the permissions of the folder and its files, and the free space',
  'read-only': 'Make it writable',
  unreachable: 'Check that the database server is running',
  unreadable: 'Check the disk',
  'wrong-path': 'Correct the path',
};

/** SQLite's result codes, extended ones last: https://www.sqlite.org/rescode.html. */
const sqliteCauses: Readonly<Record<number, StorageCause>> = {
  3: 'no-permission',
  5: 'locked',
  6: 'locked',
  8: 'read-only',
  10: 'unreadable',
  11: 'damaged',
  13: 'full',
  14: 'not-opened',
  26: 'damaged',
  // A short read: the file ends too early.
  522: 'damaged',
};

/** PostgreSQL's states: https://www.postgresql.org/docs/18/errcodes-appendix.html, and the system's error names. */
const namedCauses: Readonly<Record<string, StorageCause>> = {
  '53100': 'full',
  '55P03': 'locked',
  XX001: 'damaged',
  XX002: 'damaged',
  '08000': 'unreachable',
  '08001': 'unreachable',
  '08003': 'unreachable',
  '08006': 'unreachable',
  EACCES: 'no-permission',
  EAI_AGAIN: 'unreachable',
  ECONNREFUSED: 'unreachable',
  ECONNRESET: 'unreachable',
  EDQUOT: 'full',
  EIO: 'unreadable',
  ENOSPC: 'full',
  ENOTDIR: 'wrong-path',
  EPERM: 'no-permission',
  EPIPE: 'unreachable',
  ETIMEDOUT: 'unreachable',
  EROFS: 'read-only',
};

/** States of PostgreSQL that pass without anyone's help. */
const passingPhrases: Readonly<Record<string, string>> = {
  '25006': 'the database is read-only',
  '40001': 'too many transactions conflicted',
  '40P01': 'too many transactions conflicted',
  '53300': 'the database has no free connections',
  '57014': 'the database took too long',
  '57P01': 'the database is shutting down',
  '57P02': 'the database is restarting',
  '57P03': 'the database is starting',
};

/** Errors of node-postgres that have no code: https://github.com/brianc/node-postgres, packages/pg and pg-pool. */
const lostConnection =
  /^(Connection terminated|Client has encountered a connection error|Query read timeout|timeout exceeded when trying to connect)/;

/** Why storing or reading failed; undefined if neither the error nor any of its causes is about storage. */
export function storageCauseOf(error: unknown): StorageCause | undefined {
  if (!(error instanceof Error)) return undefined;
  return ownCause(error) ?? storageCauseOf(error.cause);
}

function ownCause(error: Error): StorageCause | undefined {
  // The low byte of an extended result code is the primary code.
  if ('errcode' in error && typeof error.errcode === 'number')
    return sqliteCauses[error.errcode] ?? sqliteCauses[error.errcode & 0xff];
  if ('code' in error && typeof error.code === 'string') return namedCauses[error.code];
  return lostConnection.test(error.message) ? 'unreachable' : undefined;
}

/** Returns a phrase such as "the disk is full", or undefined if the error is not about storage. */
export function describeStorageError(error: unknown): string | undefined {
  const cause = storageCauseOf(error);
  return cause === undefined ? passingPhraseOf(error) : phrases[cause];
}

function passingPhraseOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const own = 'code' in error && typeof error.code === 'string' ? passingPhrases[error.code] : undefined;
  return own ?? passingPhraseOf(error.cause);
}

/** Returns what the user can do, without a final period: "Free some space on that disk". */
export function storageRemedy(cause: StorageCause): string {
  return remedies[cause];
}

/** Whether the database file itself is broken, so that no later attempt can succeed. */
export function isDamage(error: unknown): boolean {
  return storageCauseOf(error) === 'damaged';
}
