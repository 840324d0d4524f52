// What becomes of callbacks that are under way when the service ends (docs/delivery.md S14), over real HTTP.
import { describe, expect, it } from 'vitest';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { engines } from '#test/service/engines.ts';
import { eventually } from '#test/service/eventually.ts';
import { startMonitorService, type MonitorService } from '#test/service/monitor-service.ts';
import { eventOf, rainOn } from './delivery-harness.ts';

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
