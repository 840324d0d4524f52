// One story over real sockets: seven senders that are hard to record rightly. Each row, as it is exported, is compared with what
// its sender sent and saw.
import { gzipSync } from 'node:zlib';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import type { Callback } from '#contract/app-rpc/callbacks.ts';
import { receiverRulesSchema } from '#contract/app-rpc/rules.ts';
import { freePort } from '#test/setup/free-ports.ts';
import { fieldsFor, startRealService } from '#test/core/session/access-harness.ts';
import { createMemoryHost } from '../core-harness.ts';
import { startFakeService } from '../fake-service.ts';
import { openRaw } from '../raw-http.ts';
import { monitorBody, startWithReceiver } from './callback-harness.ts';

const torino = { lat: 45.07, lng: 7.69 };
const defaults = { keptCallbacks: 1000, keptDays: null, keptMegabytes: 100, bodyKilobytes: 1024 };

test('each row says what its sender sent and saw', async () => {
  const receiverPort = await freePort();
  const host = createMemoryHost({ receiverPort, keptLimits: { ...defaults, headerKilobytes: 256 } });
  const { core, client, baseUrl, statusWhere } = await startWithReceiver({ host, receiverPort });
  const port = Number(new URL(baseUrl).port);
  const rows = async () => (await client.callbacks.list({})).items.toReversed();
  const rowAt = async (target: string): Promise<Callback> => {
    await expect
      .poll(async () => (await rows()).find((row) => row.target === target)?.outcome.kind ?? 'waiting')
      .not.toBe('waiting');
    return client.callbacks.get({ id: (await rows()).find((row) => row.target === target)?.id ?? 0 });
  };
  const send = async (head: string, body: string | Buffer = '') => {
    const lines = `POST ${head}\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
    return openRaw(port, lines + Buffer.from(body).toString('latin1')).answer;
  };
  const json = 'Content-Type: application/json';

  // A client that gives up before the response of its rule.
  const slow = { name: 'slow', path: '/slow', steps: [{ kind: 'answer', status: 200, delayMs: 60_000 }] };
  await client.rules.replace(receiverRulesSchema.parse({ rules: [slow] }));
  const impatient = connect(port, '127.0.0.1');
  let bytesSeen = 0;
  impatient.on('data', (chunk) => (bytesSeen += chunk.length));
  impatient.write('POST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n');
  await expect.poll(async () => (await rows()).length).toBe(1);
  impatient.end();
  const given = await rowAt('/slow');
  expect(given).toMatchObject({
    answeredStatus: 0,
    outcome: { kind: 'closed', bytesSent: bytesSeen },
    answer: { status: 200, rule: 'slow' },
  });
  expect(bytesSeen).toBe(0);

  // A client that pipelines more than the receiver takes: nothing is shown as answered that it did not get.
  const six = Array.from(
    { length: 6 },
    (_, index) => `POST /pipe/${index} HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n`,
  );
  const seen = await openRaw(port, six.join('')).answer;
  const piped = async () => (await rows()).filter(({ target, refusal }) => target.startsWith('/pipe/') || refusal);
  await expect.poll(async () => (await piped()).some(({ refusal }) => refusal?.reason === 'pipelining')).toBe(true);
  await expect.poll(async () => (await piped()).map(({ outcome }) => outcome.kind)).not.toContain('waiting');
  const answered = (await piped()).filter(({ outcome }) => outcome.kind === 'answered');
  expect(answered).toHaveLength(seen.split('HTTP/1.1 200').length - 1);
  const refused = (await piped()).reduce((sum, { refusal }) => sum + (refusal?.count ?? 0), 0);
  expect((await piped()).filter(({ refusal }) => !refusal).length + refused).toBe(6);

  // A header of 64 KB.
  const long = 'x'.repeat(64 * 1024);
  expect(await send(`/long HTTP/1.1\r\nHost: a\r\nX-Long: ${long}`)).toMatch(/^HTTP\/1\.1 200 /);
  expect((await rowAt('/long')).headers).toContainEqual(['X-Long', long]);

  // A body with gzip is judged, shown, and found as what it means.
  const plain = JSON.stringify(monitorBody('precipitation_77', `http://127.0.0.1:${port}/zip`));
  const zipped = gzipSync(plain);
  await send(`/zip HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${json}\r\nContent-Encoding: gzip`, zipped);
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
  await send(`${hook} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${json}`, imitation);
  await client.sandbox.addScenario({ center: torino, minutes: 600 });
  const ofHook = async () => (await rows()).filter(({ target }) => target === hook);
  await expect.poll(async () => (await ofHook()).length).toBe(2);
  await expect.poll(async () => (await ofHook()).map(({ kind }) => kind)).toEqual(['other', 'event']);
  expect(await ofHook()).toMatchObject([{ monitorId }, { monitorId, verdict: 'ok' }]);

  // A second connection, to a service that does not sign, has a monitor with the same ID elsewhere and one of this receiver.
  const own = {
    ...monitorBody('precipitation_500', `http://127.0.0.1:${port}/unsigned`),
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
  await send(`/unsigned HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${json}`, JSON.stringify(own));
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

  // The export has all of it.
  const { text } = await client.callbacks.exportPage({
    format: 'ndjson',
    choice: { kind: 'query', query: '', throughId: (await rows()).at(-1)?.id ?? 0 },
    cursor: null,
  });
  const exported = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Callback);
  expect(exported.map(({ id, outcome, answeredStatus }) => ({ id, kind: outcome.kind, answeredStatus }))).toEqual(
    (await rows()).map(({ id, outcome, answeredStatus }) => ({ id, kind: outcome.kind, answeredStatus })),
  );
  expect(exported.find(({ target }) => target === '/slow')).toMatchObject({
    answer: { rule: 'slow', delayMs: 60_000, status: 200 },
  });
  expect(exported.find(({ refusal }) => refusal)).toMatchObject({ refusal: { reason: 'pipelining' } });
});
