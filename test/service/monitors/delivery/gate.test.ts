// The hourly gate (docs/interface.md §6, docs/delivery.md S1), over real HTTP.
import { describe, expect, it } from 'vitest';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { oslo, startMonitorService, turin, type MonitorService } from '#test/service/monitor-service.ts';
import { engines } from '#test/service/engines.ts';

const hourMs = 3_600_000;

/** Events of a monitor, however they were delivered: what the gate let through. */
async function eventsOf(service: MonitorService, id: string): Promise<number[]> {
  const rows = await service.db
    .selectFrom('events')
    .select('occurred_at')
    .where('monitor_id', '=', id)
    .orderBy('occurred_at')
    .execute();
  return rows.map((row) => row.occurred_at);
}

describe.each(engines)('on %s', (engine) => {
  const launch = (options: Parameters<typeof startMonitorService>[0] = {}) =>
    startMonitorService({ engine, ...options });

  describe('the hourly gate (docs/delivery.md S1)', () => {
    it('sends one event when it rains, and none while the hour lasts', async () => {
      const [service, endpoint] = [await launch(), await startCallbackEndpoint()];
      const id = await service.addMonitor(endpoint.url);
      service.rainAt(turin);
      await service.sweep();
      const [callback] = await endpoint.waitFor(1);
      expect(callback?.method).toBe('POST');
      expect(JSON.parse(callback?.body ?? '')).toEqual({
        uri: `/v2/monitors/${id}/`,
        geo: { type: 'Point', coordinates: [turin.lng, turin.lat] },
        id,
        callback_uri: endpoint.url,
        monitor_type: 'precipitation',
      });

      service.clock.advance(hourMs - 1);
      await service.sweep();
      expect(await eventsOf(service, id)).toHaveLength(1);

      service.clock.advance(1);
      await service.sweep();
      await endpoint.waitFor(2);
      expect(await eventsOf(service, id)).toHaveLength(2);
    });

    it('stays closed over a restart', async () => {
      const [service, endpoint] = [await launch(), await startCallbackEndpoint()];
      const id = await service.addMonitor(endpoint.url);
      service.rainAt(turin);
      await service.sweep();
      await endpoint.waitFor(1);
      await service.close();

      const again = await launch({ folder: service.folder, location: service.location, clock: service.clock });
      again.rainAt(turin);
      await again.sweep();
      expect(await eventsOf(again, id)).toHaveLength(1);
      service.clock.advance(hourMs);
      await again.sweep();
      await endpoint.waitFor(2);
    });

    it('stays closed when the clock is set back', async () => {
      const [service, endpoint] = [await launch(), await startCallbackEndpoint()];
      const id = await service.addMonitor(endpoint.url);
      service.rainAt(turin);
      await service.sweep();
      service.clock.jump(-2 * hourMs);
      await service.sweep();
      expect(await eventsOf(service, id)).toHaveLength(1);
    });

    it('is not opened by PUT or PATCH, not even to another place', async () => {
      const [service, endpoint] = [await launch(), await startCallbackEndpoint()];
      const id = await service.addMonitor(endpoint.url);
      service.rainAt(turin);
      service.rainAt(oslo);
      await service.sweep();
      await endpoint.waitFor(1);
      await service.call('PATCH', `/v2/monitors/${id}/`, { callback_uri: `${endpoint.url}/other` });
      await service.call('PUT', `/v2/monitors/${id}/`, {
        monitor_type: 'precipitation',
        callback_uri: endpoint.url,
        geo: oslo,
      });
      await service.sweep();
      expect(await eventsOf(service, id)).toHaveLength(1);
    });

    it('belongs to an ID: a recreated monitor has its own', async () => {
      const [service, endpoint] = [await launch(), await startCallbackEndpoint()];
      const id = await service.addMonitor(endpoint.url);
      service.rainAt(turin);
      await service.sweep();
      await endpoint.waitFor(1);
      await service.call('DELETE', `/v2/monitors/${id}/`);
      const next = await service.addMonitor(endpoint.url);
      expect(next).not.toBe(id);
      await service.sweep();
      const callbacks = await endpoint.waitFor(2);
      expect(JSON.parse(callbacks[1]?.body ?? '')).toMatchObject({ id: next });
    });

    it('requests only the weather near a place with simulated rain', async () => {
      const [service, endpoint] = [await launch(), await startCallbackEndpoint()];
      await service.addMonitor(endpoint.url, turin);
      await service.addMonitor(endpoint.url, oslo);
      await service.sweep();
      service.looks.length = 0;
      await service.monitors.sweepNow({ center: turin, radiusKm: 30 });
      expect(service.looks).toEqual([turin]);
    });

    it('looks up the weather once per cell, however many monitors the cell has', async () => {
      const [service, endpoint] = [await launch(), await startCallbackEndpoint()];
      for (let count = 0; count < 20; count += 1) await service.addMonitor(endpoint.url);
      await service.addMonitor(endpoint.url, oslo);
      await service.sweep();
      service.looks.length = 0;
      await service.sweep();
      expect(service.looks).toHaveLength(2);
    });
  });
});
