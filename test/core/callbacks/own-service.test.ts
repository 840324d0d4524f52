// The app beside the real service: whose attempt brought a callback, and whether the service's signature holds.
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { configWith } from '#service/config/config.ts';
import { createService } from '#service/app/create-service.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { startWithReceiver } from './callback-harness.ts';

test('a callback of our own service is signed rightly, matched to its attempt, and told how long it took', async () => {
  const service = await createService({
    config: configWith({ port: 0, dataFolder: temporaryFolder(), provider: 'simulation' }),
    clock: systemClock,
    log: pino({ level: 'silent' }),
    workers: { places: new URL('../../../service/places/places-worker.ts', import.meta.url) },
  });
  onTestFinished(() => service.close());
  const { core, client, statusWhere } = await startWithReceiver();
  core.connectSandbox(service.introduction);
  await statusWhere(({ token }) => token.state === 'valid');
  expect(await client.callbacks.webhookSecret()).toEqual({ source: 'service' });
  const place = { lat: 45.07, lng: 7.69 };
  // The simulation may have rain at this place and hour, whose event would arrive beside the test event.
  await client.sandbox.addScenario({ center: place, status: 'sunny', minutes: 4320 });
  const { id } = await client.monitors.create({ geo: place, callback: { kind: 'this-app' } });
  const { event_id: eventId } = await client.monitors.sendTest({ id });
  await expect
    .poll(async () => (await client.callbacks.list({})).items)
    .toMatchObject([{ monitorId: id, kind: 'test' }]);
  const { checks } = await client.callbacks.get({ id: 1 });
  expect(checks.find(({ check }) => check === 'signature')).toMatchObject({ verdict: 'ok' });
  await expect.poll(async () => (await client.callbacks.delivery({ id: 1 })).told).toBe(true);
  const match = await client.callbacks.delivery({ id: 1 });
  expect(match).toMatchObject({ told: true, attempt: { eventId, kind: 'test' } });
  expect(match.told && match.latencyMs).toBeLessThan(5000);
  await client.callbacks.setWebhookSecret({ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' });
  expect(await client.callbacks.webhookSecret()).toEqual({ source: 'typed' });
  await expect.poll(async () => (await client.callbacks.list({})).items[0]?.verdict).toBe('error');
  await expect(client.callbacks.setWebhookSecret({ secret: 'short' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  const { items } = await client.traffic.list({ includesBackground: true });
  const asked = items.find(({ url }) => url.includes('/sandbox/webhook-secrets'));
  expect(JSON.stringify(asked && (await client.traffic.get({ id: asked.id })))).not.toContain('whsec_');
});
