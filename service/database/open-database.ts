// Opens the service's database: a SQLite file by default, PostgreSQL for a team. Both return the same tables, migrated. A file is
// copied before its schema changes, and replaced with its newest copy if it is damaged.
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Logger } from 'pino';
import { type Clock, isDamage } from '@rainbell/shared';
import {
  createCopy,
  createCopyNow,
  createDatabaseFile,
  explainStorageError,
  type FileLock,
  finishReplacement,
  keepDailyCopies,
  lockFile,
  makePrivateFolder,
  replaceIfNeeded,
  reportFound,
  reportOpenFolder,
} from '@rainbell/shared/node';
import { StartError } from '../errors/start-error.ts';
import { migrate, planMigrations } from './migrate.ts';
import type { Notices } from './notices.ts';
import { type DamageNote, lockTimeoutMs, nodeSqliteDialect } from './sqlite-dialect.ts';
import type { Db, Tables } from './tables.ts';

/** `engine` decides the few statements that differ: only PostgreSQL has `FOR UPDATE SKIP LOCKED`. */
export type Database = {
  db: Db;
  engine: 'sqlite' | 'postgres';
  notices: Notices;
  connections?: () => { open: number; idle: number; waiting: number };
  /** Copies a SQLite file once a day from now on, until it is closed. */
  keepCopies?: () => void;
  close(): Promise<void>;
};

/** `waitMs`: how long to wait for an unreachable server. `migratesApart`: rejects an outdated database, migrates none. */
export type ServerLocation = { url: string; connections?: number; waitMs?: number; migratesApart?: boolean };
export type DatabaseLocation = { file: string } | ServerLocation;

export type DatabaseSchema = {
  migrations: Readonly<Record<string, Migration>>;
  /** The statements that make a copy of a SQLite file fit what was lost after it. */
  afterLoss: string;
};

/** No other process uses a SQLite file. */
const noNotices: Notices = { send: () => {}, listen: () => {}, close: async () => {} };

type DatabaseContext = { schema: DatabaseSchema; clock: Clock; log: Logger };

export async function openSqlite({ file, schema, clock, log }: { file: string } & DatabaseContext): Promise<Database> {
  let lock: FileLock | undefined;
  try {
    makePrivateFolder(dirname(file));
    const openFolder = reportOpenFolder(dirname(file));
    if (openFolder !== undefined) log.warn({ folder: dirname(file) }, openFolder);
    await replaceIfAlone(file, { schema, clock, log });
    createDatabaseFile(file);
    // While a process has the file open, no other may replace it.
    lock = lockFile(lockName(file), 'shared');
    if (!lock) throw new StartError('start', `${file} is being replaced by another process. Try again in a moment.`);
    const sqlite = connect(file);
    const damage = noteDamage(file, { clock, log });
    const db = new Kysely<Tables>({ dialect: nodeSqliteDialect(sqlite, damage) });
    try {
      await bringUpToDate(db, sqlite, { file, schema, clock, log });
    } catch (error) {
      sqlite.close();
      throw error;
    }
    const held = lock;
    let endCopies: () => Promise<void> = async () => {};
    const keepCopies = () => {
      endCopies = keepDailyCopies({
        file,
        clock,
        create: (signal) => createCopy(file, clock, signal),
        onFailed(error) {
          log.warn({ err: error, database: file }, 'daily copy failed');
          if (error instanceof Error && isDamage(error)) damage.note(error);
        },
      });
    };
    const close = async () => {
      await endCopies();
      await db.destroy();
      held.release();
    };
    return { db, engine: 'sqlite', notices: noNotices, keepCopies, close };
  } catch (error) {
    lock?.release();
    throw startError(error, file);
  }
}

function noteDamage(file: string, { clock, log }: { clock: Clock; log: Logger }): DamageNote {
  const damage: DamageNote = {
    note(error) {
      if (damage.found) return;
      damage.found = error;
      reportFound(file, 'damaged pages were found while it was in use', clock);
      log.error({ err: error, database: file }, 'database damaged; refusing writes until the next start opens a copy');
    },
  };
  return damage;
}

async function bringUpToDate(
  db: Db,
  sqlite: DatabaseSync,
  { file, schema: { migrations }, clock, log }: { file: string } & DatabaseContext,
) {
  const plan = await planMigrations(db, migrations, file);
  if (plan.pending.length === 0) return;
  if (plan.executed.length > 0) {
    const { name } = createCopyNow(sqlite, file, clock);
    log.info({ name }, 'database copied before a schema change');
  }
  await migrate(db, migrations, log);
}

function lockName(file: string): string {
  return file.replace(/\.sqlite$/, '.lock');
}

/** If another process has the database open, that one has checked it. */
async function replaceIfAlone(file: string, context: DatabaseContext): Promise<void> {
  const alone = lockFile(lockName(file), 'exclusive');
  if (!alone) return;
  const { schema, clock, log } = context;
  try {
    const remarks: string[] = [];
    const isForeign = (db: DatabaseSync) => hasUnknownMigrations(db, schema);
    const replacement = replaceIfNeeded({ file, clock, isForeign }, remarks);
    if (replacement) {
      createDatabaseFile(file);
      const sqlite = connect(file);
      const db = new Kysely<Tables>({ dialect: nodeSqliteDialect(sqlite) });
      await bringUpToDate(db, sqlite, { file, ...context });
      sqlite.exec(schema.afterLoss);
      await db.destroy();
      const remark = finishReplacement({ file, clock }, replacement, 0);
      if (remark !== undefined) remarks.push(remark);
    }
    for (const remark of remarks) log.warn(remark);
  } finally {
    alone.release();
  }
}

/** Whether this version can't use the file. It is no one else's, so even an additive migration of a newer version is refused. */
function hasUnknownMigrations(db: DatabaseSync, { migrations }: DatabaseSchema): boolean {
  const hasRecord = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'kysely_migration'").get();
  const executed = hasRecord ? db.prepare('SELECT name FROM kysely_migration').all() : [];
  return executed.some(({ name }) => !Object.hasOwn(migrations, String(name)));
}

function connect(file: string): DatabaseSync {
  const sqlite = new DatabaseSync(file, { enableForeignKeyConstraints: true, timeout: lockTimeoutMs });
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
