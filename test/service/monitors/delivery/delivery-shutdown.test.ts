// What becomes of callbacks that are under way when the service ends (docs/delivery.md S14), over real HTTP.
import { expect, it } from 'vitest';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { engines } from '#test/service/engines.ts';
import { eventually } from '#test/service/eventually.ts';
import { startMonitorService } from '#test/service/monitor-service.ts';
import { eventOf, rainOn } from './delivery-harness.ts';

it.each(engines)(
  'a shutdown takes at most its time limit; what did not finish is sent again with the same ID, on %s',
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
    const { folder, location, clock } = service;
    const again = await startMonitorService({ folder, location, clock });
    const [first, second] = await endpoint.waitFor(2);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    await eventually(async () => expect(await eventOf(again, id)).toMatchObject({ state: 'delivered' }));
  },
);
