// app.sqlite with the tables of all subjects, and the body files beside it.
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '@rainbell/shared';
import { type AppDatabase, openDatabase } from '../database/app-database.ts';
import { closeOutcomes } from '../receiver/records/outcome-store.ts';
import { countMissingBodies, deleteUnnamedFiles } from '../receiver/records/body-files.ts';
import { skipLostCallbacks } from '../receiver/records/lost-callbacks.ts';
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

function afterLoss(db: DatabaseSync): number {
  skipLostCallbacks(db);
  return countMissingBodies(db);
}
