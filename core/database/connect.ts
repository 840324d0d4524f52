import { DatabaseSync } from 'node:sqlite';

/** A connection with the settings that every reader and writer of app.sqlite shares. */
export function connectAppDatabase(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: 5000 });
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
