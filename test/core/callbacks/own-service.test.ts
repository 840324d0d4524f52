// The app beside the real service: whose attempt brought a callback, and whether the service's signature holds.
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { connectAppDatabase } from '#core/database/app-database.ts';
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
  const { core, client, statusWhere, dataFolder } = await startWithReceiver();
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
  // The log is read in the background: no screen has asked for the delivery.
  const db = connectAppDatabase(join(dataFolder, 'app.sqlite'));
  onTestFinished(() => db.close());
  const stored = () => db.prepare('SELECT event_id, arrived_after_ms FROM callback_deliveries').all();
  await expect.poll(stored, { timeout: 10_000 }).toMatchObject([{ event_id: eventId }]);
  const match = await client.callbacks.delivery({ id: 1 });
  if (!match.told) throw new Error(match.reason);
  expect(match).toMatchObject({ isCopy: false, attempt: { eventId, kind: 'test' }, attempts: [{ callbackId: 1 }] });
  expect(match.arrivedAfterMs).toBe(stored()[0]?.['arrived_after_ms']);
  expect(match.arrivedAfterMs).toBeLessThanOrEqual(match.attempt.latencyMs);
  // What was stored at the receipt does not change with the clocks.
  await client.sandbox.moveClock({ kind: 'advance', seconds: 7200 });
  expect(await client.callbacks.delivery({ id: 1 })).toMatchObject({ arrivedAfterMs: match.arrivedAfterMs });
  await client.sandbox.moveClock({ kind: 'reset' });
  await client.callbacks.replay({ id: 1, url: null });
  await expect.poll(() => client.callbacks.delivery({ id: 2 })).toMatchObject({ isCopy: true, attempt: { eventId } });
  await client.callbacks.setWebhookSecret({ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' });
  expect(await client.callbacks.webhookSecret()).toEqual({ source: 'typed' });
  await expect.poll(async () => (await client.callbacks.list({})).items.at(-1)?.verdict).toBe('error');
  await expect(client.callbacks.setWebhookSecret({ secret: 'short' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  const { items } = await client.traffic.list({ includesBackground: true });
  const asked = items.find(({ url }) => url.includes('/sandbox/webhook-secrets'));
  expect(JSON.stringify(asked && (await client.traffic.get({ id: asked.id })))).not.toContain('whsec_');
});
