// What becomes of callbacks that are under way when the service ends (docs/delivery.md S14), over real HTTP.
import { describe, expect, it } from 'vitest';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { engines } from '#test/service/engines.ts';
import { eventually } from '#test/service/eventually.ts';
import { startMonitorService, type MonitorService } from '#test/service/monitor-service.ts';
import { attempts, eventOf, hourMs, rainOn, status } from './delivery-harness.ts';

const restart = ({ folder, location, clock }: MonitorService) => startMonitorService({ folder, location, clock });

describe('a shutdown (docs/delivery.md S14)', () => {
  it('lets a callback that is under way finish, and leaves the rest for the next start', async () => {
    const service = await startMonitorService();
    let finish = () => {};
    const endpoint = await startCallbackEndpoint((_callback, response, index) => {
      if (index > 0) response.writeHead(204).end();
      else finish = () => void response.writeHead(204).end();
    });
    const id = await rainOn(service, endpoint);
    await endpoint.waitFor(1);
    const closing = service.close();
    finish();
    await closing;
    expect(await eventOf(await restart(service), id)).toMatchObject({ state: 'delivered', attempts: 1 });
    expect(endpoint.received).toHaveLength(1);
  });

  it.each(engines)(
    'takes at most its time limit; what did not finish is sent again with the same ID, on %s',
    async (engine) => {
      const service = await startMonitorService({ engine });
      const endpoint = await startCallbackEndpoint((_callback, response, index) => {
        if (index > 0) response.writeHead(204).end();
      });
      const id = await rainOn(service, endpoint);
      await endpoint.waitFor(1);
      const started = performance.now();
      await service.close();
      expect(performance.now() - started).toBeLessThan(10_000);
      const again = await restart(service);
      const [first, second] = await endpoint.waitFor(2);
      expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
      await eventually(async () => expect(await eventOf(again, id)).toMatchObject({ state: 'delivered' }));
    },
  );
});

describe('an event that waits for a retry while no service runs (docs/delivery.md S13)', () => {
  /** A service that is away from the first attempt until so long after the event. */
  async function restartAfter(awayMs: number) {
    const [service, endpoint] = [await startMonitorService(), await status(503)];
    const id = await rainOn(service, endpoint);
    await attempts(service, id, 1);
    const { occurred_at: occurredAt } = (await eventOf(service, id)) ?? { occurred_at: 0 };
    await service.close();
    service.clock.advance(occurredAt + awayMs - service.clock.now());
    return { id, endpoint, service: await restart(service) };
  }

  it('is sent again if the service is back before the hour is over', async () => {
    const { id, endpoint, service } = await restartAfter(hourMs - 1);
    const [first, second] = await endpoint.waitFor(2);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    await eventually(async () => expect(await eventOf(service, id)).toMatchObject({ state: 'failed', attempts: 2 }));
  });

  it('is given up without another attempt if the service is back an hour after it, and counts as failed once', async () => {
    const { id, endpoint, service } = await restartAfter(hourMs);
    await eventually(async () =>
      expect(await eventOf(service, id)).toMatchObject({ state: 'expired', attempts: 1, due_at: null }),
    );
    expect(endpoint.received).toHaveLength(1);
    const counted = async ({ call }: MonitorService) => (await call('GET', `/v2/monitors/${id}/delivery/`)).json;
    expect(await counted(service)).toMatchObject({ failed_in_a_row: 1 });
    await service.close();
    const again = await restart(service);
    // The start searches for expired events.
    const other = await again.addMonitor((await status(200)).url);
    await again.call('POST', `/v2/monitors/${other}/test-event/`);
    await attempts(again, other, 1);
    expect(await counted(again)).toMatchObject({ failed_in_a_row: 1 });
  });
});
