// What testers do with stored callbacks: delete with a way back, notes, endpoints, filters, strips.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { openAppDatabase } from '#core/app/open-app-database.ts';
import { systemClock } from '#shared/time/clock.ts';
import { freePort } from '#test/setup/free-ports.ts';
import { startFakeService } from '../fake-service.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { monitorBody, startWithReceiver } from './callback-harness.ts';

const jsonType = { 'content-type': 'application/json' };

describe('deleting', () => {
  test('hides at once, and undoing brings all back', async () => {
    const { client, post } = await startWithReceiver();
    for (const path of ['/a', '/b', '/a']) await post(path, 'x');
    const { deletionId, count } = await client.callbacks.delete({ choice: { kind: 'ids', ids: [1, 3, 99] } });
    expect(count).toBe(2);
    expect(await client.callbacks.list({})).toMatchObject({ items: [{ id: 2 }], total: 1, newestId: 3 });
    await expect(client.callbacks.get({ id: 1 })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await client.callbacks.undoDelete({ deletionId })).toEqual({ count: 2 });
    expect((await client.callbacks.list({})).items.map(({ id }) => id)).toEqual([3, 2, 1]);
    await expect(client.callbacks.undoDelete({ deletionId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('by a query means what it finds up to an id, and refuses a query that means something else', async () => {
    const { client, post } = await startWithReceiver();
    for (const path of ['/a', '/b', '/a', '/a']) await post(path, 'x');
    const choice = { kind: 'query', query: 'path:/a', throughId: 3 } as const;
    expect((await client.callbacks.delete({ choice })).count).toBe(2);
    expect((await client.callbacks.list({})).items.map(({ id }) => id)).toEqual([4, 2]);
    await expect(client.callbacks.delete({ choice: { ...choice, query: 'is:odd' } })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    expect((await client.callbacks.delete({ choice: { ...choice, query: '', throughId: 4 } })).count).toBe(2);
    expect((await client.callbacks.list({})).total).toBe(0);
  });
});

test('over a restart, a deletion is final, IDs go on, and saved filters and endpoints stay', async () => {
  const dataFolder = temporaryFolder();
  const first = await startWithReceiver({ dataFolder });
  for (const path of ['/a', '/b']) await first.post(path, 'x');
  await first.client.callbacks.replaceFilters({ filters: [{ name: 'Torino', query: 'monitor:torino' }] });
  await first.client.callbacks.replaceEndpoints({ endpoints: [{ id: 'a', name: 'A', path: '/a' }] });
  await first.client.callbacks.setNote({ id: 1, note: 'gone with it' });
  await first.client.callbacks.delete({ choice: { kind: 'ids', ids: [1] } });
  await first.close();
  const { client, post } = await startWithReceiver({ dataFolder });
  await post('/c', 'x');
  expect((await client.callbacks.list({})).items.map(({ id }) => id)).toEqual([3, 2]);
  await expect.poll(async () => (await client.callbacks.list({})).total).toBe(2);
  const { facets } = await client.callbacks.histogram({ query: '', selected: null, seconds: null });
  expect(facets.reduce((sum, { count }) => sum + count, 0)).toBe(2);
  expect((await client.callbacks.filters()).filters).toEqual([{ name: 'Torino', query: 'monitor:torino' }]);
  expect((await client.callbacks.endpoints()).endpoints).toMatchObject([{ id: 'a', name: 'A', total: 0 }]);
});

test('shows a monitor’s callbacks since a time, oldest first, and no other requests with its ID', async () => {
  const { client, post } = await startWithReceiver();
  for (const [id, headers] of [
    ['a_1', jsonType],
    ['a_2', jsonType],
    ['a_1', {}],
    ['a_1', jsonType],
  ] as const)
    await post('/', JSON.stringify({ id }), headers === jsonType ? { ...jsonType, 'rainbell-event': '1' } : jsonType);
  const marks = async (from: string) => (await client.callbacks.hours({ monitorId: 'a_1', from })).callbacks;
  expect(await marks('2000-01-01T00:00:00Z')).toMatchObject([
    { id: 1, kind: 'event', verdict: 'unknown' },
    { id: 4, kind: 'event', verdict: 'unknown' },
  ]);
  expect(await marks('2100-01-01T00:00:00Z')).toEqual([]);
  // An imported one is the newest row, with an old time.
  const old = { receivedAt: '2000-06-01T00:00:00Z', method: 'POST', target: '/', body: '{"id":"a_1"}' };
  const piece = JSON.stringify({
    ...old,
    headers: [
      ['content-type', 'application/json'],
      ['rainbell-event', '1'],
    ],
  });
  await client.callbacks.importPiece({ importId: null, format: 'ndjson', piece, isLast: true });
  expect((await marks('2000-01-01T00:00:00Z')).map(({ id }) => id)).toEqual([1, 4, 5]);
  expect((await marks('2001-01-01T00:00:00Z')).map(({ id }) => id)).toEqual([1, 4]);
});

test('a compressed callback is shown and found as what it means', async () => {
  const { client, post } = await startWithReceiver();
  const plain = JSON.stringify(monitorBody('precipitation_77'));
  const zipped = gzipSync(plain);
  await post('/zip', zipped, { ...jsonType, 'content-encoding': 'gzip' });
  const zip = await client.callbacks.get({ id: 1 });
  expect(zip).toMatchObject({ monitorId: 'precipitation_77', sizeBytes: zipped.length });
  expect(Buffer.from(zip.bodyBase64, 'base64')).toEqual(zipped);
  expect(zip.decoded).toMatchObject({ coding: 'gzip', bodyBase64: btoa(plain), problem: null });
  expect((await client.callbacks.search({ query: 'json:id=precipitation_77' })).items).toMatchObject([{ id: 1 }]);
});

test('notes are kept, found and removed', async () => {
  const { client, post } = await startWithReceiver();
  await post('/a', 'x');
  await client.callbacks.setNote({ id: 1, note: 'Compare with Genova' });
  expect((await client.callbacks.search({ query: 'note:genova' })).items).toMatchObject([{ id: 1, hasNote: true }]);
  expect((await client.callbacks.get({ id: 1 })).note).toBe('Compare with Genova');
  await client.callbacks.setNote({ id: 1, note: '' });
  expect((await client.callbacks.list({})).items).toMatchObject([{ hasNote: false }]);
  await expect(client.callbacks.setNote({ id: 9, note: 'x' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('an endpoint counts its own callbacks and keeps its own number, whatever other endpoints receive', async () => {
  const { client, post } = await startWithReceiver();
  await client.callbacks.replaceEndpoints({
    endpoints: [
      { id: 'few', name: 'Few', path: '/few', keptCallbacks: 3 },
      { id: 'rest', name: 'Rest', path: '/hooks/*' },
    ],
  });
  for (let index = 0; index < 8; index += 1) await post('/few?n=1', 'x'.repeat(10));
  for (const path of ['/hooks/a', '/hooks/b', '/plain']) await post(path, 'xy');
  await expect
    .poll(async () => (await client.callbacks.endpoints()).endpoints)
    .toMatchObject([
      { id: 'few', total: 3, bytes: 30 },
      { id: 'rest', total: 2, bytes: 4 },
    ]);
  expect((await client.callbacks.list({})).items.map(({ id }) => id)).toEqual([11, 10, 9, 8, 7, 6]);
});

test('a callback shows the events of its episode, each once, and none that only claims its monitor', async () => {
  const receiverPort = await freePort();
  const monitor = monitorBody('precipitation_1', `http://127.0.0.1:${receiverPort}/hooks/a`);
  const service = await startFakeService({
    'GET /v2/monitors/': () => ({ body: { objects: [monitor], meta: {} } }),
    'GET /v2/delivery/': () => ({ status: 404 }),
  });
  const { client, core, post, statusWhere } = await startWithReceiver({ receiverPort });
  core.connectSandbox(service.introduction);
  await statusWhere(({ token }) => token.state === 'valid');
  await client.monitors.list();
  const send = (name: 'started' | 'ended', changes: object = {}, path = '/hooks/a', type = `precipitation.${name}`) => {
    const event = JSON.parse(readFileSync(`test/fixtures/rain-events/${name}.json`, 'utf8')) as { data: object };
    return post(path, JSON.stringify({ ...event, type, data: { ...event.data, monitor, ...changes } }), jsonType);
  };
  await send('started', { started_at: null }, '/hooks/a', 'precipitation.expected');
  await send('ended', {}, '/elsewhere');
  await send('started');
  await send('started');
  await post('/hooks/a', JSON.stringify(monitor), jsonType);
  await send('ended', { episode_id: 'ep_2' });
  await send('ended');
  const episode = [
    { callbackId: 1, type: 'precipitation.expected', at: '2026-11-28T14:05:00.000Z', amount: null },
    { callbackId: 3, type: 'precipitation.started', at: '2026-11-28T14:05:12.000Z', amount: null },
    { callbackId: 7, type: 'precipitation.ended', at: '2026-11-28T15:40:12.000Z', amount: 6.1 },
  ];
  for (const id of [1, 4, 7]) expect((await client.callbacks.get({ id })).episode).toEqual(episode);
  const ended = await client.callbacks.get({ id: 7 });
  expect(ended).toMatchObject({ eventType: 'precipitation.ended', episodeId: 'ep_1' });
  const monitorItself = await client.callbacks.get({ id: 5 });
  expect(monitorItself.episode).toEqual([]);
  expect(monitorItself).not.toHaveProperty('eventType');
});

test('reports a damaged list of filters and backs it up', async () => {
  const dataFolder = temporaryFolder();
  const { db, close } = openAppDatabase({ file: join(dataFolder, 'app.sqlite'), clock: systemClock });
  db.exec("INSERT INTO documents (name, json) VALUES ('callback filters', '[{\"name\":1}]')");
  close();
  const { client } = await startWithReceiver({ dataFolder });
  expect((await client.app.status()).notices.join(' ')).toContain('Couldn’t read the stored callback filters');
  expect((await client.callbacks.filters()).filters).toEqual([]);
});
