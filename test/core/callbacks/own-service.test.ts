// The app beside the real service: whose attempt brought a callback, and whether the service's signature holds.
import { expect, test } from 'vitest';
import { introductionOf } from '#service/app/embedded-service.ts';
import { startFakeService } from '../fake-service.ts';
import { fieldsFor, useOwn } from '../session/access-harness.ts';
import { startWithReceiver } from './callback-harness.ts';
import { startOwnService } from '#test/service/start-own-service.ts';

test('a callback of our own service is signed rightly, and matched to its attempt', async () => {
  const service = await startOwnService();
  const { core, client, statusWhere } = await startWithReceiver();
  core.connectSandbox(introductionOf(service));
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
  // An attempt is in the log when it has ended.
  await expect
    .poll(() => client.callbacks.delivery({ id: 1 }))
    .toMatchObject({ isCopy: false, attempt: { eventId, kind: 'test' }, attempts: [{ callbackId: 1 }] });
  // Opening the callback again gives the same, whatever the clocks say.
  await client.sandbox.moveClock({ kind: 'advance', seconds: 7200 });
  expect(await client.callbacks.delivery({ id: 1 })).toMatchObject({ isCopy: false });
  expect((await client.sandbox.moveClock({ kind: 'reset' })).clock.aheadSeconds).toBe(0);
  expect((await client.sandbox.clearScenarios()).scenarios).toEqual([]);
  await client.sends.replay({ id: 1, url: null });
  await expect.poll(() => client.callbacks.delivery({ id: 2 })).toMatchObject({ isCopy: true, attempt: { eventId } });
  await client.callbacks.setWebhookSecret({ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' });
  expect(await client.callbacks.webhookSecret()).toEqual({ source: 'typed' });
  await expect.poll(async () => (await client.callbacks.list({})).items.at(-1)?.verdict).toBe('error');
  await expect(client.callbacks.setWebhookSecret({ secret: 'short' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  const { items } = await client.traffic.list({ includesBackground: true });
  const asked = items.find(({ url }) => url.includes('/sandbox/webhook-secrets'));
  expect(JSON.stringify(asked && (await client.traffic.get({ id: asked.id })))).not.toContain('whsec_');
});

test('verifies callbacks of a service with the key that it publishes', async () => {
  const service = await startOwnService({
    webhookSigningKey: [`whsk_${Buffer.alloc(32, 7).toString('base64')}`],
  });
  const { client, statusWhere } = await startWithReceiver();
  const introduction = introductionOf(service);
  await useOwn({ client }, fieldsFor(introduction, { scope: '' }), introduction.clientSecret);
  await statusWhere(({ token }) => token.state === 'valid');
  const { id } = await client.monitors.create({ geo: { lat: 45.07, lng: 7.69 }, callback: { kind: 'this-app' } });
  await client.monitors.deliveryStates();
  await client.monitors.sendTest({ id });
  const stored = async () => (await client.callbacks.list({})).items;
  await expect.poll(async () => (await stored()).length).toBeGreaterThan(0);
  const signatureOf = async (callbackId: number) =>
    (await client.callbacks.get({ id: callbackId })).checks.find(({ check }) => check === 'signature');
  await expect.poll(() => signatureOf(1)).toMatchObject({ verdict: 'ok' });
  expect(await client.callbacks.webhookSecret()).toEqual({ source: 'published' });
});

test('deletes the keys of a connection with the connection', async () => {
  const { client, host } = await startWithReceiver();
  const nowhere = { ...(await startFakeService()).introduction, baseUrl: 'http://127.0.0.1:9' };
  const id = await useOwn({ client }, fieldsFor(nowhere, { isPublic: true }), null);
  for (const secret of ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD']) {
    await client.callbacks.setWebhookSecret({ secret });
  }
  expect([...host.stored.keys()].filter((name) => name.startsWith('webhook-secret'))).toHaveLength(2);
  await client.connections.delete({ id });
  expect([...host.stored.keys()].filter((name) => name.startsWith('webhook-secret'))).toEqual([]);
});
