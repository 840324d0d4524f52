// Waiting for SQLite's write lock blocks the whole thread. Rainbell's other threads release it within milliseconds, so the first
// wait may be a little longer. A lock that outlasts it belongs to another program, and until it is released, each statement of
// this connection fails at once.
import type { DatabaseSync } from 'node:sqlite';

const firstWaitMs = 500;
const nextWaitMs = 50;
/** As set in app-database.ts. */
const defaultMs = 5000;

/** Runs a write with that wait, and rethrows its errors. */
export function createLockRetry(db: DatabaseSync): <Result>(write: () => Result) => Result {
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
      if (db.isOpen) waitAtMost(isLocked ? nextWaitMs : defaultMs);
    }
  };
}

/** SQLITE_BUSY, with its extended codes. */
function isLock(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && Number(error.errcode) % 256 === 5;
}
