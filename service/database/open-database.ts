// Opens the service's database: a SQLite file by default, PostgreSQL for a team. Either way the caller gets the same
// tables, migrated. A file is copied aside before its schema changes.
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, backup } from 'node:sqlite';
import { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { storageTrouble } from '#contract/storage-trouble.ts';
import { formatInstant } from '#contract/timestamp.ts';
import type { Clock } from '#contract/clock.ts';
import { StartError, systemCode } from '../start-error.ts';
import { migrate, planMigrations } from './migrate.ts';
import { migrations } from './migrations.ts';
import { nodeSqliteDialect } from './sqlite-dialect.ts';
import type { Tables } from './tables.ts';

/** `engine` decides the few statements that differ: only PostgreSQL has `FOR UPDATE SKIP LOCKED`. */
export type Database = { db: Kysely<Tables>; engine: 'sqlite' | 'postgres'; close(): Promise<void> };

export type DatabaseLocation = { file: string } | { url: string };

type Surroundings = { clock: Clock; log: Logger };

export async function openDatabase(options: DatabaseLocation & Surroundings): Promise<Database> {
  if ('url' in options) {
    const { openPostgres } = await import('./postgres.ts');
    return openPostgres(options);
  }
  return openSqlite(options);
}

async function openSqlite({ file, clock, log }: { file: string } & Surroundings): Promise<Database> {
  const sqlite = openFile(file);
  const db = new Kysely<Tables>({ dialect: nodeSqliteDialect(sqlite) });
  try {
    const plan = await planMigrations(db, migrations, file);
    if (plan.executed.length > 0 && plan.pending.length > 0) {
      const copy = `${file}.${formatInstant(clock.now()).replaceAll(':', '-')}.backup`;
      await backup(sqlite, copy);
      log.info({ copy }, 'database copied before its schema changes');
    }
    if (plan.pending.length > 0) await migrate(db, migrations, log);
  } catch (error) {
    sqlite.close();
    throw error;
  }
  return { db, engine: 'sqlite', close: () => db.destroy() };
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch {
    // Of a read-only disk the recursive call says ENOENT; the plain one tells the truth.
    mkdirSync(folder);
  }
}

function openFile(file: string): DatabaseSync {
  try {
    makeFolder(dirname(file));
    const sqlite = new DatabaseSync(file, { enableForeignKeyConstraints: true });
    // WAL lets readers and the one writer work side by side; FULL makes a commit survive a loss of power.
    sqlite.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
    return sqlite;
  } catch (error) {
    const reason =
      storageTrouble(error) ?? systemCode(error) ?? (error instanceof Error ? error.message : String(error));
    throw new StartError(
      'start',
      `The database file ${file} cannot be opened for writing (${reason}). ` +
        'Check the rights of that folder and the space on the disk, or choose another one with --data.',
      { cause: error },
    );
  }
}
