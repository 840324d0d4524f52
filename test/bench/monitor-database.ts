// Databases full of monitors for the benches, and the measuring of work on them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { pino } from 'pino';
import { systemClock } from '#shared/time/clock.ts';
import { openServiceDatabase } from '#service/app/open-service-database.ts';
import type { Database } from '#service/database/open-database.ts';

export const silentLog = pino({ level: 'silent' });

/** CPU milliseconds of this process. */
export async function measure(work: () => Promise<unknown>): Promise<number> {
  const cpu = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return (user + system) / 1000;
}

export type MonitorDatabases = ReturnType<typeof createMonitorDatabases>;

/** SQLite files in one temporary folder, which goes when the process ends. */
export function createMonitorDatabases() {
  const folder = mkdtempSync(join(tmpdir(), 'rainbell-monitors-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  let number = 0;
  return {
    /** A file of that name in the folder. */
    file: (name: string) => join(folder, name),
    /** A new one with monitors, as `fillMonitors` adds them. */
    async fill(monitors: number, cells: number, urls: readonly string[]): Promise<Database> {
      const file = join(folder, `${(number += 1)}.sqlite`);
      const database = await openServiceDatabase({ file, clock: systemClock, log: silentLog });
      await sql`pragma synchronous = off`.execute(database.db);
      await fillMonitors(database, monitors, cells, urls);
      await sql`pragma synchronous = full`.execute(database.db);
      // What is measured must not write down what was filled in.
      await sql`pragma wal_checkpoint(truncate)`.execute(database.db);
      return database;
    },
  };
}

/** Monitors of one application in `cell-0` on, evenly. `urls`: of their callbacks, in turns, each followed by the monitor's number. */
export async function fillMonitors(
  { db }: Database,
  monitors: number,
  cells: number,
  urls: readonly string[],
): Promise<void> {
  await sql`insert into accounts (id, username, username_key, email, email_key, password_hash, is_operator, created_at)
    values ('filler', 'filler', 'filler', 'filler@example.org', 'filler@example.org', '', 0, 0)`.execute(db);
  await sql`insert into contracts (account_id, plan, created_at) values ('filler', 'in-house', 0)`.execute(db);
  await sql`insert into applications (id, client_id, account_id, plan, name, description, redirect_uris, is_public, allows_password,
      is_sandbox, terms_accepted_at, created_at)
    values ('application', 'filler', 'filler', 'in-house', 'Filler', '', '', 0, 0, 0, 0, 0)`.execute(db);
  const numbers = (from: number, until: number) => sql`with recursive numbers (number) as (
    select ${sql.lit(from)} union all select number + 1 from numbers where number < ${sql.lit(until - 1)})`;
  const place = sql`(number % ${sql.lit(cells)} % 1700) / 10.0 - 85, (number % ${sql.lit(cells)} / 1700) / 10.0 - 180`;
  const turns = urls.map((url, turn) => sql`when ${sql.lit(turn)} then ${sql.lit(url)}`);
  const url = sql`case number % ${sql.lit(urls.length)} ${sql.join(turns, sql` `)} end || number`;
  // Statements of the service end after 10 s.
  for (let from = 0; from < monitors; from += 25_000) {
    await sql`insert into monitors (id, application_id, monitor_type, callback_uri, latitude, longitude, cell, created_at,
        gate_opens_at, failed_events)
      ${numbers(from, Math.min(monitors, from + 25_000))}
      select 'precipitation_' || number, 'application', 'precipitation', ${url}, ${place},
        'cell-' || (number % ${sql.lit(cells)}), 0, 0, 0 from numbers`.execute(db);
  }
  await sql`insert into watch_cells (cell, latitude, longitude, monitor_count, next_look_at, held_until)
    ${numbers(0, cells)} select 'cell-' || number, ${place}, ${sql.lit(monitors / cells)}, 0, 0 from numbers`.execute(
    db,
  );
}

export const cellNames = (cells: number): string[] => Array.from({ length: cells }, (_, index) => `cell-${index}`);

/** Resolves when nothing waits to be sent, as the database has it. */
export async function allSent({ db }: Database): Promise<void> {
  for (;;) {
    const left = await db.selectFrom('waiting_events').select('event_id').limit(1).execute();
    if (left.length === 0) return;
    await pause(50);
  }
}

export const exampleBody = JSON.stringify({
  uri: '/v2/monitors/precipitation_1234/',
  geo: { type: 'Point', coordinates: [7.69, 45.07] },
  id: 'precipitation_1234',
  callback_uri: 'http://127.0.0.1:12345/1234',
  monitor_type: 'precipitation',
});
