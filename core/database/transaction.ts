import type { DatabaseSync } from 'node:sqlite';

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
