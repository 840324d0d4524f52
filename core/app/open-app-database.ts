// app.sqlite with the tables of all subjects, and the body files beside it.
import { basename } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '#shared/time/clock.ts';
import type { DamageReport } from '#contract/app-rpc/damage-report.ts';
import { formatInstant } from '#contract/service-api/timestamp.ts';
import { carryOut, damagedName } from '#storage/rescue-plan.ts';
import { type AppDatabase, openDatabase } from '../database/app-database.ts';
import { closeOutcomes } from '../receiver/records/outcome-store.ts';
import { hasSegments, segmentFolder, settleSegments } from '../receiver/records/body-segments.ts';
import { appMigrations, lastPreRelease } from './migrations.ts';
import { rescueAppDatabase } from './rescue-app-database.ts';

/** Throws AppFailure STORAGE if the folder cannot be used, is in use, or the file is from a newer version of Rainbell. */
export function openAppDatabase(options: { file: string; clock: Clock; migrations?: readonly string[] }): AppDatabase {
  const { file, clock, migrations = appMigrations } = options;
  const schema = {
    lastPreRelease,
    migrations,
    rescue: rescueAppDatabase,
    hasRemains: hasSegments,
    settle: settleBodies,
  };
  return openDatabase({ file, clock, schema });
}

/** Body files that no callback names are evidence of lost callbacks, so they are kept and reported, even if the process is killed. */
function settleBodies(db: DatabaseSync, file: string, clock: Clock): void {
  closeOutcomes(db);
  const names = settleSegments(db);
  if (names.length === 0) return;
  const backup = basename(damagedName(file, clock));
  const report: DamageReport = {
    id: backup,
    at: formatInstant(clock.now()),
    database: basename(file),
    state: 'rescued',
    detail: 'bodies without callbacks were found',
    keptAs: null,
    tables: [{ label: 'callbacks', kept: 0, lost: null }],
    keptBodyFiles: names.length,
    remarks: [],
  };
  const files = names.map((name) => ({ name, claim: 'none' as const }));
  carryOut(file, { kept: backup, target: null, bodies: { folder: basename(segmentFolder(file)), files }, report });
}
