// Opens the service's database: a SQLite file by default, PostgreSQL for a team. Both return the same tables, migrated. A file is
// backed up before its schema changes, and rescued if it is damaged.
import { dirname } from 'node:path';
import { DatabaseSync, backup } from 'node:sqlite';
import { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Logger } from 'pino';
import { isDamage } from '#shared/errors/storage-error.ts';
import { formatInstant } from '#contract/service-api/timestamp.ts';
import type { Clock } from '#shared/time/clock.ts';
import { reportFound } from '#storage/damage-reports.ts';
import { type FileLock, lockFile } from '#storage/file-lock.ts';
import {
  createDatabaseFile,
  createEmptyFile,
  damagedPages,
  explainStorageError,
  findDamageAtRest,
  findDamageInside,
  type FoundDamage,
} from '#storage/open-database-file.ts';
import { makePrivateFolder, reportOpenFolder, tightenServiceFiles } from '#storage/private-files.ts';
import { movePreRelease } from '#storage/pre-release.ts';
import { abandonRescue, finishRescue, rescueTarget } from '#storage/rescue-plan.ts';
import { StartError } from '#service/errors/start-error.ts';
import { executedMigrations, isPreRelease, migrate, planMigrations, refuseNewerFile } from './migrate.ts';
import type { Notices } from './notices.ts';
import { nodeSqliteDialect } from './sqlite-dialect.ts';
import type { Tables } from './tables.ts';

/** `engine` decides the few statements that differ: only PostgreSQL has `FOR UPDATE SKIP LOCKED`. */
export type Database = {
  db: Kysely<Tables>;
  engine: 'sqlite' | 'postgres';
  /** Notices between the processes on this database. */
  notices: Notices;
  /** The connections to a PostgreSQL server, and how many statements wait for one. */
  connections?: () => { open: number; idle: number; waiting: number };
  close(): Promise<void>;
};

/**
 * A PostgreSQL server. `waitMs`: how long to wait for an unreachable one; without it, not at all. `migratesApart`: rejects an
 * outdated database instead of migrating it.
 */
export type ServerLocation = { url: string; connections?: number; waitMs?: number; migratesApart?: boolean };
export type DatabaseLocation = { file: string } | ServerLocation;

/** The tables of the subjects, as the composition root collects them. */
export type DatabaseSchema = {
  migrations: Readonly<Record<string, Migration>>;
  /** Copies the readable part of a damaged SQLite file to `target`, an empty database with this schema. */
  rescue: (damaged: { file: string; target: string; clock: Clock } & FoundDamage) => unknown;
};

/** No other process uses a SQLite file. */
const noNotices: Notices = { send: () => {}, listen: () => {}, close: async () => {} };

type DatabaseContext = { schema: DatabaseSchema; clock: Clock; log: Logger };

export async function openDatabase(options: DatabaseLocation & DatabaseContext): Promise<Database> {
  if ('url' in options) {
    const { openPostgres } = await import('./postgres.ts');
    return openPostgres(options);
  }
  return openSqlite(options);
}

/** Throws a StartError with the cause if the file cannot be used. */
async function openSqlite({ file, schema, clock, log }: { file: string } & DatabaseContext): Promise<Database> {
  let lock: FileLock | undefined;
  try {
    makePrivateFolder(dirname(file));
    const openFolder = reportOpenFolder(dirname(file));
    if (openFolder !== undefined) log.warn({ folder: dirname(file) }, openFolder);
    tightenServiceFiles(dirname(file));
    await rescueIfAlone(file, { schema, clock, log });
    createDatabaseFile(file);
    // While a process has the file open, no other may replace it.
    lock = lockFile(lockName(file), 'shared');
    if (!lock) throw new StartError('start', `${file} is being rescued by another process. Try again in a moment.`);
    const sqlite = connect(file);
    const onDamage = (error: Error) => {
      reportFound(file, 'damaged pages were found while it was in use', clock);
      log.error({ err: error, database: file }, 'database damaged; refusing writes until the next start rescues it');
    };
    const db = new Kysely<Tables>({ dialect: nodeSqliteDialect(sqlite, onDamage) });
    try {
      await bringUpToDate(db, sqlite, { file, schema, clock, log });
    } catch (error) {
      sqlite.close();
      throw error;
    }
    const held = lock;
    const close = async () => {
      await db.destroy();
      held.release();
    };
    return { db, engine: 'sqlite', notices: noNotices, close };
  } catch (error) {
    lock?.release();
    throw startError(error, file);
  }
}

async function bringUpToDate(
  db: Kysely<Tables>,
  sqlite: DatabaseSync,
  { file, schema: { migrations }, clock, log }: { file: string } & DatabaseContext,
) {
  const plan = await planMigrations(db, migrations, file);
  if (plan.executed.length > 0 && plan.pending.length > 0) {
    const copy = `${file}.${formatInstant(clock.now()).replaceAll(':', '-')}.backup`;
    createEmptyFile(copy);
    await backup(sqlite, copy);
    log.info({ copy }, 'database copied before a schema change');
  }
  if (plan.pending.length > 0) await migrate(db, migrations, log);
}

function lockName(file: string): string {
  return file.replace(/\.sqlite$/, '.lock');
}

/** A service starts rarely and reads no file completely later, so it checks more than the app. */
const checkedAtStartBytes = 128 * 1024 * 1024;

/** Checks for damage, and rescues. If another process has the database open, that one has checked it. */
async function rescueIfAlone(file: string, { schema, clock, log }: DatabaseContext): Promise<void> {
  const alone = lockFile(lockName(file), 'exclusive');
  if (!alone) return;
  try {
    finishRescue(file, clock);
    const damage = findDamageAtRest(file) ?? findDamageOf(file);
    if (!damage) {
      const db = new Kysely<Tables>({ dialect: nodeSqliteDialect(connect(file)) });
      const executed = await executedMigrations(db);
      await db.destroy();
      if (isPreRelease(executed, schema.migrations)) log.warn(movePreRelease(file));
      return;
    }
    refuseNewerFile(file, schema.migrations);
    const target = rescueTarget(file);
    try {
      createEmptyFile(target);
      const empty = new Kysely<Tables>({ dialect: nodeSqliteDialect(new DatabaseSync(target)) });
      try {
        await migrate(empty, schema.migrations, log);
      } finally {
        await empty.destroy();
      }
      schema.rescue({ file, target, clock, ...damage });
    } catch (error) {
      abandonRescue(file);
      throw error;
    }
  } finally {
    alone.release();
  }
}

function findDamageOf(file: string): FoundDamage | undefined {
  createDatabaseFile(file);
  try {
    const sqlite = connect(file);
    try {
      return findDamageInside(sqlite, file, checkedAtStartBytes);
    } finally {
      sqlite.close();
    }
  } catch (error) {
    if (isDamage(error)) return damagedPages;
    throw error;
  }
}

function connect(file: string): DatabaseSync {
  const sqlite = new DatabaseSync(file, { enableForeignKeyConstraints: true });
  try {
    // WAL allows readers and the one writer in parallel; FULL makes a commit survive a power loss.
    sqlite.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

function startError(error: unknown, file: string): StartError {
  if (error instanceof StartError) return error;
  const { phrase, remedy } = explainStorageError(error, file);
  return new StartError(
    'start',
    `The database file ${file} cannot be opened for writing (${phrase}). ${remedy}, or choose another folder with --data.`,
    { cause: error },
  );
}
