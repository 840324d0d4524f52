// PostgreSQL for several service processes that share one database. The schema is the same as in SQLite.
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import { systemCode } from '#shared/errors/system-code.ts';
import { StartError } from '#service/errors/start-error.ts';
import { migrate, planMigrations } from './migrate.ts';
import type { Database, DatabaseSchema } from './open-database.ts';
import type { Tables } from './tables.ts';

const connectionLimit = 10;
const connectTimeoutMs = 5_000;

/** Instants and counters are bigint columns; they stay below 2^53, so they come as numbers like from SQLite. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

export async function openPostgres({
  url,
  schema: { migrations },
  log,
}: {
  url: string;
  schema: DatabaseSchema;
  log: Logger;
}): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: url,
    max: connectionLimit,
    connectionTimeoutMillis: connectTimeoutMs,
    types,
  });
  // An idle connection that the server ends is replaced by the pool; without a listener it would end the process.
  pool.on('error', (error) => log.warn({ code: systemCode(error) }, 'a database connection was lost'));
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  try {
    await connectOnce(pool, url);
    const { pending } = await planMigrations(db, migrations, withoutPassword(url));
    if (pending.length > 0) await migrate(db, migrations, log);
  } catch (error) {
    await pool.end();
    throw error;
  }
  return { db, engine: 'postgres', close: () => db.destroy() };
}

async function connectOnce(pool: pg.Pool, url: string): Promise<void> {
  try {
    const client = await pool.connect();
    client.release();
  } catch (error) {
    const reason = systemCode(error) ?? (error instanceof Error ? error.message : String(error));
    throw new StartError(
      'start',
      `The database ${withoutPassword(url)} cannot be reached (${reason}). ` +
        'Check that the server runs, and the name, user and password in --database.',
      { cause: error },
    );
  }
}

function withoutPassword(url: string): string {
  const shown = new URL(url);
  shown.password = '';
  return shown.href;
}
