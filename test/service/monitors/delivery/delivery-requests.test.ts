// What a callback is sent, and what its answer means (docs/delivery.md S4 to S7), over real HTTP; the clock is the
// test's.
import type { ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { productVersion, projectPage } from '#shared/project.ts';
import { deleteApplication } from '#service/accounts/delete-account.ts';
import { createWebhookSigner, newWebhookSecret } from '#service/monitors/delivery/signing.ts';
import { type Callback, startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { attempts, attemptsOf, eventOf, hourMs, rainOn, status } from './delivery-harness.ts';
import { engines } from '#test/service/engines.ts';
import { eventually } from '#test/service/eventually.ts';
import { startMonitorService, turin } from '#test/service/monitor-service.ts';
import { fillWithMonitors } from '#test/service/process-harness.ts';

/** The signature by the library of Standard Webhooks. */
function librarySignature(secret = '', callback?: Callback): string {
  const { headers = {}, body = '' } = callback ?? {};
  const at = new Date(Number(headers['webhook-timestamp']) * 1000);
  return new Webhook(secret).sign(String(headers['webhook-id']), at, body);
}

describe.each(engines)('on %s', (engine) => {
  const launch = (options: Parameters<typeof startMonitorService>[0] = {}) =>
    startMonitorService({ engine, ...options });

  it('drops events that wait in memory when their application is deleted', async () => {
    const service = await launch();
    const responses: ServerResponse[] = [];
    const endpoint = await startCallbackEndpoint((callback, response) => {
      if (callback.path.endsWith('/last')) response.writeHead(204).end();
      else responses.push(response);
    });
    const callbacks = Array.from({ length: 8 }, (_, index) => `${endpoint.url}/${index}`);
    await fillWithMonitors(service.database, callbacks, [turin]);
    service.rainAt(turin);
    await service.sweep();
    // Four to one host at once; the others wait for them.
    await endpoint.waitFor(4);
    await deleteApplication(service.db, service.clock, 'application');
    // What the process remembers of secrets ends.
    service.clock.advance(250);
    const later = { lat: 60, lng: 20 };
    await service.addMonitor(`${endpoint.url}/last`, later);
    service.rainAt(later);
    await service.sweep();
    for (const response of responses) response.writeHead(204).end();
    const received = await endpoint.waitFor(5);
    expect(received.slice(4).map(({ path }) => path)).toEqual(['/rain/last']);
    const { applicationId } = service.sandbox;
    const secrets = await service.db.selectFrom('webhook_secrets').select('application_id').execute();
    expect(secrets).toEqual([{ application_id: applicationId }]);
  });

  describe('an answer (docs/delivery.md S4)', () => {
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

  describe('the time limit (docs/delivery.md S5)', () => {
    it('ends a callback that hangs, and one that drips its answer, which counts if it is a 2xx', async () => {
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
        expect(attempt).toMatchObject(
          id === first ? { error: 'timeout', http_status: null } : { error: null, http_status: 200 },
        );
        expect(attempt?.latency_ms).toBeGreaterThanOrEqual(450);
        expect(attempt?.latency_ms).toBeLessThan(10_000);
      }
    });
  });

  describe('what is sent (docs/delivery.md S6, S7)', () => {
    it('is the Monitor object and nothing else, signed as Standard Webhooks has it', async () => {
      const [service, endpoint] = [await launch(), await startCallbackEndpoint()];
      const id = await rainOn(service, endpoint);
      const [callback] = await endpoint.waitFor(1);
      const shown = await service.call('GET', `/v2/monitors/${id}/`);
      expect(callback?.body).toBe(shown.text);
      const headers = callback?.headers ?? {};
      expect(headers['content-type']).toBe('application/json');
      expect(headers['user-agent']).toBe(`Rainbell/${productVersion} (+${projectPage})`);
      expect(headers['webhook-timestamp']).toBe(String(Math.floor(service.clock.now() / 1000)));
      const [secret = ''] = await service.monitors.secrets.activeFor(service.sandbox.applicationId);
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
      expect(headers['webhook-signature']).toBe(librarySignature(secret, callback));
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
      expect(String(callback?.headers['webhook-signature']).split(' ')).toEqual([
        librarySignature(fresh, callback),
        librarySignature(old, callback),
      ]);
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
});
