// What gates and leases do when the wall clock is set forward or back. Sweeps and retries then: sweeps.test.ts, deliver.test.ts, and
// outbox.test.ts; the same with real processes: test/faults/clock-jumps.test.ts.
import { describe, expect, it } from 'vitest';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { hourMs, rainOn } from '#test/service/monitors/delivery/delivery-harness.ts';
import { engines } from '#test/service/engines.ts';
import { eventually } from '#test/service/eventually.ts';
import { startMonitorService } from '#test/service/monitor-service.ts';

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
});
