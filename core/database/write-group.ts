// Writes that may wait for a moment, in one transaction: each commit of app.sqlite waits for the disk, and an action on two thousand
// monitors would wait for thousands of them.
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '@rainbell/shared';

export type WriteGroup = ReturnType<typeof createWriteGroup>;

const delayMs = 50;
/** Another program may lock the file, or the disk may be full: delay before the next try. */
const retryMs = 1000;
const maxWaiting = 50_000;

export function createWriteGroup(db: DatabaseSync, clock: Clock) {
  let waiting: (() => void)[] = [];
  let cancelTimer: (() => void) | undefined;

  function flush(): void {
    cancelTimer?.();
    cancelTimer = undefined;
    if (waiting.length === 0) return;
    runInTransaction(db, () => {
      for (const write of waiting) write();
    });
    waiting = [];
  }

  function flushOrRetry(): void {
    try {
      flush();
    } catch {
      // The state of the storage is watched elsewhere (watch-statements.ts, storage-state.ts).
      waiting = waiting.slice(-maxWaiting);
      cancelTimer = clock.after(retryMs, flushOrRetry);
    }
  }

  return {
    /** Runs soon, in the order of the calls. A crash before that loses it. */
    add(write: () => void) {
      waiting.push(write);
      cancelTimer ??= clock.after(delayMs, flushOrRetry);
    },
    /** Runs what waits, for a reader that must see it, and before the database closes. Throws what a write throws. */
    flush,
  };
}

/** Runs writes as one transaction: all of them or, if one throws, none. */
export function runInTransaction<Result>(db: DatabaseSync, run: () => Result): Result {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = run();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
