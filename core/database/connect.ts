import { DatabaseSync } from 'node:sqlite';

/**
 * A connection with the settings that every reader and writer of app.sqlite shares. While another one writes, a statement waits at
 * most `lockMs`, and its thread with it.
 */
export function connectAppDatabase(file: string, lockMs: number): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: lockMs });
  try {
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;');
    // The receiver rewrites the same last pages, so rarer checkpoints write less in total.
    db.exec('PRAGMA wal_autocheckpoint = 4000;');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
