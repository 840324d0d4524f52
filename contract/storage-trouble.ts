// What a database's refusal means for a person: node:sqlite tells a number, PostgreSQL a code, the system a name. Pure, and
// shared, since service and app keep their data in the same ways.

/** SQLite's primary result codes (sqlite.org/rescode.html). */
const sqliteTroubles: Readonly<Record<number, string>> = {
  5: 'the database is locked by another program',
  6: 'the database is locked by another program',
  8: 'the folder is read-only',
  10: 'the disk cannot be read or written',
  13: 'the disk is full',
  14: 'the database file cannot be opened',
};

/** PostgreSQL's codes (its manual, appendix A), and the system's. */
const namedTroubles: Readonly<Record<string, string>> = {
  '25006': 'the database is read-only',
  '53100': 'the disk is full',
  '53300': 'the database has no free connection',
  '55P03': 'the database is locked by another program',
  '57P01': 'the database is shutting down',
  '57P02': 'the database is restarting',
  '57P03': 'the database is starting',
  ECONNREFUSED: 'the database cannot be reached',
  ECONNRESET: 'the database cannot be reached',
  EDQUOT: 'the disk is full',
  ENOSPC: 'the disk is full',
  EROFS: 'the folder is read-only',
};

/** Such as "the disk is full"; undefined where the error, and what caused it, is not of storage. */
export function storageTrouble(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return troubleOf(error) ?? storageTrouble(error.cause);
}

function troubleOf(error: Error): string | undefined {
  // The extended code's low byte is the primary code.
  if ('errcode' in error && typeof error.errcode === 'number') return sqliteTroubles[error.errcode & 0xff];
  if ('code' in error && typeof error.code === 'string') return namedTroubles[error.code];
  return undefined;
}
