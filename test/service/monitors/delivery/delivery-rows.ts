// The database of the service with rows that a test writes, and nothing that runs on it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Insertable, Updateable } from 'kysely';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { openServiceDatabase } from '#service/app/open-service-database.ts';
import type { Tables } from '#service/database/tables.ts';
import type { ClaimOptions } from '#service/monitors/delivery/events.ts';
import type { Outbox } from '#service/monitors/delivery/outbox.ts';
import type { WaitingEvent } from '#service/monitors/delivery/tables.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { addApplicationRows, newMonitorRow } from '#test/service/monitor-rows.ts';
import { type EventChanges, insertEvent, selectEvents } from './event-rows.ts';

export const startMs = Date.parse('2026-11-21T06:00:00Z');

/** How many events a claim creates, and those that it leases. */
export async function claimHeld(outbox: Outbox, cells: readonly string[], now: number, options: ClaimOptions) {
  const held: WaitingEvent[] = [];
  const count = await outbox.claim(cells, now, { ...options, onHeld: (part) => void held.push(...part) });
  return { count, held };
}

/** An empty database, created once, because the migrations take longer than a test. */
let empty: Promise<Buffer> | undefined;

async function createEmpty(): Promise<Buffer> {
  const file = join(temporaryFolder(), 'empty.sqlite');
  const log = pino({ level: 'silent' });
  const database = await openServiceDatabase({ file, clock: createManualClock(startMs), log });
  // Closing moves everything from the write-ahead log into the file.
  await database.close();
  return readFileSync(file);
}

/** A new SQLite file. `addApplication` also adds its account, of the same name. */
export async function openDeliveryRows() {
  const folder = temporaryFolder();
  const clock = createManualClock(startMs);
  const log = pino({ level: 'silent' });
  const file = join(folder, 'service.sqlite');
  writeFileSync(file, await (empty ??= createEmpty()), { mode: 0o600 });
  const database = await openServiceDatabase({ file, clock, log });
  onTestFinished(() => database.close());
  const { db } = database;

  async function addApplication(
    name: string,
    application: Partial<Insertable<Tables['applications']>> = {},
    account: Partial<Insertable<Tables['accounts']>> = {},
  ): Promise<string> {
    await addApplicationRows(db, name, { application, account });
    return name;
  }

  async function addMonitor(
    applicationId: string,
    id: string,
    changes: Partial<Insertable<Tables['monitors']>> = {},
  ): Promise<string> {
    await db
      .insertInto('monitors')
      .values(newMonitorRow({ id, application_id: applicationId, ...changes }))
      .execute();
    return id;
  }

  const changeMonitor = (id: string, changes: Updateable<Tables['monitors']>) =>
    db.updateTable('monitors').set(changes).where('id', '=', id).execute();
  const monitorRow = (id: string) =>
    db.selectFrom('monitors').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

  /** An event that is due, of monitor `m1` unless the changes name another. */
  async function addEvent(id: string, changes: EventChanges = {}) {
    await insertEvent(db, id, startMs, changes);
    const row = await selectEvents(db).where('events.id', '=', id).executeTakeFirstOrThrow();
    return row as typeof row & WaitingEvent;
  }
  const events = () => selectEvents(db).orderBy('events.id').execute();

  /** A first attempt with status 200, of an event that is added unless it exists. */
  async function addAttempt(
    eventId: string,
    { monitor_id = 'm1', ...changes }: Partial<Insertable<Tables['attempts']>> & { monitor_id?: string } = {},
  ): Promise<void> {
    const known = await db.selectFrom('events').select('id').where('id', '=', eventId).executeTakeFirst();
    const kind = changes.kind === 'test' ? 'test' : 'precipitation';
    if (!known) await insertEvent(db, eventId, startMs, { monitor_id, kind, state: 'delivered' });
    await db
      .insertInto('attempts')
      .values({
        event_id: eventId,
        attempt: 1,
        kind: 'first',
        started_at: startMs,
        latency_ms: 5,
        http_status: 200,
        error: null,
        answer: '',
        ...changes,
      })
      .execute();
  }
  const attempts = () => db.selectFrom('attempts').selectAll().orderBy('event_id').orderBy('attempt').execute();

  return {
    folder,
    clock,
    log,
    database,
    db,
    addApplication,
    addMonitor,
    changeMonitor,
    monitorRow,
    addEvent,
    events,
    addAttempt,
    attempts,
  };
}
