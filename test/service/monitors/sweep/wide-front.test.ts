// Rain over many monitors at once, on PostgreSQL: what a claim costs, and which monitors its events belong to.
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { openServiceDatabase } from '#service/app/open-service-database.ts';
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
const perCell = 100;

/** Monitors in cells of a hundred, and as many older events that still wait, of other monitors. */
async function frontOf({ monitors, waiting }: { monitors: number; waiting: number }) {
  const location = await newDatabase('postgres', temporaryFolder());
  const database = await openServiceDatabase({ ...location, clock: systemClock, log: pino({ level: 'silent' }) });
  onTestFinished(() => database.close());
  const { db } = database;
  await sql`
    insert into monitors (id, application_id, monitor_type, callback_uri, latitude, longitude, cell, created_at,
      gate_opens_at, failed_events)
    select 'precipitation_' || number, 'app', 'precipitation', 'http://127.0.0.1:9/', '45', '7', 'cell-' || number / ${perCell},
      0, 0, 0
    from generate_series(0, ${monitors - 1}::int) as number`.execute(db);
  await sql`
    insert into events (id, monitor_id, application_id, kind, occurred_at, callback_uri, body, feed_position)
    select 'evt_' || number, 'other_' || number, 'app', 'precipitation', ${now}::bigint, 'http://127.0.0.1:9/', '{}', 0
    from generate_series(0, ${waiting - 1}::int) as number`.execute(db);
  await sql`
    insert into waiting_events
    select id, application_id, 'http://127.0.0.1:9', 0, 0, 1, ${now + 600_000}::bigint, ${now + 3_600_000}::bigint, 0, null
    from events`.execute(db);
  const cells = Array.from({ length: monitors / perCell }, (_, index) => `cell-${index}`);
  return { database, cells };
}

async function claimTime(front: { monitors: number; waiting: number }): Promise<number> {
  const { database, cells } = await frontOf(front);
  const outbox = createOutbox(database, 'one');
  const startedAt = performance.now();
  const { count, held } = await claimHeld(outbox, cells, now, { room: 100_000 });
  expect({ count, held: held.length }).toEqual({ count: front.monitors, held: front.monitors });
  return performance.now() - startedAt;
}

it('claims 5,000 monitors in about the time, whether 10,000 events wait or none', async () => {
  const alone = await claimTime({ monitors: 5_000, waiting: 0 });
  const crowded = await claimTime({ monitors: 5_000, waiting: 10_000 });
  // It was 28 times as long, because all waiting events were compared with all monitors of the claim.
  expect(crowded / alone).toBeLessThan(10);
});

it('holds the events of a claim from its end, however long it had to wait for another one', async () => {
  const { database, cells } = await frontOf({ monitors: 100, waiting: 0 });
  const { db } = database;
  const locked = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  onTestFinished(() => release.resolve());
  const other = db.transaction().execute(async (trx) => {
    await sql`select id from monitors for update`.execute(trx);
    locked.resolve();
    await release.promise;
  });
  await locked.promise;
  const claim = claimHeld(createOutbox(database, 'one'), cells, now, { room: 1_000 });
  const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await waiting.execute(db)).rows.length).toBe(1);
  const { rows } = await sql<{ now: string }>`
    select extract(epoch from clock_timestamp()) * 1000 as now`.execute(db);
  release.resolve();
  await other;
  expect((await claim).held).toHaveLength(100);
  const { until } = await db
    .selectFrom('waiting_events')
    .select((select) => select.fn.min('held_until').as('until'))
    .executeTakeFirstOrThrow();
  expect(Number(until)).toBeGreaterThanOrEqual(Math.floor(Number(rows[0]?.now)) + holdMs);
});

it('sends what a claim has committed while the rest still waits, so that no lease ends before its event is sent', async () => {
  const [service, endpoint] = [await startMonitorService({ engine: 'postgres' }), await startCallbackEndpoint()];
  const { db } = service;
  // More than one transaction claims, each in the order of IDs, so that two claims of the same cells wait instead of deadlocking.
  const count = 2_010;
  await service.addMonitor(endpoint.url);
  await sql`
    insert into monitors (id, application_id, monitor_type, callback_uri, latitude, longitude, cell, created_at,
      gate_opens_at, failed_events)
    select 'precipitation_x' || lpad(number::text, 4, '0'), ${service.sandbox.applicationId}, 'precipitation', ${endpoint.url},
      '45', '7', ${cellOf(turin)}, 0, 0, 0
    from generate_series(${count}::int, 2, -1) as number`.execute(db);
  service.rainAt(turin);
  const locked = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  onTestFinished(() => release.resolve());
  const other = db.transaction().execute(async (trx) => {
    await sql`select id from monitors where id = (select max(id) from monitors) for update`.execute(trx);
    locked.resolve();
    await release.promise;
  });
  await locked.promise;
  const sweep = service.sweep();
  await endpoint.waitFor(1);
  release.resolve();
  await Promise.all([other, sweep]);
  await endpoint.waitFor(count);
  expect(new Set(endpoint.received.map(({ headers }) => headers['webhook-id'])).size).toBe(count);
});

it('takes, and renews the leases of, all events but those that another statement has', async () => {
  const { database, cells } = await frontOf({ monitors: 100, waiting: 0 });
  const { db } = database;
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
