// Rain over many monitors at once, on PostgreSQL: how claims wait for each other, and what they hold.
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import type { Database } from '#service/database/open-database.ts';
import { holdMs } from '#service/monitors/delivery/events.ts';
import { createOutbox } from '#service/monitors/delivery/outbox.ts';
import { claimHeld } from '#test/service/monitors/delivery/delivery-rows.ts';
import { createMonitorStore } from '#service/monitors/monitor-store.ts';
import { createWatchedCells } from '#service/monitors/sweep/watched-cells.ts';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { cellOf } from '#test/service/cell-of.ts';
import { newDatabase } from '#test/service/engines.ts';
import { startMonitorService, turin } from '#test/service/monitor-service.ts';
import { fillWithMonitors, openFor, placesApart } from '#test/service/process-harness.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

const now = 1_800_000_000_000;

/** A hundred monitors in a cell. */
async function openFront() {
  const database = await openFor(await newDatabase('postgres', temporaryFolder()));
  await fillWithMonitors(database, Array<string>(100).fill('http://127.0.0.1:9/'), [turin]);
  return { database, db: database.db, cells: [cellOf(turin)] };
}

/** Locks the last monitor, which a claim takes last, until the test releases it. */
async function lockLastMonitor({ db }: Pick<Database, 'db'>) {
  const other = await db.startTransaction().execute();
  onTestFinished(async () => {
    if (!other.isCommitted) await other.rollback().execute();
  });
  await sql`select id from monitors where id = (select max(id) from monitors) for update`.execute(other);
  return () => other.commit().execute();
}

it('holds the events of a claim from its end, however long it had to wait for another one', async () => {
  const { database, db, cells } = await openFront();
  const release = await lockLastMonitor(database);
  const claim = claimHeld(createOutbox(database, 'one'), cells, now, { room: 1_000 });
  const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await waiting.execute(db)).rows.length).toBe(1);
  const { rows } = await sql<{ now: string }>`
    select extract(epoch from clock_timestamp()) * 1000 as now`.execute(db);
  await release();
  expect((await claim).held).toHaveLength(100);
  const { until } = await db
    .selectFrom('waiting_events')
    .select((select) => select.fn.min('held_until').as('until'))
    .executeTakeFirstOrThrow();
  expect(Number(until)).toBeGreaterThanOrEqual(Math.floor(Number(rows[0]?.now)) + holdMs);
});

it('sends what a claim has committed while the rest still waits, so that no lease ends before its event is sent', async () => {
  const [service, endpoint] = [await startMonitorService({ engine: 'postgres' }), await startCallbackEndpoint()];
  // More than one transaction claims, each in the order of IDs, so that two claims of the same cells wait instead of deadlocking.
  const count = 2_010;
  await fillWithMonitors(service.database, Array<string>(count).fill(endpoint.url), [turin]);
  service.rainAt(turin);
  const release = await lockLastMonitor(service.database);
  const sweep = service.sweep();
  await endpoint.waitFor(1);
  await Promise.all([release(), sweep]);
  await endpoint.waitFor(count);
  expect(new Set(endpoint.received.map(({ headers }) => headers['webhook-id'])).size).toBe(count);
});

it('takes, and renews the leases of, all events but those that another statement has', async () => {
  const { database, db, cells } = await openFront();
  const outbox = createOutbox(database, 'one');
  expect(await outbox.claim(cells, now)).toBe(100);
  const first = await db.selectFrom('waiting_events').select('event_id').limit(1).executeTakeFirstOrThrow();
  const lock = sql`select event_id from waiting_events where event_id = ${first.event_id} for update`;
  const taken = await db.transaction().execute(async (trx) => {
    await lock.execute(trx);
    return outbox.take(now, 1_000, []);
  });
  expect(taken).toHaveLength(99);
  expect((await outbox.take(now, 1_000, [])).map(({ id }) => id)).toEqual([first.event_id]);
  await db.updateTable('waiting_events').set({ held_until: 7 }).execute();
  await db.transaction().execute(async (trx) => {
    await lock.execute(trx);
    await outbox.hold([first.event_id, ...taken.map(({ id }) => id)]);
  });
  const old = await db.selectFrom('waiting_events').select('event_id').where('held_until', '=', 7).execute();
  expect(old).toEqual([first]);
});

it('moved monitors and sweeps that plan their cells never deadlock', async () => {
  const location = await newDatabase('postgres', temporaryFolder());
  const database = await openFor(location);
  const { db } = database;
  const places = placesApart(50);
  const ids = await fillWithMonitors(database, Array<string>(50).fill('http://127.0.0.1:9/'), places);
  const monitors = createMonitorStore({ db, clock: systemClock, cellOf });
  const cells = createWatchedCells(database);
  let isOver = false;
  const moves = Array.from({ length: 6 }, async (_, mover) => {
    for (let move = 0; move < 60; move += 1) {
      const geo = places[(mover * 31 + move * 17) % places.length] ?? turin;
      await monitors.change('application', ids[(mover + move * 6) % ids.length] ?? '', { geo });
    }
  });
  const plans = async (order: 'ascending' | 'descending') => {
    const looks = places.map((place) => ({ cell: cellOf(place), at: Date.now() }));
    while (!isOver) await cells.plan(order === 'ascending' ? looks : looks.toReversed());
  };
  const marks = async () => {
    while (!isOver) await cells.markDue(Date.now(), undefined);
  };
  const others = [plans('ascending'), plans('descending'), marks()];
  await Promise.all(moves).finally(() => (isOver = true));
  await Promise.all(others);
  await database.close();
  const { db: counts } = await openFor(location);
  const { rows } = await sql`select deadlocks from pg_stat_database where datname = current_database()`.execute(counts);
  expect(rows).toEqual([{ deadlocks: 0 }]);
});
