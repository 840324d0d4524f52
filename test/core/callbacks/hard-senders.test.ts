// One story over real sockets: senders that are hard to judge rightly.
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Callback } from '#contract/app-rpc/callbacks.ts';
import { fieldsFor, startRealService } from '#test/core/session/access-harness.ts';
import { startFakeService } from '../fake-service.ts';
import { monitorBody, startWithReceiver } from './callback-harness.ts';

const torino = { lat: 45.07, lng: 7.69 };

test('a compressed body, an imitation, and a monitor of another connection are judged as what they are', async () => {
  const { core, client, baseUrl, post, statusWhere } = await startWithReceiver();
  const rows = async () => (await client.callbacks.list({})).items.toReversed();
  const rowAt = async (target: string): Promise<Callback> =>
    client.callbacks.get({ id: (await rows()).find((row) => row.target === target)?.id ?? 0 });
  const json = { 'content-type': 'application/json' };

  // A body with gzip is judged, shown, and found as what it means.
  const plain = JSON.stringify(monitorBody('precipitation_77', `${baseUrl}/zip`));
  const zipped = gzipSync(plain);
  await post('/zip', zipped, { ...json, 'content-encoding': 'gzip' });
  const zip = await rowAt('/zip');
  expect(zip).toMatchObject({ monitorId: 'precipitation_77', sizeBytes: zipped.length });
  expect(Buffer.from(zip.bodyBase64, 'base64')).toEqual(zipped);
  expect(zip.decoded).toMatchObject({ coding: 'gzip', sizeBytes: Buffer.byteLength(plain), problem: null });
  expect(Buffer.from(zip.decoded?.bodyBase64 ?? '', 'base64').toString()).toBe(plain);
  expect(zip.checks).toContainEqual({ check: 'monitor', verdict: 'ok', message: 'The body is a Monitor object.' });
  expect((await client.callbacks.search({ query: 'json:id=precipitation_77' })).items.map(({ id }) => id)).toEqual([
    zip.id,
  ]);

  // An unsigned imitation before a real event of a service that signs.
  core.connectSandbox(await startRealService());
  await statusWhere(({ token }) => token.state === 'valid');
  await client.callbacks.webhookSecret();
  await client.sandbox.addScenario({ center: torino, status: 'sunny', minutes: 4320 });
  const { id: monitorId, callbackUri } = await client.monitors.create({ geo: torino, callback: { kind: 'this-app' } });
  const hook = new URL(callbackUri ?? '').pathname;
  const imitation = JSON.stringify(monitorBody(monitorId, callbackUri ?? ''));
  await post(hook, imitation, json);
  await client.sandbox.addScenario({ center: torino, minutes: 600 });
  const ofHook = async () => (await rows()).filter(({ target }) => target === hook);
  await expect.poll(async () => (await ofHook()).length).toBe(2);
  await expect.poll(async () => (await ofHook()).map(({ kind }) => kind)).toEqual(['other', 'event']);
  expect(await ofHook()).toMatchObject([{ monitorId }, { monitorId, verdict: 'ok' }]);

  // A second connection, to a service that does not sign, has a monitor with the same ID elsewhere and one of this receiver.
  const own = {
    ...monitorBody('precipitation_500', `${baseUrl}/unsigned`),
    uri: '/v2/monitors/precipitation_500/',
  };
  const elsewhere = {
    ...monitorBody(monitorId, 'https://cust.example.com/hooks/a'),
    uri: `/v2/monitors/${monitorId}/`,
  };
  const bare = await startFakeService({
    'GET /v2/monitors/': () => ({ body: { objects: [own, elsewhere], meta: {} } }),
    'GET /v2/delivery/': () => ({ status: 404 }),
  });
  const other = await client.connections.create({ ...fieldsFor(bare.introduction), clientSecret: 'hush hush' });
  await client.connections.select({ id: other.id });
  await client.monitors.list();
  await post('/unsigned', JSON.stringify(own), json);
  const unsigned = await rowAt('/unsigned');
  expect(unsigned.checks).toContainEqual({
    check: 'registered',
    verdict: 'ok',
    message: 'Matched by callback path; this service does not sign callbacks.',
  });
  expect(unsigned.kind).toBe('event');
  expect((await ofHook()).map(({ kind }) => kind)).toEqual(['other', 'other']);
  const { monitors } = await client.monitors.list();
  expect(monitors.find(({ id }) => id === monitorId)?.lastCallback ?? null).toBeNull();
});
