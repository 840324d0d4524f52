// Waiting for SQLite's write lock holds up the whole thread. Other threads of ours give it back within milliseconds, so the
// first wait may be a little longer; a lock that outlasts it is a stranger's, and until it is gone each statement of this
// connection finds out at once.
import type { DatabaseSync } from 'node:sqlite';

const firstWaitMs = 500;
const impatientMs = 50;
/** What app-database.ts sets. */
const usualMs = 5000;

/** Runs a write with that patience, and passes on what it throws. */
export function createLockPatience(db: DatabaseSync): <Result>(write: () => Result) => Result {
  let isLocked = false;
  const waitAtMost = (milliseconds: number) => db.exec(`PRAGMA busy_timeout = ${milliseconds}`);
  return (write) => {
    try {
      if (!isLocked) waitAtMost(firstWaitMs);
      const result = write();
      isLocked = false;
      return result;
    } catch (error) {
      isLocked = isLock(error);
      throw error;
    } finally {
      if (db.isOpen) waitAtMost(isLocked ? impatientMs : usualMs);
    }
  };
}

/** SQLITE_BUSY, with its extended codes. */
function isLock(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && Number(error.errcode) % 256 === 5;
}
