// When an event is tried again, and that its cool-down starts anyway (docs/delivery.md S2 and S3), over real HTTP;
// the clock is the test's.
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { attempts, attemptsOf, eventOf, hourMs, rainOn, status } from './delivery-harness.ts';
import { engines } from '#test/service/engines.ts';
import { eventually } from '#test/service/eventually.ts';
import { startMonitorService, turin } from '#test/service/monitor-service.ts';
import { selectEvents } from './event-rows.ts';
import { listen } from '#test/setup/listen.ts';

describe.each(engines)('on %s', (engine) => {
  const launch = (options: Parameters<typeof startMonitorService>[0] = {}) =>
    startMonitorService({ engine, ...options });

  describe('an event of which every attempt failed (docs/delivery.md S2)', () => {
    it('still starts the cool-down', async () => {
      const [service, endpoint] = [await launch({ config: { deliveryRetries: 0 } }), await status(500)];
      const id = await rainOn(service, endpoint);
      await attempts(service, id, 1);
      await eventually(async () => expect(await eventOf(service, id)).toMatchObject({ state: 'failed' }));
      service.clock.advance(hourMs - 1);
      await service.sweep();
      expect(endpoint.received).toHaveLength(1);
      service.clock.advance(1);
      await service.sweep();
      await endpoint.waitFor(2);
    });
  });

  describe('retries of one event (docs/delivery.md S3)', () => {
    it('are sent after about 10 s, 1 min, 5 min and 20 min, with the same ID and a new timestamp', async () => {
      const [service, endpoint] = [await launch(), await status(503)];
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
      expect(new Set(endpoint.received.map((callback) => callback.headers['webhook-id'])).size).toBe(1);
      expect(new Set(endpoint.received.map((callback) => callback.headers['webhook-timestamp'])).size).toBe(5);
      await eventually(async () => expect(await eventOf(service, id)).toMatchObject({ state: 'failed', due_at: null }));
    });

    it('stop at the first success', async () => {
      const service = await launch();
      const endpoint = await startCallbackEndpoint((_callback, response, index) => {
        response.writeHead(index === 0 ? 429 : 200).end();
      });
      const id = await rainOn(service, endpoint);
      await attempts(service, id, 1);
      await eventually(async () => expect((await eventOf(service, id))?.held_until).toBe(0));
      service.clock.advance(10_000);
      await attempts(service, id, 2);
      await eventually(async () => expect(await eventOf(service, id)).toMatchObject({ state: 'delivered' }));
    });

    it('wait as long as Retry-After asks, but never beyond the window', async () => {
      const service = await launch();
      const endpoint = await startCallbackEndpoint((_callback, response, index) => {
        response.writeHead(503, { 'retry-after': index === 0 ? '600' : '3500' }).end();
      });
      const id = await rainOn(service, endpoint);
      await attempts(service, id, 1);
      const start = service.clock.now();
      await eventually(async () => expect((await eventOf(service, id))?.due_at).toBe(start + 600_000));
      service.clock.advance(600_000);
      await attempts(service, id, 2);
      await eventually(async () => expect(await eventOf(service, id)).toMatchObject({ state: 'failed', attempts: 2 }));
    });

    it.each([400, 405, 422])('do not follow a %i, which no repetition can fix', async (code) => {
      const [service, endpoint] = [await launch(), await status(code)];
      const id = await rainOn(service, endpoint);
      await eventually(async () => expect(await eventOf(service, id)).toMatchObject({ state: 'failed', attempts: 1 }));
    });

    it.each([401, 403, 404])(
      'follow a %i once, after a minute, because the receiver may be being deployed',
      async (code) => {
        const [service, endpoint] = [await launch(), await status(code)];
        const start = service.clock.now();
        const id = await rainOn(service, endpoint);
        await eventually(async () =>
          expect(await eventOf(service, id)).toMatchObject({ state: 'waiting', attempts: 1, due_at: start + 60_000 }),
        );
        service.clock.advance(60_000);
        await eventually(async () =>
          expect(await eventOf(service, id)).toMatchObject({ state: 'failed', attempts: 2 }),
        );
      },
    );

    it.each([408, 425, 429, 500, 502, 503, 504])('follow a %i', async (code) => {
      const [service, endpoint] = [await launch(), await status(code)];
      const id = await rainOn(service, endpoint);
      await eventually(async () => expect(await eventOf(service, id)).toMatchObject({ state: 'waiting', attempts: 1 }));
    });

    it('follow a refused connection, a reset and a response that is not HTTP', async () => {
      const service = await launch();
      const reset = await startCallbackEndpoint((_callback, response) => void response.socket?.destroy());
      const babble = createServer((socket) => void socket.end('hello\r\n\r\n'));
      const port = await listen(babble);
      const refused = await service.addMonitor('http://127.0.0.1:9/nobody');
      const cut = await service.addMonitor(reset.url);
      const odd = await service.addMonitor(`http://127.0.0.1:${port}/`);
      service.rainAt(turin);
      await service.sweep();
      for (const [id, word] of [
        [refused, 'refused'],
        [cut, 'reset'],
        [odd, 'bad-answer'],
      ] as const) {
        await eventually(async () =>
          expect(await eventOf(service, id)).toMatchObject({ state: 'waiting', attempts: 1 }),
        );
        expect((await attemptsOf(service, id))[0]).toMatchObject({ http_status: null, error: word });
      }
    });

    it('end with the hour of the event', async () => {
      const [service, endpoint] = [await launch(), await status(500)];
      const id = await rainOn(service, endpoint);
      await attempts(service, id, 1);
      await eventually(async () => expect((await eventOf(service, id))?.held_until).toBe(0));
      const first = (await eventOf(service, id))?.id ?? '';
      // The service was away while the retries were due.
      service.clock.jump(hourMs);
      await service.sweep();
      await eventually(async () => {
        const states = await selectEvents(service.db).where('events.monitor_id', '=', id).execute();
        expect(states).toHaveLength(2);
        expect(states.find((event) => event.id === first)).toMatchObject({ state: 'expired', attempts: 1 });
      });
    });

    it('go where the monitor points now, and nowhere once it is deleted', async () => {
      const [service, wrong, right] = [await launch(), await status(500), await startCallbackEndpoint()];
      const id = await rainOn(service, wrong);
      const gone = await service.addMonitor(wrong.url);
      await service.sweep();
      await attempts(service, id, 1);
      await attempts(service, gone, 1);
      await service.call('PATCH', `/v2/monitors/${id}/`, { callback_uri: right.url });
      await service.call('DELETE', `/v2/monitors/${gone}/`);
      service.clock.advance(10_000);
      const [callback] = await right.waitFor(1);
      expect(JSON.parse(callback?.body ?? '')).toMatchObject({ id, callback_uri: right.url });
      expect(wrong.received).toHaveLength(2);
    });
  });
});
