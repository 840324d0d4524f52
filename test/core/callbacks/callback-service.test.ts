// What the screens do with stored callbacks. The store is real; the receiver and the network are the test's.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { SendOutcome } from '#contract/app-rpc/callback-sends.ts';
import { openCallbackDocuments } from '#core/callbacks/callback-documents.ts';
import { createCallbackService } from '#core/callbacks/callback-service.ts';
import type { OutgoingRequest } from '#core/http/send-request.ts';
import { createSenderFacts } from '#core/callbacks/sender-facts.ts';
import { AppFailure } from '#core/errors/app-failure.ts';
import { createCallbackWriter } from '#core/receiver/records/callback-writer.ts';
import type { Receiver } from '#core/receiver/server/receiver.ts';
import { quietLog } from '../core-harness.ts';
import { createManualClock } from '../manual-clock.ts';
import { monitorBody } from './callback-harness.ts';
import { noon, openCallbackStore, ownUri, receivedCallback } from './callback-store.ts';

const endpoint = { id: 'a', name: 'A', path: '/a', keptCallbacks: null, keptDays: null, keptMegabytes: null };

function start(rows: Parameters<typeof openCallbackStore>[0] = [receivedCallback()]) {
  const store = openCallbackStore([]);
  const documents = openCallbackDocuments(store.db);
  const writer = createCallbackWriter(store.db, documents.endpoints.get);
  const outcome: SendOutcome = {
    kind: 'answered',
    status: 202,
    headers: [],
    bodyBase64: '',
    truncated: false,
    firstByteMs: 1,
  };
  const state = {
    baseUrl: 'http://127.0.0.1:4545' as string | null,
    isDamaged: false,
    changed: 0,
    applied: 0,
    closed: 0,
    sent: [] as OutgoingRequest[],
    outcome: outcome as SendOutcome,
  };
  const service = createCallbackService({
    ...store,
    documents,
    endpointSecrets: { of: () => [], load: async () => {}, save: async () => {} },
    facts: createSenderFacts({ ...store, secrets: { candidates: async () => [] } }),
    connection: () => ({ name: 'Test', baseUrl: 'https://service.test' }),
    receiver: {
      ...({} as Receiver),
      state: () => ({ state: 'listening', baseUrl: state.baseUrl, notice: null }),
      applyEndpoints: async () => void (state.applied += 1),
    },
    sender: {
      async send(request) {
        state.sent.push(request);
        return { startedAt: noon, tookMs: 5, headers: request.headers, outcome: state.outcome };
      },
      requireAllowed(url) {
        if (url.includes('forbidden')) throw new AppFailure('INVALID_INPUT', 'forbidden');
        return new URL(url);
      },
      close: () => void (state.closed += 1),
    },
    deliveryRecords: { of: async ({ id }) => ({ isAvailable: false, reason: `of ${id}` }) },
    version: '1.2.3',
    mask: (text) => text,
    clock: createManualClock(noon),
    log: quietLog,
    isDamaged: () => state.isDamaged,
    onChanged: () => void (state.changed += 1),
  });
  writer.append(rows);
  return { ...store, service, state, writer };
}

test('shows a callback with its decoded body', async () => {
  const body = gzipSync('rain');
  const { service } = start([receivedCallback({ body, headers: ['content-encoding', 'gzip'] }), receivedCallback()]);
  expect(await service.get(1)).toMatchObject({
    id: 1,
    bodyBase64: body.toString('base64'),
    decoded: { coding: 'gzip', bodyBase64: Buffer.from('rain').toString('base64'), sizeBytes: 4, problem: null },
    sends: [],
    answer: null,
    checks: expect.arrayContaining([expect.objectContaining({ check: 'request' })]),
  });
  expect((await service.get(2)).decoded).toBeNull();
});

test('lists the events of an episode, each once, and without those that only claim its monitor', async () => {
  const monitor = monitorBody('precipitation_1', ownUri);
  const event = (name: 'started' | 'ended', changes: object = {}, type = `precipitation.${name}`) => {
    const body = JSON.parse(readFileSync(`test/fixtures/rain-events/${name}.json`, 'utf8')) as { data: object };
    return { body: JSON.stringify({ ...body, type, data: { ...body.data, monitor, ...changes } }) };
  };
  const { service } = start(
    [
      event('started', { started_at: null }, 'precipitation.expected'),
      { ...event('ended'), target: '/elsewhere' },
      event('started'),
      event('started'),
      {},
      event('ended', { episode_id: 'ep_2' }),
      event('ended'),
    ].map((row) => receivedCallback(row)),
  );
  const episode = [
    { callbackId: 1, type: 'precipitation.expected', at: '2026-11-28T14:05:00.000Z', amount: null },
    { callbackId: 3, type: 'precipitation.started', at: '2026-11-28T14:05:12.000Z', amount: null },
    { callbackId: 7, type: 'precipitation.ended', at: '2026-11-28T15:40:12.000Z', amount: 6.1 },
  ];
  for (const id of [1, 4, 7]) expect((await service.get(id)).episode).toEqual(episode);
  expect(await service.get(7)).toMatchObject({ eventType: 'precipitation.ended', episodeId: 'ep_1' });
  const monitorItself = await service.get(5);
  expect(monitorItself.episode).toEqual([]);
  expect(monitorItself).not.toHaveProperty('eventType');
});

test('reports a callback that is gone, or that cannot be read', async () => {
  const { service, state } = start();
  const missing = { code: 'NOT_FOUND', details: { field: 'id' } };
  await expect(service.get(9)).rejects.toMatchObject(missing);
  expect(() => service.setNote(9, 'a')).toThrow(expect.objectContaining(missing));
  await expect(service.delivery(9)).rejects.toMatchObject(missing);
  await expect(service.diagnoseSignature(9)).rejects.toMatchObject(missing);
  state.isDamaged = true;
  await expect(service.get(9)).rejects.toMatchObject({ code: 'STORAGE' });
  expect(await service.delivery(1)).toEqual({ isAvailable: false, reason: 'of 1' });
  expect(await service.diagnoseSignature(1)).toMatchObject({ outcome: 'missing' });
});

test.each([
  ['/hooks/a?x=1', 'http://127.0.0.1:4545/hooks/a?x=1'],
  ['http://proxy.test/a', 'http://127.0.0.1:4545/a'],
])('replays %s to the receiver, marked', async (target, url) => {
  const { service, state } = start([receivedCallback({ target, body: 'abc', method: 'PUT' })]);
  const send = await service.replay({ id: 1, url: null });
  expect(state.sent).toEqual([
    {
      method: 'PUT',
      url,
      headers: [
        ['content-type', 'application/json'],
        ['host', '127.0.0.1'],
        ['x-rainbell-replay', '1'],
      ],
      body: Buffer.from('abc'),
    },
  ]);
  expect(send).toMatchObject({ kind: 'replay', callbackId: 1, method: 'PUT', url, tookMs: 5 });
  expect([(await service.get(1)).sends, state.changed]).toEqual([[send], 1]);
});

test('does not replay or export a refused request', async () => {
  const { service, state } = start([receivedCallback({ refusal: 'timeout' })]);
  await expect(service.replay({ id: 1, url: null })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    details: { field: 'id' },
  });
  await expect(service.proof(1, false)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(state.sent).toEqual([]);
});

test.each<[SendOutcome, RegExp]>([
  [{ kind: 'answered', status: 418, headers: [], bodyBase64: '', truncated: false, firstByteMs: 1 }, /was sent.* 418/],
  [{ kind: 'failed', message: 'No route.' }, /failed.* No route\.$/],
])('reports what became of a request that could not be stored: %o', async (outcome, message) => {
  const { db, service, state } = start();
  state.outcome = outcome;
  db.exec('DROP TABLE callback_sends');
  await expect(service.replay({ id: 1, url: null })).rejects.toMatchObject({
    code: 'STORAGE',
    message: expect.stringMatching(message),
  });
});

test('replaces forward targets only if all may be called', async () => {
  const { service } = start();
  const added = { headers: [], signing: 'as-received' as const, sender: null, retries: 0 };
  const target = { id: 'a', url: 'http://a.test/', isOn: true, path: '/*', keepsPath: false, ...added };
  await service.replaceForwardTargets([target]);
  expect(service.forwarder.states()).toMatchObject([{ id: 'a', sent: 0 }]);
  const replaced = service.replaceForwardTargets([
    { ...target, id: 'b' },
    { ...target, url: 'http://forbidden/' },
  ]);
  await expect(replaced).rejects.toThrow('forbidden');
  expect(service.forwarder.states()).toMatchObject([{ id: 'a' }]);
});

test('shows what endpoints hold, and paths without one', async () => {
  const { service, state, writer } = start([]);
  await service.replaceEndpoints([endpoint, { ...endpoint, id: 'b', path: '/b/*' }]);
  expect([state.applied, state.changed]).toEqual([1, 1]);
  writer.append([
    receivedCallback({ target: '/a?x', body: '12' }),
    receivedCallback({ target: '/a', body: '345' }),
    receivedCallback({ target: '/c?y' }),
    receivedCallback({ target: '/d', refusal: 'timeout' }),
    receivedCallback({ target: '/c' }),
  ]);
  expect(service.endpoints()).toEqual({
    senders: expect.arrayContaining([{ id: 'stripe', name: 'Stripe', secretName: 'signing secret' }]),
    endpoints: [
      { ...endpoint, total: 2, bytes: 5, newestId: 2, secrets: 0 },
      { ...endpoint, id: 'b', path: '/b/*', total: 0, bytes: 0, newestId: null, secrets: 0 },
    ],
    unnamedPaths: ['/c'],
  });
});

test('shows at most 50 paths, of the newest 1,000 callbacks', () => {
  const targets = ['/old', ...Array.from({ length: 1000 }, (_, index) => `/${index % 60}`)];
  const { service } = start(targets.map((target) => receivedCallback({ target })));
  const { unnamedPaths } = service.endpoints();
  expect([unnamedPaths.length, unnamedPaths[0], unnamedPaths.includes('/old')]).toEqual([50, '/39', false]);
  const few = start(
    ['/old', ...Array.from({ length: 1000 }, () => '/new')].map((target) => receivedCallback({ target })),
  );
  expect(few.service.endpoints().unnamedPaths).toEqual(['/new']);
});

test.each([true, false])('exports a callback as a page, with its note %s', async (includesNote) => {
  const { service } = start();
  service.setNote(1, 'a private note');
  const { fileName, html } = await service.proof(1, includesNote);
  expect(fileName).toBe('callback-1.html');
  expect(html).toContain('https://service.test');
  expect(html).toContain('1.2.3');
  expect(html).toContain('2026-11-21T12:00:00.000Z (UTC) by');
  expect(html.includes('a private note')).toBe(includesNote);
});

test('ends with its parts', async () => {
  const { service, state, pages } = start();
  await service.deletions.delete({ kind: 'ids', ids: [1] });
  await service.close().catch(() => {});
  expect([state.closed, pages.counts().total]).toEqual([1, 0]);
});
