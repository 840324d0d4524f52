// Starts processes of monitor-process.ts on one database, and fills that database with monitors.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import type { LatLng } from '#contract/service-api/geo.ts';
import { openServiceDatabase } from '#service/app/open-service-database.ts';
import type { Database, DatabaseLocation } from '#service/database/open-database.ts';
import { retryOnDeadlock } from '#service/database/retry-on-deadlock.ts';
import type { MonitorRow } from '#service/monitors/monitor-json.ts';
import { createMonitorStore } from '#service/monitors/monitor-store.ts';
import { cellOf } from './cell-of.ts';
import { addApplicationRows } from './monitor-rows.ts';

export const monitorProcess = fileURLToPath(new URL('./monitor-process.ts', import.meta.url));

type Order = { kind: 'rain'; cells: string[] } | { kind: 'sweep' } | { kind: 'close' };

export type MonitorProcess = {
  /** Resolves when the process has done it. */
  order(order: Order): Promise<void>;
  /** Sends it without waiting. */
  send(order: Order): void;
  kill(): Promise<void>;
};

/** `entry`: a bundle of `monitorProcess`. */
export async function startMonitorProcess(entry: string, location: DatabaseLocation): Promise<MonitorProcess> {
  const child: ChildProcess = fork(entry, [JSON.stringify(location)], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
  });
  await Promise.race([
    once(child, 'message'),
    ended.then(() => Promise.reject(new Error('The process did not start.'))),
  ]);
  const send = (order: Order) => void child.send(order);
  return {
    send,
    async order(order) {
      send(order);
      await (order.kind === 'close' ? ended : once(child, 'message'));
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

export async function openFor(location: DatabaseLocation): Promise<Database> {
  const database = await openServiceDatabase({ ...location, clock: systemClock, log: pino({ level: 'silent' }) });
  onTestFinished(() => database.close());
  // The test's own connection fills tables; only the processes' commits must survive.
  if (database.engine === 'sqlite') await sql`PRAGMA synchronous = OFF`.execute(database.db);
  return database;
}

/** As if so much time passed that nothing is held by a killed process. */
export async function endLeases({ db }: Database): Promise<void> {
  await db.updateTable('watch_cells').set({ held_until: 0 }).execute();
  await db.updateTable('waiting_events').set({ held_until: 0 }).execute();
}

/** Monitors of one application, `callbacks[i]` at `places[i % places.length]`; returns their ids. */
export async function fillWithMonitors(
  { db }: Database,
  callbacks: readonly string[],
  places: readonly LatLng[],
): Promise<string[]> {
  // An event without an application is dropped.
  await addApplicationRows(db, 'application', { plan: 'in-house' });
  const store = createMonitorStore({ db, clock: systemClock, cellOf });
  const firsts: MonitorRow[] = [];
  for (const [index, callback_uri] of callbacks.slice(0, places.length).entries()) {
    const geo = places[index] ?? { lat: 0, lng: 0 };
    const row = await store.create('application', { monitor_type: 'precipitation', callback_uri, geo }, 1_000_000);
    if (row) firsts.push(row);
  }
  const others = await copyMonitors(db, firsts, callbacks.slice(places.length));
  return [...firsts, ...others].map(({ id }) => id);
}

/** Adds a copy of `rows[i % rows.length]` for `callbacks[i]`; all at once, because the store counts the monitors before it adds one. */
async function copyMonitors(
  db: Database['db'],
  rows: readonly MonitorRow[],
  callbacks: readonly string[],
): Promise<MonitorRow[]> {
  if (callbacks.length === 0) return [];
  return retryOnDeadlock(() =>
    db.transaction().execute(async (trx) => {
      const { last_number } = await trx
        .updateTable('counters')
        .set((values) => ({ last_number: values('last_number', '+', callbacks.length) }))
        .where('name', '=', 'monitor')
        .returning('last_number')
        .executeTakeFirstOrThrow();
      const copies = callbacks.flatMap((callback_uri, index) => {
        const row = rows[index % rows.length];
        const id = `precipitation_${last_number - callbacks.length + 1 + index}`;
        return row ? [{ ...row, id, callback_uri, created_at: systemClock.now() }] : [];
      });
      for (let start = 0; start < copies.length; start += 500)
        await trx
          .insertInto('monitors')
          .values(copies.slice(start, start + 500))
          .execute();
      for (const [cell, { length }] of Map.groupBy(copies, (row) => row.cell))
        await trx
          .updateTable('watch_cells')
          .set((values) => ({ monitor_count: values('monitor_count', '+', length), next_look_at: systemClock.now() }))
          .where('cell', '=', cell)
          .execute();
      return copies;
    }),
  );
}

/** Places in cells of their own. */
export function placesApart(count: number, latitude = 45): LatLng[] {
  return Array.from({ length: count }, (_, index) => ({ lat: latitude, lng: index / 5 - 90 }));
}
