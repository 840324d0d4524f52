// Opens app.sqlite with the schema that app/ passes in: forward migrations with a copy before, a newer file refused, a damaged file
// replaced with a copy (shared/node/replace-database.ts). Nothing is ever deleted here.
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
import { AppFailure } from '../errors/app-failure.ts';
import { connectAppDatabase } from './connect.ts';
import { runInTransaction } from './transaction.ts';

export type AppDatabase = {
  readonly db: DatabaseSync;
  readonly file: string;
  close: () => void;
  /** Sentences about this start. Damage has reports of its own. */
  readonly remarks: readonly string[];
};

/** Another app, or `rainbell listen`, uses the data folder. */
export class FolderInUse extends AppFailure {
  constructor(folder: string) {
    const advice = 'Use that instance, quit it, or choose another folder with --data.';
    super('STORAGE', `Rainbell is already running with the data folder ${folder}. ${advice}`);
  }
}

/** What the database holds, from the subjects that own its tables (core/app/open-app-database.ts). */
export type AppSchema = {
  /** The last version of the pre-release schema. */
  lastPreRelease: number;
  /** Step n leads to version `lastPreRelease + n + 1`. */
  migrations: readonly string[];
  /** Makes a copy that was opened fit what was lost after it. Returns how many callbacks have lost their bodies. */
  afterLoss: (db: DatabaseSync) => number;
  /** Ends what a crash interrupted, and prepares the connection. Called at each start. */
  settle: (db: DatabaseSync) => void;
};

type OpenOptions = { file: string; clock: Clock; schema: AppSchema };

/** Throws AppFailure STORAGE if the folder cannot be used, is in use, or the file is from a newer version of Rainbell. */
export function openDatabase({ file, clock, schema }: OpenOptions): AppDatabase {
  const folder = dirname(file);
  requireWritableFolder(folder);
  const lock = lockFolder(folder);
  try {
    const openFolder = reportOpenFolder(folder);
    const remarks = openFolder === undefined ? [] : [openFolder];
    const db = openSound({ file, clock, schema }, remarks);
    schema.settle(db);
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

function openSound(options: OpenOptions, remarks: string[]): DatabaseSync {
  const { file, clock, schema } = options;
  const isForeign = (db: DatabaseSync) => !isKnownVersion(schemaVersion(db), schema);
  const replacement = replaceIfNeeded({ file, clock, isForeign }, remarks);
  createDatabaseFile(file);
  const db = openAndMigrate(options);
  try {
    if (replacement) {
      const remark = finishReplacement({ file, clock }, replacement, schema.afterLoss(db));
      if (remark !== undefined) remarks.push(remark);
    }
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** An empty file has version 0. */
function isKnownVersion(version: number, schema: AppSchema): boolean {
  return version === 0 || (version > schema.lastPreRelease && version <= newestVersion(schema));
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

function openAndMigrate({ file, clock, schema }: OpenOptions): DatabaseSync {
  const db = connectAppDatabase(file, 2000);
  try {
    migrate(db, file, clock, schema);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function migrate(db: DatabaseSync, file: string, clock: Clock, schema: AppSchema): void {
  const version = schemaVersion(db);
  const newest = newestVersion(schema);
  if (!isKnownVersion(version, schema)) throw unknownVersion(basename(file), version, newest);
  if (version === newest) return;
  if (version > 0) createCopyNow(db, file, clock);
  runMigrations(db, version, schema);
}

function newestVersion({ lastPreRelease, migrations }: AppSchema): number {
  return lastPreRelease + migrations.length;
}

function runMigrations(db: DatabaseSync, version: number, { lastPreRelease, migrations }: AppSchema): void {
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

/** This version does not know all of the file's contents. */
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
