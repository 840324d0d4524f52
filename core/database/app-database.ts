// Opens app.sqlite: forward migrations with a backup before, a newer file refused with a sentence, a damaged file set
// aside with a notice. Nothing is ever deleted here.
import { accessSync, constants, existsSync, mkdirSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '#contract/clock.ts';
import { formatInstant } from '#contract/timestamp.ts';
import { AppFailure } from '../app-failure.ts';
import { setSegmentsAside } from '../receiver/body-segments.ts';
import { appMigrations } from './app-migrations.ts';

export type AppDatabase = {
  readonly db: DatabaseSync;
  readonly file: string;
  close: () => void;
  /** Sentences for the person, for instance that a damaged file was set aside. */
  readonly notices: readonly string[];
};

/** A connection with the settings that every reader and writer of app.sqlite shares. */
export function connectAppDatabase(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: 5000 });
  try {
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;');
    // The receiver writes the same last pages again and again; copying them over less often costs less in all.
    db.exec('PRAGMA wal_autocheckpoint = 4000;');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Throws AppFailure STORAGE where the folder cannot be used or the file is of a newer Rainbell. */
export function openAppDatabase(options: { file: string; clock: Clock; migrations?: readonly string[] }): AppDatabase {
  const { file, clock, migrations = appMigrations } = options;
  requireWritableFolder(dirname(file));
  const lock = lockFolder(dirname(file));
  const notices: string[] = [];
  let db: DatabaseSync;
  try {
    db = openAndMigrate(file, clock, migrations);
  } catch (error) {
    if (!isDamaged(error)) {
      lock.close();
      throw storageFailure(error, file);
    }
    notices.push(setAsideDamaged(file, clock));
    db = openAndMigrate(file, clock, migrations);
  }
  return {
    db,
    file,
    notices,
    close() {
      if (db.isOpen) db.close();
      if (lock.isOpen) lock.close();
    },
  };
}

/** Two apps on one folder would give the same ids twice. A lock of SQLite ends with its process, even after kill -9. */
function lockFolder(folder: string): DatabaseSync {
  const lock = new DatabaseSync(join(folder, 'app.lock'), { timeout: 0 });
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    throw new AppFailure(
      'STORAGE',
      `Rainbell is already running with the data folder ${folder}. Use that one, or choose another folder with --data.`,
      {},
      { cause: error },
    );
  }
}

/** Makes the folder where it is missing; throws AppFailure STORAGE with the reason when it cannot be written. */
export function requireWritableFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new AppFailure(
      'STORAGE',
      `The data folder ${folder} cannot be written (${reason(error)}). Make it writable, or choose another one with --data.`,
      {},
      { cause: error },
    );
  }
}

function openAndMigrate(file: string, clock: Clock, migrations: readonly string[]): DatabaseSync {
  const db = connectAppDatabase(file);
  try {
    migrate(db, file, clock, migrations);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function migrate(db: DatabaseSync, file: string, clock: Clock, migrations: readonly string[]): void {
  const version = schemaVersion(db);
  if (version > migrations.length) {
    throw new AppFailure(
      'STORAGE',
      `${basename(file)} was written by a newer Rainbell (its schema is ${version}, this one knows ${migrations.length}). ` +
        'Start the newer version, or choose another data folder with --data.',
    );
  }
  if (version === migrations.length) return;
  if (version > 0) db.prepare('VACUUM INTO ?').run(`${file}.before-${migrations.length}-${fileStamp(clock)}`);
  for (let step = version; step < migrations.length; step += 1) {
    db.exec('BEGIN IMMEDIATE');
    try {
      db.exec(migrations[step] ?? '');
      db.exec(`PRAGMA user_version = ${step + 1}`);
      db.exec('COMMIT');
    } catch (error) {
      db.exec('ROLLBACK');
      throw error;
    }
  }
}

function schemaVersion(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
}

/** SQLITE_CORRUPT and SQLITE_NOTADB, with their extended codes. */
function isDamaged(error: unknown): boolean {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return false;
  const primary = error.errcode & 0xff;
  return primary === 11 || primary === 26;
}

function setAsideDamaged(file: string, clock: Clock): string {
  const kept = `${file}.damaged-${fileStamp(clock)}`;
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(file + suffix)) renameSync(file + suffix, kept + suffix);
  }
  setSegmentsAside(file, kept);
  return (
    `The callback store ${basename(file)} was damaged and could not be read. It was kept as ${basename(kept)} in the ` +
    'data folder, and a new, empty one was begun.'
  );
}

function storageFailure(error: unknown, file: string): AppFailure {
  if (error instanceof AppFailure) return error;
  return new AppFailure(
    'STORAGE',
    `${file} cannot be opened (${reason(error)}). Check the folder's permissions and free space, or choose another one with --data.`,
    {},
    { cause: error },
  );
}

/** An instant that a file name can carry on every system. */
export function fileStamp(clock: Clock): string {
  return formatInstant(clock.now()).replaceAll(/[:.]/g, '-');
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : 'for an unknown reason';
}
