// What a callback is sent, and for how long (docs/delivery.md S5 to S7), over real HTTP; the clock is the test's. What each response and
// error means: send-callback.test.ts.
import { createPublicKey, verify } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import type { FeedPage } from '#contract/service-api/feed.ts';
import { webhookKeySetSchema } from '#contract/service-api/webhook-keys.ts';
import { deleteApplication } from '#service/accounts/delete-account.ts';
import { type Callback, startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { engines } from '#test/service/engines.ts';
import { startMonitorService, turin } from '#test/service/monitor-service.ts';
import { fillWithMonitors } from '#test/service/process-harness.ts';
import { hourMs, rainOn } from './delivery-harness.ts';

/** The signature by the library of Standard Webhooks. */
function librarySignature(secret = '', callback?: Callback): string {
  const { headers = {}, body = '' } = callback ?? {};
  const at = new Date(Number(headers['webhook-timestamp']) * 1000);
  return new Webhook(secret).sign(String(headers['webhook-id']), at, body);
}

it.each(engines)(
  'a callback is the Monitor object and nothing else, signed as Standard Webhooks has it, twice for 24 hours after a rotation, on %s',
  async (engine) => {
    const [service, endpoint] = [await startMonitorService({ engine }), await startCallbackEndpoint()];
    const { secrets } = service.monitors;
    const { applicationId } = service.sandbox;
    const id = await rainOn(service, endpoint);
    const [callback] = await endpoint.waitFor(1);
    expect(callback?.body).toBe((await service.call('GET', `/v2/monitors/${id}/`)).text);
    expect(callback?.headers['webhook-timestamp']).toBe(String(Math.floor(service.clock.now() / 1000)));
    const [old = ''] = await secrets.activeFor(applicationId);
    expect(old).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    expect(callback?.headers['webhook-signature']).toBe(librarySignature(old, callback));

    const fresh = await secrets.rotate(applicationId);
    service.clock.advance(hourMs);
    await service.sweep();
    const [, next] = await endpoint.waitFor(2);
    expect(String(next?.headers['webhook-signature']).split(' ')).toEqual([
      librarySignature(fresh, next),
      librarySignature(old, next),
    ]);
    service.clock.jump(23 * hourMs);
    await service.sweep();
    const [, , last] = await endpoint.waitFor(3);
    expect(last?.headers['webhook-signature']).toBe(librarySignature(fresh, last));
  },
);

it('a callback and its event in the feed are also signed by the service, as anyone can verify with its public keys', async () => {
  // RFC 8032, section 7.1.
  const seed = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex');
  const config = { webhookSigningKey: [`whsk_${seed.toString('base64')}`] };
  const [service, endpoint] = [await startMonitorService({ config }), await startCallbackEndpoint()];
  await rainOn(service, endpoint);
  const [callback] = await endpoint.waitFor(1);
  const feed = (await service.call('GET', '/v2/deliveries/?wait=0')).json as FeedPage;
  // For pages of other sites, too.
  const published = await fetch(`${service.baseUrl}/.well-known/webhook-keys.json`);
  const shown = ['access-control-allow-origin', 'cache-control'].map((name) => published.headers.get(name));
  expect(shown).toEqual(['*', 'public, max-age=300']);
  const [jwk] = webhookKeySetSchema.parse(await published.json()).keys;
  const key = createPublicKey({ key: jwk ?? {}, format: 'jwk' });
  for (const sent of [callback, feed.objects[0]]) {
    const headers: Record<string, unknown> = sent?.headers ?? {};
    const [own = '', ofService = '', ...others] = String(headers['webhook-signature']).split(' ');
    expect([own.slice(0, 3), ofService.slice(0, 4), others]).toEqual(['v1,', 'v1a,', []]);
    const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${sent?.body}`;
    expect(verify(null, Buffer.from(signed), key, Buffer.from(ofService.slice(4), 'base64'))).toBe(true);
  }
});

it('a callback is not sent once its application is deleted, also if it waits in memory', async () => {
  const service = await startMonitorService();
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
