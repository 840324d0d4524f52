// PostgreSQL for the benches of a fleet: the embedded server of the tests, whose CPU time counts with that of the service.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Kysely, sql } from 'kysely';
import { systemClock } from '#shared/time/clock.ts';
import { openServiceDatabase } from '#service/app/open-service-database.ts';
import type { Database } from '#service/database/open-database.ts';
import type { Tables } from '#service/database/tables.ts';
import { exampleBody, silentLog } from './monitor-database.ts';
import { usageOfTree } from '#scripts/process-tree.ts';

export type FleetDatabases = AsyncDisposable & {
  /** The URL of a new database with our tables. */
  create(): Promise<string>;
  open(url: string): Promise<Database>;
  /** CPU milliseconds of the server so far. */
  cpuMilliseconds(): number;
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
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

const numbersOf = (from: number, count: number) =>
  sql`generate_series(${from}::int, ${from + count - 1}::int) as number join monitors on id = 'precipitation_' || number`;
const eventId = sql`'evt_' || lpad(to_hex(number), 32, '0')`;

/** Events that wait to be sent now, each of a monitor of its own. */
export async function fillEvents(db: Kysely<Tables>, from: number, count: number): Promise<void> {
  const dueAt = Date.now();
  await sql`insert into events (id, monitor_id, application_id, kind, occurred_at, callback_uri, body, feed_position)
    select ${eventId}, id, 'application', 'precipitation', ${dueAt}::bigint, callback_uri, ${exampleBody}::text, number
    from ${numbersOf(from, count)}`.execute(db);
  await sql`insert into waiting_events (event_id, application_id, host, is_guarded, is_resend, attempts, due_at, expires_at, held_until)
    select ${eventId}, 'application', substring(callback_uri from '^http://[^/]+'), 0, 0, 0, ${dueAt}::bigint,
      ${dueAt + 3_600_000}::bigint, 0
    from ${numbersOf(from, count)}`.execute(db);
}

/** Jobs of the peers, by one statement as their own functions for many jobs write it. */
export async function fillJobs(db: Kysely<Tables>, queue: string, from: number, count: number): Promise<void> {
  const payload = sql`json_build_object('id', ${eventId}, 'monitor', id, 'url', callback_uri, 'body', ${exampleBody}::text)`;
  await (
    queue.startsWith('graphile')
      ? sql`select graphile_worker.add_jobs(array(select ('deliver', ${payload}, null, null, null, null, null, null)::graphile_worker.job_spec from ${numbersOf(from, count)}))`
      : sql`insert into pgboss.job (name, data) select 'deliver', ${payload} from ${numbersOf(from, count)}`
  ).execute(db);
}
