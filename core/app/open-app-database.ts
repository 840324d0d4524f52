// Opens app.sqlite with the tables of all subjects, and the body files beside it: forward migrations with a copy before, a newer file
// refused, a damaged file replaced with a copy (shared/node/replace-database.ts). Nothing is ever deleted here.
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Clock, describeStorageError } from '@rainbell/shared';
import {
  createCopyNow,
  createDatabaseFile,
  explainStorageError,
  type FileLock,
  finishReplacement,
  lockFile,
  makePrivateFolder,
  replaceIfNeeded,
  reportOpenFolder,
} from '@rainbell/shared/node';
import { connectAppDatabase } from '../database/connect.ts';
import { runInTransaction } from '../database/transaction.ts';
import { AppFailure } from '../errors/app-failure.ts';
import { closeOutcomes } from '../receiver/records/stored-callback.ts';
import { countMissingBodies, deleteUnnamedFiles } from '../receiver/records/body-files.ts';
import { appMigrations, lastPreRelease } from './migrations.ts';

export type AppDatabase = ReturnType<typeof openAppDatabase>;

/** Another app, or `rainbell listen`, uses the data folder. */
export class FolderInUse extends AppFailure {
  constructor(folder: string) {
    const advice = 'Use that instance, quit it, or choose another folder with --data.';
    super('STORAGE', `Rainbell is already running with the data folder ${folder}. ${advice}`);
  }
}

type OpenOptions = { file: string; clock: Clock; migrations?: readonly string[] };

/** Throws AppFailure STORAGE if the folder cannot be used, is in use, or the file is from a newer version of Rainbell. */
export function openAppDatabase({ file, clock, migrations = appMigrations }: OpenOptions) {
  const folder = dirname(file);
  requireWritableFolder(folder);
  const lock = lockFolder(folder);
  try {
    const openFolder = reportOpenFolder(folder);
    /** Sentences about this start. Damage is reported separately. */
    const remarks = openFolder === undefined ? [] : [openFolder];
    const db = openSound({ file, clock, migrations }, remarks);
    // Pending deletions, whose callbacks are hidden (core/callbacks/callback-deletions.ts).
    db.exec('CREATE TEMP TABLE callback_deletions (callback_id INTEGER PRIMARY KEY, deletion TEXT NOT NULL) STRICT');
    closeOutcomes(db);
    deleteUnnamedFiles(db);
    return {
      db,
      file,
      remarks,
      close() {
        if (db.isOpen) db.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw storageFailure(error, file);
  }
}

function openSound({ file, clock, migrations }: Required<OpenOptions>, remarks: string[]): DatabaseSync {
  const isForeign = (db: DatabaseSync) => !isKnownVersion(schemaVersion(db), migrations);
  const replacement = replaceIfNeeded({ file, clock, isForeign }, remarks);
  createDatabaseFile(file);
  const db = connectAppDatabase(file, 2000);
  try {
    migrate(db, { file, clock, migrations });
    if (replacement) {
      const remark = finishReplacement({ file, clock }, replacement, afterLoss(db));
      if (remark !== undefined) remarks.push(remark);
    }
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** An empty file has version 0. */
function isKnownVersion(version: number, migrations: readonly string[]): boolean {
  return version === 0 || (version > lastPreRelease && version <= lastPreRelease + migrations.length);
}

/** More than the callbacks and requests that can be lost: an ID is never used twice. */
const skippedIds = 1_000_000;

/** Adapts a copy that was opened to what was lost after it. Returns how many callbacks have lost their bodies. */
function afterLoss(db: DatabaseSync): number {
  db.exec(`BEGIN IMMEDIATE;
    UPDATE callback_counters SET newest_id = newest_id + ${skippedIds} WHERE endpoint_id = '';
    UPDATE sqlite_sequence SET seq = seq + ${skippedIds};
    COMMIT`);
  return countMissingBodies(db);
}

/** Two apps on one folder would assign the same IDs twice. */
function lockFolder(folder: string): FileLock {
  let lock: FileLock | undefined;
  try {
    lock = lockFile(join(folder, 'app.lock'), 'exclusive');
  } catch (error) {
    throw folderFailure(folder, error);
  }
  if (lock) return lock;
  throw new FolderInUse(folder);
}

/** Makes the folder if it is missing; throws AppFailure STORAGE with the reason if it cannot be written to. */
export function requireWritableFolder(folder: string): void {
  try {
    makePrivateFolder(folder);
  } catch (error) {
    throw folderFailure(folder, error);
  }
}

function folderFailure(folder: string, error: unknown): AppFailure {
  const { phrase, remedy } = explainStorageError(error, join(folder, 'app.lock'));
  return new AppFailure(
    'STORAGE',
    `The data folder ${folder} cannot be written to (${phrase}). ${remedy}, or choose another one with --data.`,
    {},
    { cause: error },
  );
}

function migrate(db: DatabaseSync, { file, clock, migrations }: Required<OpenOptions>): void {
  const version = schemaVersion(db);
  const newest = lastPreRelease + migrations.length;
  if (!isKnownVersion(version, migrations)) throw unknownVersion(basename(file), version, newest);
  if (version > 0 && version < newest) createCopyNow(db, file, clock);
  for (let step = Math.max(0, version - lastPreRelease); step < migrations.length; step += 1) {
    runInTransaction(db, () => {
      db.exec(migrations[step] ?? '');
      db.exec(`PRAGMA user_version = ${lastPreRelease + step + 1}`);
    });
  }
}

function schemaVersion(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
}

function unknownVersion(name: string, version: number, newest: number): AppFailure {
  const [age, advice] =
    version > newest ? ['newer', 'Start the newer version'] : ['pre-release', 'Move the folder away'];
  return new AppFailure(
    'STORAGE',
    `${name} was written by a ${age} version of Rainbell (schema version ${version}; this version supports ${newest}). ${advice}, or choose another data folder with --data.`,
  );
}

function storageFailure(error: unknown, file: string): AppFailure {
  if (error instanceof AppFailure) return error;
  const { phrase, remedy } = explainStorageError(error, file);
  return new AppFailure(
    'STORAGE',
    `${file} cannot be opened (${phrase}). ${remedy}, or choose another data folder with --data.`,
    {},
    { cause: error },
  );
}

/** Explains to the user why the app cannot start: never a stack, and storage errors by their cause. */
export function describeStartFailure(error: unknown, dataFolder: string): string {
  if (error instanceof AppFailure) return error.message;
  if (describeStorageError(error) !== undefined) return folderFailure(dataFolder, error).message;
  const reason = error instanceof Error ? error.message : String(error);
  return `Rainbell could not start: ${reason}. The log file in ${join(dataFolder, 'logs')} has the details.`;
}
