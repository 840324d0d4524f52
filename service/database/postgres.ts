// PostgreSQL for several service processes that share one database. The schema is the same as in SQLite.
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import { type Clock, describeStorageError, systemCode } from '@rainbell/shared';
import { StartError } from '../errors/start-error.ts';
import { createNotices } from './notices.ts';
import { migrate, planMigrations } from './migrate.ts';
import { prepareNamed } from './prepared-statement.ts';
import type { Database, DatabaseSchema, ServerLocation } from './open-database.ts';
import type { Tables } from './tables.ts';

const defaultConnections = 10;
const connectTimeoutMs = 5_000;
/** No request waits longer for the database; it gets 503 instead (http/server.ts). */
const statementTimeoutMs = 10_000;
/** For a server that does not respond at all, not even with a statement timeout. */
const responseTimeoutMs = 15_000;
const retryEveryMs = 1_000;
/** The state of a write to a server that only reads, such as one that was demoted by a failover. */
const readOnlyState = '25006';

/** Times and counters are bigint columns below 2^53, so they are read as numbers, as from SQLite. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

type OpenOptions = ServerLocation & { schema: DatabaseSchema; clock: Clock; log: Logger };

/** Throws a StartError if the server cannot be reached within `waitMs`, or refuses this user or database. */
export async function openPostgres(options: OpenOptions): Promise<Database> {
  const { url, log, clock, connections = defaultConnections } = options;
  await bringUpToDate(options);
  const pool = openPool(url, log, { max: connections, query_timeout: responseTimeoutMs }, statementTimeoutMs);
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const notices = createNotices({ db, url, clock, log });
  async function close(): Promise<void> {
    await notices.close();
    await db.destroy();
  }
  const countConnections = () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount });
  return { db, engine: 'postgres', notices, connections: countConnections, close };
}

/** Uses separate connections, because a schema change may take longer than any request. */
async function bringUpToDate(options: OpenOptions): Promise<void> {
  const { url, log, clock, waitMs = 0, migratesApart = false, schema } = options;
  const { migrations } = schema;
  const pool = openPool(url, log, { max: 2 });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  try {
    await connect(pool, { url, log, clock, waitMs });
    const { pending, newer } = await planMigrations(db, migrations, withoutPassword(url), { acceptsExpansions: true });
    if (newer.length > 0) log.warn({ migrations: newer }, 'the database was brought up to date by a newer version');
    if (pending.length === 0) return;
    if (migratesApart) throw notUpToDate(url, pending);
    await migrate(db, migrations, log);
  } finally {
    await db.destroy();
  }
}

function openPool(url: string, log: Logger, limits: pg.PoolConfig, timeoutMs = 0): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    types,
    ...limits,
    verify: (client, report) => void setUp(client, timeoutMs).then(() => report(), report),
  });
  const warn = (error: Error) => log.warn({ code: systemCode(error) }, 'a database connection was lost');
  // The pool handles errors of idle connections. One in use that the server ends between two statements needs its own listener:
  // otherwise the error would end the process. The pool replaces both.
  pool.on('error', warn);
  pool.on('connect', (client) => {
    client.on('error', warn);
    prepareNamed(client);
  });
  return pool;
}

/** Poolers refuse the timeout as a startup parameter. After a failover, a name may still lead to the old server, which only reads. */
async function setUp(client: pg.ClientBase, timeoutMs: number): Promise<void> {
  const { rows } = await client.query<{ read_only: string }>(
    // A process that hangs inside of a transaction must not keep its locks: claims wait for each other (monitors/delivery/events.ts).
    `select set_config('statement_timeout', $1, false), set_config('idle_in_transaction_session_timeout', $1, false),
       current_setting('transaction_read_only') as read_only`,
    [String(timeoutMs)],
  );
  if (rows[0]?.read_only === 'on') throw Object.assign(new Error('it is read-only'), { code: readOnlyState });
}

type ConnectOptions = { url: string; log: Logger; clock: Clock; waitMs: number };

async function connect(pool: pg.Pool, { url, log, clock, waitMs }: ConnectOptions): Promise<void> {
  const deadline = clock.elapsed() + waitMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const client = await pool.connect();
      client.release();
      return;
    } catch (error) {
      const code = systemCode(error);
      const reason =
        code === undefined || code === readOnlyState ? (error instanceof Error ? error.message : String(error)) : code;
      if (!mayPass(error) || clock.elapsed() >= deadline) throw unreachable(error, url, reason);
      const isNews = attempt === 1 || attempt % 30 === 0;
      if (isNews) log.warn({ database: withoutPassword(url), reason }, 'waiting for the database');
      await new Promise<void>((resolve) => void clock.after(retryEveryMs, resolve));
    }
  }
}

/** Whether the server is only starting or not up yet, unlike a wrong password or name. */
function mayPass(error: unknown): boolean {
  return systemCode(error) === 'ENOTFOUND' || describeStorageError(error) !== undefined;
}

function unreachable(error: unknown, url: string, reason: string): StartError {
  return new StartError(
    'start',
    `The database ${withoutPassword(url)} cannot be reached (${reason}). ` +
      'Check that the server is running, and check the name, user, and password in --database.',
    { cause: error },
  );
}

function notUpToDate(url: string, pending: readonly string[]): StartError {
  return new StartError(
    'start',
    `The database ${withoutPassword(url)} is not up to date (missing migrations: ${pending.join(', ')}), and RAINBELL_MIGRATIONS is ` +
      'apart. Run "npm run service -- migrate" as a role that is allowed to change tables, then try again.',
  );
}

function withoutPassword(url: string): string {
  const shown = new URL(url);
  shown.password = '';
  return shown.href;
}
