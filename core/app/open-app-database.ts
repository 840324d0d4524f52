// app.sqlite with the tables of all subjects, and the body files beside it.
import { basename } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type Clock, plural } from '@rainbell/shared';
import { type AppDatabase, openDatabase } from '../database/app-database.ts';
import { closeOutcomes } from '../receiver/records/outcome-store.ts';
import { countMissingBodies, dropUnnamed, settleSegments } from '../receiver/records/body-segments.ts';
import { appMigrations, lastPreRelease } from './migrations.ts';

/** Throws AppFailure STORAGE if the folder cannot be used, is in use, or the file is from a newer version of Rainbell. */
export function openAppDatabase(options: { file: string; clock: Clock; migrations?: readonly string[] }): AppDatabase {
  const { file, clock, migrations = appMigrations } = options;
  return openDatabase({ file, clock, schema: { lastPreRelease, migrations, afterLoss, settle } });
}

function settle(db: DatabaseSync): string[] {
  closeOutcomes(db);
  settleSegments(db);
  const missing = countMissingBodies(db);
  if (missing === 0) return [];
  const what = plural(missing, ['The body of # callback is missing', 'The bodies of # callbacks are missing']);
  return [
    `${what}: files in ${basename(db.location() ?? '')}-bodies are missing or incomplete. Check the disk for errors.`,
  ];
}

/** More than the callbacks and requests that can be lost: an ID is never used twice. */
const skippedIds = 1_000_000;

function afterLoss(db: DatabaseSync): number {
  db.exec(`BEGIN IMMEDIATE;
    INSERT INTO lost_callbacks SELECT newest_id + 1, newest_id + ${skippedIds} FROM callback_counters;
    UPDATE callback_counters SET newest_id = newest_id + ${skippedIds};
    UPDATE sqlite_sequence SET seq = seq + ${skippedIds};
    COMMIT`);
  dropUnnamed(db);
  return countMissingBodies(db);
}
