// What the service does when its wall clock is set forward or back: sweeps, gates, retries, breakers, and leases go on. The
// same with real processes in test/faults/clock-jumps.test.ts.
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { attempts, eventOf, hourMs, rainOn, status } from '#test/service/monitors/delivery/delivery-harness.ts';
import { engines, newDatabase } from '#test/service/engines.ts';
import { eventually } from '#test/service/eventually.ts';
import { oslo, startMonitorService, turin } from '#test/service/monitor-service.ts';
import { fillWithMonitors, openFor } from '#test/service/process-harness.ts';
import { createOutbox } from '#service/monitors/delivery/outbox.ts';
import { resendEvent } from '#service/monitors/delivery/events.ts';
import { createWatchedCells } from '#service/monitors/sweep/watched-cells.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

const sweepMs = 60_000;
const directions = [3 * hourMs, -3 * hourMs, -40_000] as const;

describe.each(engines)('on %s', (engine) => {
  const launch = (options: Parameters<typeof startMonitorService>[0] = {}) =>
    startMonitorService({ engine, ...options });

  it('a sweep looks at a cell whose look was planned hours ahead by another clock', async () => {
    const [service, endpoint] = [await launch(), await startCallbackEndpoint()];
    await service.addMonitor(endpoint.url);
    await service.sweep();
    service.looks.length = 0;
    const planned = { next_look_at: service.clock.now() + 4 * hourMs, held_until: Number.MAX_SAFE_INTEGER };
    await service.db.updateTable('watch_cells').set(planned).execute();
    service.clock.advance(sweepMs);
    await eventually(() => expect(service.looks).toEqual([turin]));
  });

  it('the gate lets no event through within an hour of another by the timestamps, however the clock jumps', async () => {
    const [service, endpoint] = [await launch(), await startCallbackEndpoint()];
    await rainOn(service, endpoint);
    for (const byMs of [1.02, -1.02, 1.02, 3, -3, 3.05, -4, 2, -0.5, 1.01, -1.5, 1.6]) {
      service.clock.jump(byMs * hourMs);
      await service.sweep();
      await eventually(async () => {
        const waiting = await service.db.selectFrom('waiting_events').select('event_id').execute();
        expect(waiting).toEqual([]);
      });
    }
    const rows = await service.db.selectFrom('events').select('occurred_at').execute();
    expect(rows.length).toBeGreaterThan(2);
    const times = rows.map((row) => row.occurred_at).toSorted((one, other) => one - other);
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(hourMs);
  });

  it('leases of a process are not ended by one whose clock is ahead, and run out though their clock was ahead', async () => {
    const database = await openFor(await newDatabase(engine, temporaryFolder()));
    await fillWithMonitors(database, ['http://127.0.0.1:9/'], [turin]);
    const now = Date.now();
    const [mine, theirs] = [createOutbox(database, 'mine'), createOutbox(database, 'theirs')];
    const cells = await createWatchedCells(database).take(now, 10);
    expect(cells).toHaveLength(1);
    expect(await createWatchedCells(database).take(now + 10 * 60_000, 10)).toEqual([]);
    expect(await mine.claim([cells[0]?.cell ?? ''], now)).toBe(1);
    expect(await mine.take(now, 10, [])).toHaveLength(1);
    expect(await theirs.take(now + 10 * 60_000, 10, [])).toEqual([]);

    const heldUntil = async () =>
      Number((await database.db.selectFrom('waiting_events').select('held_until').executeTakeFirst())?.held_until);
    const before = await heldUntil();
    await database.db
      .updateTable('waiting_events')
      .set({ held_until: before + 4 * hourMs })
      .execute();
    await theirs.replan(() => now);
    // From now on a dead process's lease lasts as long as any.
    expect(await heldUntil()).toBeGreaterThanOrEqual(before);
    expect(await heldUntil()).toBeLessThan(before + 60_000);
  });
});

it.each(directions)('a sweep looks at once after a jump of %i ms, and then at the interval', async (byMs) => {
  const [service, endpoint] = [await startMonitorService(), await startCallbackEndpoint()];
  await service.addMonitor(endpoint.url);
  await service.sweep();
  service.looks.length = 0;
  service.clock.jump(byMs);
  await eventually(() => expect(service.looks).toEqual([turin]));
  // Queued behind the sweep that the jump began.
  await service.monitors.sweepNow({ center: oslo, radiusKm: 1 });
  service.looks.length = 0;
  service.clock.advance(sweepMs);
  await eventually(() => expect(service.looks).toEqual([turin]));
});

it('the gate opens an hour after a clock that was ahead is set back, and not for as long as it was ahead', async () => {
  const [service, endpoint] = [await startMonitorService(), await startCallbackEndpoint()];
  const id = await rainOn(service, endpoint);
  await endpoint.waitFor(1);
  service.clock.jump(-4 * hourMs);
  await eventually(async () => {
    const row = await service.db.selectFrom('monitors').selectAll().where('id', '=', id).executeTakeFirst();
    expect(row?.gate_opens_at).toBe(service.clock.now() + hourMs);
  });
  service.clock.advance(hourMs - 1);
  await service.sweep();
  expect(endpoint.received).toHaveLength(1);
  service.clock.advance(1);
  await service.sweep();
  await endpoint.waitFor(2);
});

describe('retries', () => {
  it.each([-4 * hourMs, -11_000])('are sent at once after a jump of %i ms', async (byMs) => {
    const [service, endpoint] = [await startMonitorService(), await status(503)];
    const id = await rainOn(service, endpoint);
    await attempts(service, id, 1);
    await eventually(async () => expect((await eventOf(service, id))?.held_until).toBe(0));
    service.clock.advance(4_000);
    service.clock.jump(byMs);
    await endpoint.waitFor(2);
    expect(endpoint.received[1]?.headers['webhook-id']).toBe(endpoint.received[0]?.headers['webhook-id']);
  });

  it('that a jump forward makes due are sent at once', async () => {
    const [service, endpoint] = [await startMonitorService(), await status(503)];
    const id = await rainOn(service, endpoint);
    await attempts(service, id, 1);
    service.clock.jump(5 * 60_000);
    const [first, second] = await endpoint.waitFor(2);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  });

  it('requested by hand are sent at once, even if the clock is set back meanwhile', async () => {
    const service = await startMonitorService();
    const endpoint = await startCallbackEndpoint();
    const id = await rainOn(service, endpoint);
    await attempts(service, id, 1);
    const event = await eventually(async () => {
      const row = await eventOf(service, id);
      expect(row?.state).toBe('delivered');
      return row;
    });
    // As a process that ended right after the request left it.
    const monitor = await service.db.selectFrom('monitors').selectAll().executeTakeFirstOrThrow();
    expect(await resendEvent(service.database, monitor, event!.id, service.clock.now() + 60_000)).toBe('sent');
    service.clock.jump(-hourMs);
    const callbacks = await endpoint.waitFor(2);
    expect(callbacks[1]?.headers['webhook-id']).toBe(event?.id);
  });
});

describe('on postgres', () => {
  it('a check of plans that another jump overtakes dates no later event back', async () => {
    // Holds the event until the check is over.
    let respond = () => {};
    const endpoint = await startCallbackEndpoint((_callback, response, index) => {
      if (index === 0) response.writeHead(204).end();
      else respond = () => response.writeHead(204).end();
    });
    const service = await startMonitorService({ engine: 'postgres' });
    const id = await rainOn(service, endpoint);
    await eventually(async () => expect((await eventOf(service, id))?.state).toBe('delivered'));
    // A gate that the check has to pull in, in a row that another transaction has locked.
    const other = await service.addMonitor(endpoint.url, oslo);
    const farGate = { gate_opens_at: service.clock.now() + 100 * hourMs };
    await service.db.updateTable('monitors').set(farGate).where('id', '=', other).execute();
    let unlock = () => {};
    const locked = new Promise<void>((resolve) => (unlock = resolve));
    const transaction = service.db.transaction().execute(async (trx) => {
      await trx.selectFrom('monitors').select('id').where('id', '=', other).forUpdate().execute();
      service.clock.jump(0.5 * hourMs);
      await locked;
    });
    // The check has come to the locked row.
    await eventually(async () => {
      const waiting = sql<{ n: number }>`
        select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      expect((await waiting.execute(service.db)).rows[0]?.n).toBeGreaterThan(0);
    });
    service.clock.jump(3 * hourMs);
    const sweeping = service.sweep();
    // The claim waits for the check. If it did not, its event would be there after a few statements.
    const events = service.db.selectFrom('events').select('id');
    for (let round = 0; round < 100 && (await events.execute()).length === 1; round += 1) await events.execute();
    unlock();
    await transaction;
    await sweeping;
    await endpoint.waitFor(2);
    await eventually(async () => {
      const row = await service.db.selectFrom('monitors').selectAll().where('id', '=', other).executeTakeFirst();
      expect(row?.gate_opens_at).toBeLessThan(farGate.gate_opens_at);
    });
    respond();
    await eventually(async () => expect((await eventOf(service, id))?.state).toBe('delivered'));
    const rows = await service.db.selectFrom('events').select('occurred_at').orderBy('occurred_at').execute();
    expect(rows).toHaveLength(2);
    expect((rows[1]?.occurred_at ?? 0) - (rows[0]?.occurred_at ?? 0)).toBeGreaterThanOrEqual(hourMs);
  });
});

describe('a breaker', () => {
  it.each([3 * hourMs, -3 * hourMs])('rests for as long as before after a jump of %i ms', async (byMs) => {
    const service = await startMonitorService();
    const endpoint = await startCallbackEndpoint((_callback, response) => response.destroy());
    const ids = await Promise.all([1, 2, 3].map(() => service.addMonitor(endpoint.url)));
    service.rainAt(turin);
    await service.sweep();
    for (const id of ids) await attempts(service, id, 1);
    // Three attempts without an answer: the host rests for a second.
    service.clock.jump(byMs);
    const next = await service.addMonitor(endpoint.url, turin);
    await service.sweep();
    const [putOff] = await attempts(service, next, 1);
    expect(putOff?.error).toBe('host-silent');
    service.clock.advance(1_001);
    const after = await service.addMonitor(endpoint.url, turin);
    await service.sweep();
    const [tried] = await attempts(service, after, 1);
    expect(tried?.error).not.toBe('host-silent');
  });
});
