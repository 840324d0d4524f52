// When an event is tried again, and that its cool-down starts anyway (docs/delivery.md S2 and S3), over real HTTP; the clock is the test's.
// Which statuses are tried again: retry-plan.test.ts.
import { describe, expect, it } from 'vitest';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { engines } from '#test/service/engines.ts';
import { eventually } from '#test/service/eventually.ts';
import { startMonitorService } from '#test/service/monitor-service.ts';
import { attempts, eventOf, hourMs, rainOn, status } from './delivery-harness.ts';

describe('an event that fails', () => {
  it.each(engines)(
    'is tried again after about 10 s, 1 min, 5 min and 20 min, with the same ID and a new timestamp, on %s',
    async (engine) => {
      const [service, endpoint] = [await startMonitorService({ engine }), await status(503)];
      const start = service.clock.now();
      const id = await rainOn(service, endpoint);
      for (const [index, pauseMs] of [9_000, 59_000, 299_000, 1_199_000].entries()) {
        await attempts(service, id, index + 1);
        await eventually(async () => expect((await eventOf(service, id))?.due_at).toBe(service.clock.now() + pauseMs));
        service.clock.advance(pauseMs - 1);
        expect(endpoint.received).toHaveLength(index + 1);
        service.clock.advance(1);
        await endpoint.waitFor(index + 2);
      }
      const rows = await attempts(service, id, 5);
      expect(rows.map((row) => row.started_at - start)).toEqual([0, 9_000, 68_000, 367_000, 1_566_000]);
      const valuesOf = (name: string) => new Set(endpoint.received.map(({ headers }) => headers[name]));
      expect([valuesOf('webhook-id').size, valuesOf('webhook-timestamp').size]).toEqual([1, 5]);
      await eventually(async () => expect(await eventOf(service, id)).toMatchObject({ state: 'failed', due_at: null }));
      // Its cool-down started anyway.
      service.clock.advance(hourMs - 1_566_001);
      await service.sweep();
      expect(endpoint.received).toHaveLength(5);
      service.clock.advance(1);
      await service.sweep();
      await endpoint.waitFor(6);
      expect(valuesOf('webhook-id').size).toBe(2);
    },
  );

  it('waits as long as Retry-After asks, and ends with the first success', async () => {
    const service = await startMonitorService();
    const endpoint = await startCallbackEndpoint((_callback, response, index) => {
      response.writeHead(index === 0 ? 429 : 200, { 'retry-after': '600' }).end();
    });
    const id = await rainOn(service, endpoint);
    await attempts(service, id, 1);
    await eventually(async () => expect((await eventOf(service, id))?.due_at).toBe(service.clock.now() + 600_000));
    service.clock.advance(600_000);
    await eventually(async () => expect(await eventOf(service, id)).toMatchObject({ state: 'delivered', attempts: 2 }));
  });
});
