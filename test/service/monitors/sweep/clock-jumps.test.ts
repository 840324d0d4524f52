// What gates and leases do when the wall clock is set forward or back. Sweeps and retries then: sweeps.test.ts, deliver.test.ts, and
// outbox.test.ts; the same with real processes: test/faults/clock-jumps.test.ts.
import { describe, expect, it } from 'vitest';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { hourMs, rainOn } from '#test/service/monitors/delivery/delivery-harness.ts';
import { engines, newDatabase } from '#test/service/engines.ts';
import { eventually } from '#test/service/eventually.ts';
import { startMonitorService, turin } from '#test/service/monitor-service.ts';
import { fillWithMonitors, openFor } from '#test/service/process-harness.ts';
import { createOutbox } from '#service/monitors/delivery/outbox.ts';
import { createWatchedCells } from '#service/monitors/sweep/watched-cells.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

describe.each(engines)('on %s', (engine) => {
  const launch = (options: Parameters<typeof startMonitorService>[0] = {}) =>
    startMonitorService({ engine, ...options });

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
