// The hourly gate (docs/interface.md §6, docs/delivery.md S1), over real HTTP. Sweeps and retries after a jump of the clock: sweeps.test.ts,
// deliver.test.ts, and outbox.test.ts; with real processes: test/faults/clock-jumps.test.ts.
import { expect, it } from 'vitest';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { engines } from '#test/service/engines.ts';
import { eventually } from '#test/service/eventually.ts';
import { oslo, startMonitorService, turin, type MonitorService } from '#test/service/monitor-service.ts';
import { hourMs, rainOn } from './delivery-harness.ts';

/** Events of a monitor, however they were delivered: what the gate let through. */
async function countEvents({ db }: MonitorService, id: string): Promise<number> {
  return (await db.selectFrom('events').select('id').where('monitor_id', '=', id).execute()).length;
}

it.each(engines)(
  'the gate lets through one event when it rains, and none while the hour lasts, also over a restart, on %s',
  async (engine) => {
    const [service, endpoint] = [await startMonitorService({ engine }), await startCallbackEndpoint()];
    const id = await rainOn(service, endpoint);
    const [callback] = await endpoint.waitFor(1);
    expect(callback?.method).toBe('POST');
    expect(JSON.parse(callback?.body ?? '')).toEqual({
      uri: `/v2/monitors/${id}/`,
      geo: { type: 'Point', coordinates: [turin.lng, turin.lat] },
      id,
      callback_uri: endpoint.url,
      monitor_type: 'precipitation',
    });
    await service.close();
    const { folder, location, clock } = service;
    const again = await startMonitorService({ engine, folder, location, clock });
    again.rainAt(turin);
    clock.advance(hourMs - 1);
    await again.sweep();
    expect(await countEvents(again, id)).toBe(1);
    clock.advance(1);
    await again.sweep();
    await endpoint.waitFor(2);
    expect(await countEvents(again, id)).toBe(2);
  },
);

it.each(engines)(
  'the gate lets no event through within an hour of another by the timestamps, however the clock jumps, on %s',
  async (engine) => {
    const [service, endpoint] = [await startMonitorService({ engine }), await startCallbackEndpoint()];
    await rainOn(service, endpoint);
    for (const hours of [1.02, -1.02, 1.02, 3, -3, 3.05, -4, 2, -0.5, 1.01, -1.5, 1.6]) {
      service.clock.jump(hours * hourMs);
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
  },
);

it('the gate is not opened by PUT or PATCH, not even to another place, but a recreated monitor has its own', async () => {
  const [service, endpoint] = [await startMonitorService(), await startCallbackEndpoint()];
  service.rainAt(oslo);
  const id = await rainOn(service, endpoint);
  await endpoint.waitFor(1);
  await service.call('PATCH', `/v2/monitors/${id}/`, { callback_uri: `${endpoint.url}/other` });
  const body = { monitor_type: 'precipitation', callback_uri: endpoint.url, geo: oslo };
  await service.call('PUT', `/v2/monitors/${id}/`, body);
  await service.sweep();
  expect(await countEvents(service, id)).toBe(1);
  await service.call('DELETE', `/v2/monitors/${id}/`);
  const next = await service.addMonitor(endpoint.url);
  expect(next).not.toBe(id);
  await service.sweep();
  const callbacks = await endpoint.waitFor(2);
  expect(JSON.parse(callbacks[1]?.body ?? '')).toMatchObject({ id: next });
});
