// app.sqlite with the tables of all subjects, and the body files beside it.
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '@rainbell/shared';
import { type AppDatabase, openDatabase } from '../database/app-database.ts';
import { closeOutcomes } from '../receiver/records/stored-callback.ts';
import { countMissingBodies, deleteUnnamedFiles } from '../receiver/records/body-files.ts';
import { appMigrations, lastPreRelease } from './migrations.ts';

/** Throws AppFailure STORAGE if the folder cannot be used, is in use, or the file is from a newer version of Rainbell. */
export function openAppDatabase(options: { file: string; clock: Clock; migrations?: readonly string[] }): AppDatabase {
  const { file, clock, migrations = appMigrations } = options;
  return openDatabase({ file, clock, schema: { lastPreRelease, migrations, afterLoss, settle } });
}

function settle(db: DatabaseSync): void {
  // Pending deletions, whose callbacks are hidden (core/callbacks/callback-deletions.ts).
  db.exec('CREATE TEMP TABLE callback_deletions (callback_id INTEGER PRIMARY KEY, deletion TEXT NOT NULL) STRICT');
  closeOutcomes(db);
  deleteUnnamedFiles(db);
}

/** More than the callbacks and requests that can be lost: an ID is never used twice. */
const skippedIds = 1_000_000;

function afterLoss(db: DatabaseSync): number {
  db.exec(`BEGIN IMMEDIATE;
    UPDATE callback_counters SET newest_id = newest_id + ${skippedIds} WHERE endpoint_id = '';
    UPDATE sqlite_sequence SET seq = seq + ${skippedIds};
    COMMIT`);
  return countMissingBodies(db);
}
