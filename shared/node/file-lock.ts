// Locks between processes, held through a small SQLite file: the system drops them with their process, even after kill -9.
import { closeSync, openSync, truncateSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { storageCauseOf } from '../errors/storage-error.ts';
import { privateFileMode } from './private-files.ts';

export type FileLock = { release: () => void };

/** Any number of processes can hold a shared lock, or one an exclusive one. Returns undefined if another process prevents it. */
export function lockFile(file: string, kind: 'shared' | 'exclusive'): FileLock | undefined {
  try {
    return tryLock(file, kind);
  } catch (error) {
    if (storageCauseOf(error) !== 'damaged') throw error;
    // It contains no data. Truncated, it stays the same file, on which others may hold locks.
    truncateSync(file, 0);
    return tryLock(file, kind);
  }
}

function tryLock(file: string, kind: 'shared' | 'exclusive'): FileLock | undefined {
  closeSync(openSync(file, 'a', privateFileMode));
  const db = new DatabaseSync(file, { timeout: 0 });
  try {
    // A read transaction holds SQLite's shared lock until it ends.
    db.exec(kind === 'exclusive' ? 'BEGIN EXCLUSIVE' : 'BEGIN; SELECT count(*) FROM sqlite_schema');
  } catch (error) {
    db.close();
    if (storageCauseOf(error) === 'locked') return undefined;
    throw error;
  }
  return {
    release() {
      if (db.isOpen) db.close();
    },
  };
}
