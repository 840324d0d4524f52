// PostgreSQL for the benches of a fleet: the embedded server of the tests, whose CPU time counts with that of the service.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Kysely, sql } from 'kysely';
import { systemClock } from '#shared/time/clock.ts';
import { openServiceDatabase } from '#service/app/open-service-database.ts';
import type { Database } from '#service/database/open-database.ts';
import type { Tables } from '#service/database/tables.ts';
import { silentLog } from './monitor-database.ts';
import { usageOfTree } from '#scripts/process-tree.ts';

export type FleetDatabases = {
  /** The URL of a new database with our tables. */
  create(): Promise<string>;
  open(url: string): Promise<Database>;
  /** CPU milliseconds of the server so far. */
  cpuMilliseconds(): number;
  stop(): Promise<void>;
};

const serverProcess = fileURLToPath(new URL('../setup/databases-process.ts', import.meta.url));

export async function startFleetDatabases(): Promise<FleetDatabases> {
  const child = fork(serverProcess);
  const [server] = (await once(child, 'message')) as [string];
  return {
    async create() {
      const response = await fetch(server, { method: 'POST' });
      const text = await response.text();
      if (!response.ok) throw new Error(`PostgreSQL could not be started: ${text}`);
      return text;
    },
    open: (url) => openServiceDatabase({ url, clock: systemClock, log: silentLog }),
    cpuMilliseconds: () => usageOfTree(child.pid ?? 0).cpuMicroseconds / 1000,
    async stop() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

/** What an event needs to be delivered: its application, and the secret that signs it. */
export async function fillApplication(db: Kysely<Tables>): Promise<void> {
  await sql`insert into accounts (id, username, username_key, email, email_key, password_hash, is_operator, created_at)
    values ('filler', 'filler', 'filler', 'filler@example.org', 'filler@example.org', '', 0, 0)`.execute(db);
  await sql`insert into contracts (id, account_id, plan, created_at) values ('filler', 'filler', 'in-house', 0)`.execute(
    db,
  );
  await sql`insert into applications (id, client_id, account_id, contract_id, name, description, is_public, allows_password,
      is_sandbox, terms_accepted_at, created_at)
    values ('application', 'filler', 'filler', 'filler', 'Filler', '', 0, 0, 0, 0, 0)`.execute(db);
}

/** Monitors of `cell-0` on, evenly. `urls`: of their callbacks, in turns. */
export async function fillMonitors(
  db: Kysely<Tables>,
  monitors: number,
  cells: number,
  urls: readonly string[] = ['http://127.0.0.1:9/'],
): Promise<void> {
  // Statements of the service end after 10 s.
  for (let from = 0; from < monitors; from += 25_000) {
    const last = Math.min(monitors, from + 25_000) - 1;
    await sql`insert into monitors (id, application_id, monitor_type, callback_uri, latitude, longitude, cell, created_at,
        gate_opens_at, failed_events)
      select 'precipitation_' || number, 'application', 'precipitation', (${urls}::text[])[1 + number % ${urls.length}::int] || number,
        ((number % ${cells}::int) % 1700)::float / 10 - 85, ((number % ${cells}::int) / 1700)::float / 10 - 180,
        'cell-' || number % ${cells}::int, 0, 0, 0
      from generate_series(${from}::int, ${last}::int) as number`.execute(db);
  }
  await sql`insert into watch_cells (cell, latitude, longitude, monitor_count, next_look_at, held_until)
    select 'cell-' || number, (number % 1700)::float / 10 - 85, (number / 1700)::float / 10 - 180, ${monitors / cells}::int, 0, 0
    from generate_series(0, ${cells - 1}::int) as number`.execute(db);
  await sql`analyze`.execute(db);
}

/** Events that wait to be sent now, each of a monitor of its own. */
export async function fillEvents(db: Kysely<Tables>, from: number, count: number, dueAt: number): Promise<void> {
  const numbers = sql`generate_series(${from}::int, ${from + count - 1}::int) as number`;
  const id = sql`'evt_' || lpad(to_hex(number), 32, '0')`;
  await sql`insert into events (id, monitor_id, application_id, kind, occurred_at, callback_uri, body, feed_position)
    select ${id}, id, 'application', 'precipitation', ${dueAt}::bigint, callback_uri, ${exampleBody}::text, number
    from ${numbers} join monitors on id = 'precipitation_' || number`.execute(db);
  await sql`insert into waiting_events (event_id, application_id, host, is_guarded, is_resend, attempts, due_at, expires_at, held_until)
    select ${id}, 'application', substring(callback_uri from '^http://[^/]+'), 0, 0, 0, ${dueAt}::bigint,
      ${dueAt + 3_600_000}::bigint, 0
    from ${numbers} join monitors on id = 'precipitation_' || number`.execute(db);
}

export const exampleBody = JSON.stringify({
  uri: '/v2/monitors/precipitation_1234/',
  geo: { type: 'Point', coordinates: [7.69, 45.07] },
  id: 'precipitation_1234',
  callback_uri: 'http://127.0.0.1:12345/1234',
  monitor_type: 'precipitation',
});
