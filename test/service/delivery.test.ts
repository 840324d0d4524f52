// What delivery promises (design/features.md, S2 to S7, S10, S12, S14), over real HTTP; the clock is the test's.
import { createHmac } from 'node:crypto';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createWebhookSigner, newWebhookSecret } from '#service/delivery/standard-webhooks.ts';
import { startCallbackEndpoint, type CallbackEndpoint } from './callback-endpoint.ts';
import { startMonitorService, turin, type MonitorService } from './monitor-service.ts';
import { engines } from './engines.ts';
import { eventually } from './eventually.ts';

const hourMs = 3_600_000;

async function eventOf(service: MonitorService, monitorId: string) {
  return service.db
    .selectFrom('events')
    .selectAll()
    .where('monitor_id', '=', monitorId)
    .orderBy('occurred_at', 'desc')
    .executeTakeFirst();
}

async function attemptsOf(service: MonitorService, monitorId: string) {
  return service.db
    .selectFrom('deliveries')
    .selectAll()
    .where('monitor_id', '=', monitorId)
    .orderBy('attempt')
    .execute();
}

/** Resolves when so many attempts are written down. */
async function attempts(service: MonitorService, monitorId: string, count: number) {
  return eventually(async () => {
    const rows = await attemptsOf(service, monitorId);
    expect(rows).toHaveLength(count);
    return rows;
  });
}

async function rainOn(service: MonitorService, endpoint: Pick<CallbackEndpoint, 'url'>): Promise<string> {
  const id = await service.addMonitor(endpoint.url);
  service.rainAt(turin);
  await service.sweep();
  return id;
}

function status(code: number, headers: Record<string, string> = {}) {
  return startCallbackEndpoint((_callback, response) => void response.writeHead(code, headers).end('no'));
}

describe.each(engines)('on %s', (engine) => {
  const launch = (options: Parameters<typeof startMonitorService>[0] = {}) =>
    startMonitorService({ engine, ...options });

  describe('S2: an event of which every attempt failed', () => {
    it('has still used its hour', async () => {
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

  describe('S3: retries of one event', () => {
    it('come after 10 s, 1 min, 5 min and 20 min, with the same id and a new timestamp', async () => {
      const [service, endpoint] = [await launch(), await status(503)];
      const start = service.clock.now();
      const id = await rainOn(service, endpoint);
      for (const [index, pauseMs] of [10_000, 60_000, 300_000, 1_200_000].entries()) {
        await attempts(service, id, index + 1);
        await eventually(async () =>
          expect((await eventOf(service, id))?.next_attempt_at).toBe(service.clock.now() + pauseMs),
        );
        service.clock.advance(pauseMs - 1);
        expect(endpoint.received).toHaveLength(index + 1);
        service.clock.advance(1);
        await endpoint.waitFor(index + 2);
      }
      const rows = await attempts(service, id, 5);
      expect(rows.map((row) => row.started_at - start)).toEqual([0, 10_000, 70_000, 370_000, 1_570_000]);
      expect(new Set(endpoint.received.map((callback) => callback.headers['webhook-id'])).size).toBe(1);
      expect(new Set(endpoint.received.map((callback) => callback.headers['webhook-timestamp'])).size).toBe(5);
      await eventually(async () =>
        expect(await eventOf(service, id)).toMatchObject({ state: 'failed', next_attempt_at: null }),
      );
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
      await eventually(async () => expect((await eventOf(service, id))?.next_attempt_at).toBe(start + 600_000));
      service.clock.advance(600_000);
      await attempts(service, id, 2);
      await eventually(async () => expect(await eventOf(service, id)).toMatchObject({ state: 'failed', attempts: 2 }));
    });

    it.each([400, 401, 403, 404, 405, 422])('do not follow a %i, which no repetition can mend', async (code) => {
      const [service, endpoint] = [await launch(), await status(code)];
      const id = await rainOn(service, endpoint);
      await eventually(async () => expect(await eventOf(service, id)).toMatchObject({ state: 'failed', attempts: 1 }));
    });

    it.each([408, 425, 429, 500, 502, 503, 504])('follow a %i', async (code) => {
      const [service, endpoint] = [await launch(), await status(code)];
      const id = await rainOn(service, endpoint);
      await eventually(async () => expect(await eventOf(service, id)).toMatchObject({ state: 'waiting', attempts: 1 }));
    });

    it('follow a refused connection, a reset and an answer that is no HTTP', async () => {
      const service = await launch();
      const reset = await startCallbackEndpoint((_callback, response) => void response.socket?.destroy());
      const babble = createServer((socket) => void socket.end('hello\r\n\r\n'));
      await new Promise<void>((resolve) => void babble.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => void babble.close());
      const refused = await service.addMonitor('http://127.0.0.1:9/nobody');
      const cut = await service.addMonitor(reset.url);
      const odd = await service.addMonitor(`http://127.0.0.1:${(babble.address() as AddressInfo).port}/`);
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

    it('are given up when the next event comes: the newest wins', async () => {
      const [service, endpoint] = [await launch(), await status(500)];
      const id = await rainOn(service, endpoint);
      await attempts(service, id, 1);
      await eventually(async () => expect((await eventOf(service, id))?.held_until).toBe(0));
      const first = (await eventOf(service, id))?.id ?? '';
      // The service was away while the retries were due.
      await service.db
        .updateTable('events')
        .set({ next_attempt_at: service.clock.now() + 10 * hourMs })
        .execute();
      service.clock.advance(hourMs);
      await service.sweep();
      const states = await service.db
        .selectFrom('events')
        .select(['id', 'state'])
        .where('monitor_id', '=', id)
        .execute();
      expect(states.find((event) => event.id === first)?.state).toBe('replaced');
      expect(states).toHaveLength(2);
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

  describe('S4: an answer', () => {
    it('of any 2xx is a success, however long its body', async () => {
      const service = await launch();
      const endpoint = await startCallbackEndpoint((_callback, response) => {
        response.writeHead(299).end(Buffer.alloc(5_000_000, 'x'));
      });
      const id = await rainOn(service, endpoint);
      await eventually(async () => expect(await eventOf(service, id)).toMatchObject({ state: 'delivered' }));
      const [attempt] = await attemptsOf(service, id);
      expect(attempt).toMatchObject({ http_status: 299, error: null });
      expect(attempt?.answer).toHaveLength(2048);
    });

    it.each([301, 302, 303, 307, 308])('of %i is a failure, and is not followed', async (code) => {
      const [service, target] = [await launch(), await startCallbackEndpoint()];
      const endpoint = await status(code, { location: target.url });
      const id = await rainOn(service, endpoint);
      await eventually(async () => expect(await eventOf(service, id)).toMatchObject({ state: 'failed', attempts: 1 }));
      expect(target.received).toHaveLength(0);
      expect((await attemptsOf(service, id))[0]).toMatchObject({ http_status: code, error: `http ${code}` });
    });
  });

  describe('S5: the time limit', () => {
    it('ends a callback that hangs, and one that drips its answer', async () => {
      const service = await launch({ config: { deliveryTimeoutSeconds: 0.5 } });
      const hanging = await startCallbackEndpoint(() => {});
      const dripping = await startCallbackEndpoint((_callback, response) => {
        response.writeHead(200);
        const drip = setInterval(() => response.write('.'), 50);
        response.on('close', () => clearInterval(drip));
      });
      const first = await service.addMonitor(hanging.url);
      const second = await service.addMonitor(dripping.url);
      service.rainAt(turin);
      await service.sweep();
      for (const id of [first, second]) {
        const [attempt] = await attempts(service, id, 1);
        expect(attempt).toMatchObject({ error: 'timeout' });
        expect(attempt?.latency_ms).toBeGreaterThanOrEqual(450);
        expect(attempt?.latency_ms).toBeLessThan(2_000);
      }
    });
  });

  describe('S6 and S7: what is sent', () => {
    it('is the Monitor object and nothing else, signed as Standard Webhooks has it', async () => {
      const [service, endpoint] = [await launch(), await startCallbackEndpoint()];
      const id = await rainOn(service, endpoint);
      const [callback] = await endpoint.waitFor(1);
      const shown = await service.call('GET', `/v2/monitors/${id}/`);
      expect(callback?.body).toBe(shown.text);
      const headers = callback?.headers ?? {};
      expect(headers['content-type']).toBe('application/json');
      expect(headers['user-agent']).toBe('Rainbell');
      expect(headers['webhook-timestamp']).toBe(String(Math.floor(service.clock.now() / 1000)));
      const [secret = ''] = await service.monitors.secrets.activeFor(service.sandbox.applicationId);
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
      const signed = [headers['webhook-id'], headers['webhook-timestamp'], callback?.body].join('.');
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
      expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
    });

    it('has two signatures for 24 hours after a rotation', async () => {
      const [service, endpoint] = [await launch(), await startCallbackEndpoint()];
      const { secrets } = service.monitors;
      const { applicationId } = service.sandbox;
      const [old] = await secrets.activeFor(applicationId);
      const fresh = await secrets.rotate(applicationId);
      expect(await secrets.activeFor(applicationId)).toEqual([fresh, old]);
      await rainOn(service, endpoint);
      const [callback] = await endpoint.waitFor(1);
      expect(String(callback?.headers['webhook-signature']).split(' ')).toHaveLength(2);
      service.clock.advance(24 * hourMs);
      expect(await secrets.activeFor(applicationId)).toEqual([fresh]);
    });

    it('matches the vector that Standard Webhooks publishes', () => {
      const headers = createWebhookSigner()('msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330, '{"test": 2432232314}', [
        'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      ]);
      expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
      expect(newWebhookSecret((size) => new Uint8Array(size))).toBe(`whsec_${'A'.repeat(32)}`);
    });
  });

  describe('S10: a dead endpoint', () => {
    it('that answers 410 is called no more, until its address changes', async () => {
      const [service, endpoint, other] = [await launch(), await status(410), await startCallbackEndpoint()];
      const id = await rainOn(service, endpoint);
      await eventually(async () => expect(await eventOf(service, id)).toMatchObject({ state: 'failed' }));
      const row = await service.db.selectFrom('monitors').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
      expect(row).toMatchObject({ off_since: service.clock.now(), off_reason: 'the callback answered 410 Gone' });
      service.clock.advance(hourMs);
      await service.sweep();
      expect(endpoint.received).toHaveLength(1);
      expect((await service.call('GET', `/v2/monitors/${id}/`)).status).toBe(200);
      await service.call('PATCH', `/v2/monitors/${id}/`, { callback_uri: other.url });
      await service.sweep();
      await other.waitFor(1);
    });

    it('that fails 24 events in a row is called no more; a success in between starts the count anew', async () => {
      const service = await launch({ config: { deliveryRetries: 0 } });
      const endpoint = await startCallbackEndpoint((_callback, response, index) => {
        response.writeHead(index === 10 ? 200 : 404).end();
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

  describe('S12: a slow endpoint', () => {
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
      expect(performance.now() - started).toBeLessThan(2_000);
      expect(hanging.received).toHaveLength(4);
      expect(most).toBeLessThanOrEqual(4);
    });
  });

  describe('a host that does not answer', () => {
    it('is left alone after three attempts; what is due goes by its plan, and the first answer lets all through', async () => {
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
        const rows = await service.db.selectFrom('deliveries').select('error').execute();
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

  describe('S14: a shutdown', () => {
    it('lets a callback that is under way finish, and leaves the rest for the next start', async () => {
      const service = await launch();
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
      const again = await launch({ folder: service.folder, location: service.location, clock: service.clock });
      expect(await eventOf(again, id)).toMatchObject({ state: 'delivered', attempts: 1 });
      expect(endpoint.received).toHaveLength(1);
    });

    it('takes no longer than it may; what did not finish is sent again with the same id', async () => {
      const service = await launch();
      const endpoint = await startCallbackEndpoint((_callback, response, index) => {
        if (index > 0) response.writeHead(204).end();
      });
      const id = await rainOn(service, endpoint);
      await endpoint.waitFor(1);
      const started = performance.now();
      await service.close();
      expect(performance.now() - started).toBeLessThan(2_000);
      const again = await launch({ folder: service.folder, location: service.location, clock: service.clock });
      const [first, second] = await endpoint.waitFor(2);
      expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
      await eventually(async () => expect(await eventOf(again, id)).toMatchObject({ state: 'delivered' }));
    });
  });
});
