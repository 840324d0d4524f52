// Endpoints that are dead, slow or silent, and that others do not wait for them (docs/delivery.md S10 and S12), over
// real HTTP; the clock is the test's.
import { describe, expect, it } from 'vitest';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { attempts, eventOf, hourMs, rainOn, status } from './delivery-harness.ts';
import { engines } from '#test/service/engines.ts';
import { eventually } from '#test/service/eventually.ts';
import { startMonitorService, turin, type MonitorService } from '#test/service/monitor-service.ts';

describe.each(engines)('on %s', (engine) => {
  const launch = (options: Parameters<typeof startMonitorService>[0] = {}) =>
    startMonitorService({ engine, ...options });

  describe('a dead endpoint (docs/delivery.md S10)', () => {
    it('that answers 410 is no longer called until its URL changes', async () => {
      const [service, endpoint, other] = [await launch(), await status(410), await startCallbackEndpoint()];
      const id = await rainOn(service, endpoint);
      await eventually(async () => expect(await eventOf(service, id)).toMatchObject({ state: 'failed' }));
      const row = await service.db.selectFrom('monitors').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
      expect(row).toMatchObject({ off_since: service.clock.now(), off_reason: 'the callback URL returned 410 Gone' });
      service.clock.advance(hourMs);
      await service.sweep();
      expect(endpoint.received).toHaveLength(1);
      expect((await service.call('GET', `/v2/monitors/${id}/`)).status).toBe(200);
      await service.call('PATCH', `/v2/monitors/${id}/`, { callback_uri: other.url });
      await service.sweep();
      await other.waitFor(1);
    });

    it('that fails 24 events in a row is no longer called; a success in between resets the count', async () => {
      const service = await launch({ config: { deliveryRetries: 0 } });
      const endpoint = await startCallbackEndpoint((_callback, response, index) => {
        response.writeHead(index === 10 ? 200 : 400).end();
      });
      const id = await rainOn(service, endpoint);
      for (let count = 1; count < 11 + 24; count += 1) {
        await attempts(service, id, count);
        await eventually(async () => expect((await eventOf(service, id))?.state).not.toBe('waiting'));
        const { off_since } = await service.db
          .selectFrom('monitors')
          .selectAll()
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        expect([count, off_since]).toEqual([count, null]);
        service.clock.advance(hourMs);
        await service.sweep();
      }
      await attempts(service, id, 35);
      await eventually(async () => {
        const row = await service.db.selectFrom('monitors').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
        expect(row.off_reason).toContain('24 events in a row failed');
      });
      service.clock.advance(hourMs);
      await service.sweep();
      expect(endpoint.received).toHaveLength(35);
    });
  });

  describe('a paused monitor (docs/delivery.md S10)', () => {
    const switchTo = async (service: MonitorService, id: string, isOn: boolean) =>
      (await service.call('PATCH', `/v2/monitors/${id}/delivery/`, { is_on: isOn })).json;

    it('keeps its ID and cool-down, and gets no event until it is resumed; the one that waited ends once', async () => {
      const [service, endpoint, other] = [await launch(), await status(500), await startCallbackEndpoint()];
      const id = await rainOn(service, endpoint);
      await attempts(service, id, 1);
      // It reads its feed, which would get the events of a monitor that is off.
      await service.call('GET', '/v2/deliveries/?wait=0');
      const paused = { is_on: false, off_reason: 'paused by the owner', failed_in_a_row: 0 };
      expect(await switchTo(service, id, false)).toMatchObject(paused);
      expect(await eventOf(service, id)).toMatchObject({ state: 'feed-only' });
      expect((await service.call('GET', `/v2/monitors/${id}/explanation/`)).json).toMatchObject({
        cause: 'paused',
        sentence: expect.stringMatching(
          /^Paused since \d\d:\d\d UTC\. The event of .* was not delivered, because delivery was off: 500/,
        ),
      });
      await service.call('PATCH', `/v2/monitors/${id}/`, { callback_uri: other.url });
      service.clock.advance(hourMs / 2);
      await switchTo(service, id, true);
      await service.sweep();
      await switchTo(service, id, false);
      service.clock.advance(hourMs / 2);
      await service.sweep();
      expect(await switchTo(service, id, false)).toMatchObject(paused);
      expect(await service.db.selectFrom('events').select('id').execute()).toHaveLength(1);
      expect(await switchTo(service, id, true)).toMatchObject({ is_on: true, off_reason: null });
      await service.sweep();
      await other.waitFor(1);
      expect([endpoint.received.length, other.received.length]).toEqual([1, 1]);
    });

    it('has delivered an event whose attempt was under way', async () => {
      let respond = () => {};
      const endpoint = await startCallbackEndpoint((_callback, response) => {
        respond = () => response.writeHead(204).end();
      });
      const service = await launch();
      const id = await rainOn(service, endpoint);
      await endpoint.waitFor(1);
      await switchTo(service, id, false);
      expect(await eventOf(service, id)).toMatchObject({ state: 'feed-only' });
      respond();
      await eventually(async () => expect(await eventOf(service, id)).toMatchObject({ state: 'delivered' }));
    });
  });

  describe('a slow endpoint (docs/delivery.md S12)', () => {
    it('delays no other: one hangs, a hundred are called at once, never more than four at a time on one host', async () => {
      const service = await launch();
      const hanging = await startCallbackEndpoint(() => {});
      let [open, most] = [0, 0];
      const healthy = await startCallbackEndpoint((_callback, response) => {
        open += 1;
        most = Math.max(most, open);
        setImmediate(() => {
          open -= 1;
          response.writeHead(204).end();
        });
      });
      for (let count = 0; count < 30; count += 1) await service.addMonitor(hanging.url);
      for (let count = 0; count < 100; count += 1) await service.addMonitor(healthy.url);
      service.rainAt(turin);
      const started = performance.now();
      await service.sweep();
      await healthy.waitFor(100);
      expect(performance.now() - started).toBeLessThan(10_000);
      expect(hanging.received).toHaveLength(4);
      expect(most).toBeLessThanOrEqual(4);
    });
  });

  describe('a host that does not answer', () => {
    it('gets no requests after three attempts; due events keep their plan, and the first response lets all through', async () => {
      const service = await launch();
      let isDead = true;
      const endpoint = await startCallbackEndpoint((_callback, response) => {
        if (isDead) response.socket?.destroy();
        else response.writeHead(204).end();
      });
      const ids: string[] = [];
      for (let count = 0; count < 30; count += 1) ids.push(await service.addMonitor(endpoint.url));
      service.rainAt(turin);
      await service.sweep();
      const failed = await eventually(async () => {
        const rows = await service.db.selectFrom('attempts').select('error').execute();
        expect(rows).toHaveLength(30);
        return rows.map(({ error }) => error);
      });
      // Those under way when the third failed are still attempts.
      expect(failed.filter((error) => error === 'reset').length).toBeLessThanOrEqual(6);
      expect(failed.filter((error) => error === 'host-silent').length).toBeGreaterThanOrEqual(24);
      const tried = endpoint.received.length;
      expect(tried).toBeLessThanOrEqual(6);
      isDead = false;
      service.clock.advance(12_000);
      await endpoint.waitFor(tried + 30);
      for (const id of ids) {
        await eventually(async () => expect(await eventOf(service, id)).toMatchObject({ state: 'delivered' }));
      }
    });

    it('still gets the last attempt of an event, and a test event', async () => {
      const service = await launch({ config: { deliveryRetries: 0 } });
      const endpoint = await startCallbackEndpoint((_callback, response) => void response.socket?.destroy());
      const id = await service.addMonitor(endpoint.url);
      for (let count = 1; count < 8; count += 1) await service.addMonitor(endpoint.url);
      service.rainAt(turin);
      await service.sweep();
      await endpoint.waitFor(8);
      await service.call('POST', `/v2/monitors/${id}/test-event/`);
      expect((await endpoint.waitFor(9))[8]?.headers['webhook-id']).toMatch(/^test_/);
    });
  });
});
