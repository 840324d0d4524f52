// The clock of leases: how long a process may keep a row before others consider it dead. All processes that share the database must
// agree on it, whatever their own clocks show.
import { type RawBuilder, sql } from 'kysely';
import type { Database } from './open-database.ts';

/**
 * An expression for now, in milliseconds, with one value throughout a statement; comparable only with what the same database returned.
 *
 * A SQLite file is shared on one machine, so its leases use that machine's monotonic clock, which all processes share and no jump
 * affects (Node's process.hrtime; it restarts at boot). Processes on several machines share a PostgreSQL server, so they use its
 * clock, and a process with a wrong clock ends no lease early.
 */
export function leaseNow(engine: Database['engine']): RawBuilder<number> {
  return engine === 'sqlite' ? sql.val(machineMs()) : serverMs;
}

function machineMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + Math.floor(nanoseconds / 1_000_000);
}

/** Not now(), which is constant in a transaction, nor clock_timestamp(), which PostgreSQL evaluates for every row. */
const serverMs = sql<number>`floor(extract(epoch from statement_timestamp()) * 1000)::bigint`;

export function leaseEnd(now: RawBuilder<number>, ms: number): RawBuilder<number> {
  return sql<number>`${now} + ${sql.lit(ms)}`;
}
