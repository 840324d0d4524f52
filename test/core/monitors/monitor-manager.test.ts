// What the monitor manager promises in core, over real sockets: deletes that are held, local names; beside
// a service that knows only the interface, with GeoJSON out and empty bodies.
import { describe, expect, test } from 'vitest';
import { AppFailure } from '#core/errors/app-failure.ts';
import { createPendingDeletes } from '#core/monitors/pending-deletes.ts';
import { fieldsFor } from '#test/core/session/access-harness.ts';
import { freePort } from '#test/setup/free-ports.ts';
import { startCore, connectScreen, createMemoryHost } from '../core-harness.ts';
import { startFakeService, type FakeService } from '../fake-service.ts';
import { createManualClock } from '../manual-clock.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { connectionOf, settle } from './monitor-samples.ts';
import { startMonitorStore, type Stored } from './stored-monitors.ts';

const torino = { id: 'precipitation_1', callback_uri: 'https://ops.example.net/a', lat: 45.07, lng: 7.69 };
const bergen = { id: 'precipitation_2', callback_uri: 'https://ops.example.net/b', lat: 60.39, lng: 5.32 };
const deletesOf = (service: FakeService, { id }: Stored) => service.requestsTo(`DELETE /v2/monitors/${id}/`).length;

test('a monitor for this app, created before the receiver listens, waits for its URL', async () => {
  const { service } = await startMonitorStore([torino]);
  const { client, core } = await startCore({ sandbox: service.introduction });
  const creating = client.monitors.create({ callback: { kind: 'this-app' }, geo: { lat: 45.07, lng: 7.69 } });
  const changing = client.monitors.update({ id: torino.id, changes: { callback: { kind: 'this-app' } } });
  const [created] = await Promise.all([creating, changing]);
  const baseUrl = core.status().receiver.baseUrl ?? 'none';
  expect(created.callbackUri).toContain(`${baseUrl}/hooks/`);
  expect(created.toThisApp).toBe(true);
});

describe('a delete that is held', () => {
  /** Turin's, of two monitors. */
  async function startHeld(clock = createManualClock()) {
    const { service } = await startMonitorStore([torino, bergen]);
    const app = await startCore({ sandbox: service.introduction, clock });
    await app.client.monitors.deleteLater({ ids: [torino.id] });
    const deletions = async () => (await app.client.monitors.list()).monitors.map(({ deletion }) => deletion);
    return { ...app, service, clock, deletions };
  }

  test('is sent after eight seconds, and shows as going until then', async () => {
    const { client, clock, service, deletions } = await startHeld();
    expect(await deletions()).toMatchObject([{ state: 'held' }, null]);
    clock.advance(7_900);
    expect(deletesOf(service, torino)).toBe(0);
    clock.advance(200);
    await expect.poll(async () => (await client.monitors.list()).monitors.map(({ id }) => id)).toEqual([bergen.id]);
  });

  test('can be undone from another screen, as after a reload, and is then never sent', async () => {
    const { core, clock, service, deletions } = await startHeld();
    const reloaded = await connectScreen(core);
    expect(await reloaded.client.monitors.undoDelete({ ids: [torino.id] })).toEqual({ restored: [torino.id] });
    await reloaded.close();
    clock.advance(20_000);
    expect(await deletions()).toEqual([null, null]);
    expect(deletesOf(service, torino)).toBe(0);
  });

  test('is sent when the app quits, which waits 5 s at most for the service', async () => {
    const { client, clock, close, service } = await startHeld();
    service.routes[`DELETE /v2/monitors/${bergen.id}/`] = () => new Promise(() => {});
    await client.monitors.deleteLater({ ids: [bergen.id] });
    let isClosed = false;
    void close().then(() => (isClosed = true));
    await expect.poll(() => [deletesOf(service, torino), deletesOf(service, bergen)]).toEqual([1, 1]);
    expect(isClosed).toBe(false);
    clock.advance(5_000);
    await expect.poll(() => isClosed).toBe(true);
  });

  test('is sent to its own service when another connection is chosen', async () => {
    const { service: there } = await startMonitorStore([torino]);
    const { client, service: here, deletions } = await startHeld();
    const { id } = await client.connections.create({ ...fieldsFor(there.introduction), clientSecret: 'secret1' });
    await client.connections.select({ id });
    expect(await deletions()).toEqual([null]);
    expect([deletesOf(here, torino), deletesOf(there, torino)]).toEqual([1, 0]);
  });

  test('of a monitor that is gone by then is done, without a failure', async () => {
    const { clock, service, deletions } = await startHeld();
    service.routes[`DELETE /v2/monitors/${torino.id}/`] = () => ({ status: 404, body: '' });
    clock.advance(8_000);
    // The list still has it.
    await expect.poll(deletions).toEqual([null, null]);
    expect(deletesOf(service, torino)).toBe(1);
  });

  test('that the service refuses stays with the reason, and can be taken back', async () => {
    const { client, clock, service, deletions } = await startHeld();
    service.routes[`DELETE /v2/monitors/${torino.id}/`] = () => ({ status: 500, body: '' });
    clock.advance(8_000);
    const refused = { state: 'failed', message: expect.stringContaining('500') as string };
    await expect.poll(deletions).toMatchObject([refused, null]);
    await client.monitors.deleteLater({ ids: [torino.id] });
    expect(await deletions()).toMatchObject([{ state: 'held' }, null]);
    await client.monitors.undoDelete({ ids: [torino.id] });
    expect(await deletions()).toEqual([null, null]);
  });
});

test('a held delete holds its connection until it is undone or sent, and cannot be undone while it is sent', async () => {
  const { connection, state } = connectionOf('one');
  const clock = createManualClock();
  const send = async (_of: unknown, id: string) => {
    if (id === 'b') throw new AppFailure('SERVER', 'No.');
  };
  const deletes = createPendingDeletes({ clock, send, onDeleted: () => {}, onChanged: () => {} });
  deletes.hold(connection, ['a', 'b']);
  deletes.hold(connection, ['b', 'c']);
  expect([deletes.undo(connection, ['c', 'x']), state.held]).toEqual([['c'], 2]);
  clock.advance(8_000);
  expect(deletes.undo(connection, ['a'])).toEqual([]);
  await settle();
  expect(state.held).toBe(0);
});

describe('a list', () => {
  const wire = (id: unknown, coordinates: unknown) => ({
    id,
    monitor_type: 'precipitation',
    geo: { type: 'Point', coordinates },
  });

  test('shows every monitor that can be read, and names the others', async () => {
    const objects = [
      wire('precipitation_1', [8.5, 47.4, 408]),
      wire(2, [8.5, 47.4]),
      { ...wire('precipitation_3', []), geo: null },
      wire('precipitation_4', [8.5, 95]),
      null,
      wire('precipitation_6', [7.6, 45]),
    ];
    const service = await startFakeService({ 'GET /v2/monitors/': () => ({ body: { objects } }) });
    const { client } = await startCore({ sandbox: service.introduction });
    const { monitors, problems } = await client.monitors.list();
    expect(monitors.map(({ id, geo }) => [id, geo])).toEqual([
      ['precipitation_1', { lat: 47.4, lng: 8.5 }],
      ['precipitation_6', { lat: 45, lng: 7.6 }],
    ]);
    const cause = 'can’t be shown, because the API spec does not allow it';
    expect(problems).toEqual([
      `Monitor 2 of the list ${cause}: id: should be text, but is a number.`,
      `Monitor 3 of the list (precipitation_3) ${cause}: geo: should be an object, but is null.`,
      expect.stringContaining(`Monitor 4 of the list (precipitation_4) ${cause}: geo, coordinates, item 2: `),
      `Monitor 5 of the list ${cause}: it should be an object, but is null.`,
    ]);
  });

  test('has all pages of a service that divides it', async () => {
    const service = await startFakeService({
      'GET /v2/monitors/': ({ url }) => {
        const page = Number(new URL(url, 'http://a').searchParams.get('page') ?? '1');
        const next = page < 3 ? `/v2/monitors/?page=${page + 1}` : null;
        return { body: { objects: [wire(`precipitation_${page}`, [page, 45])], meta: { next } } };
      },
    });
    const { client } = await startCore({ sandbox: service.introduction });
    expect((await client.monitors.list()).monitors.map(({ id }) => id)).toEqual(
      [1, 2, 3].map((page) => `precipitation_${page}`),
    );
  });
});

describe('beside a service with only the interface', () => {
  test('PATCH, PUT and DELETE answer empty bodies and the list leaves addresses out', async () => {
    const { service } = await startMonitorStore([torino], { isShy: true });
    const { client, statusWhere } = await startCore({ sandbox: service.introduction });
    await statusWhere(({ receiver }) => receiver.state === 'listening');
    const { id } = torino;
    await expect(client.monitors.update({ id, changes: {} })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    const updated = await client.monitors.update({ id, changes: { geo: { lat: -90, lng: 180 } } });
    expect(updated).toMatchObject({ callbackUri: null, toThisApp: false, geo: { lat: -90, lng: 180 } });
    const [{ body } = { body: '' }] = service.requestsTo(`PATCH /v2/monitors/${id}/`);
    expect(JSON.parse(body)).toEqual({ geo: { lat: -90, lng: 180 } });
    const replaced = await client.monitors.replace({ id, geo: { lat: 1, lng: 2 }, callback: { kind: 'this-app' } });
    expect(replaced.geo).toEqual({ lat: 1, lng: 2 });
    await client.monitors.delete({ id });
    expect((await client.monitors.list()).monitors).toEqual([]);
  });
});

test('names, tags and notes stay with the monitor over a restart, and never leave for the service', async () => {
  const { service } = await startMonitorStore([torino, bergen]);
  const dataFolder = temporaryFolder();
  const first = await startCore({ sandbox: service.introduction, dataFolder });
  const notes = { name: 'Torino office', tags: ['customer', 'north'], note: 'Ask Anna.' };
  const topics: string[] = [];
  const follow = async () => {
    for await (const { topic } of await first.client.app.notices()) topics.push(topic);
  };
  const followed = follow().catch(() => {});
  // The last of those that tell the state at the start.
  await expect.poll(() => topics).toContain('traffic');
  topics.length = 0;
  await first.client.monitors.setNotes({ id: torino.id, notes });
  await expect.poll(() => topics).toContain('monitors');
  await first.close();
  await followed;
  const host = createMemoryHost({ receiverPort: await freePort() });
  const { client } = await startCore({ sandbox: service.introduction, dataFolder, host });
  expect((await client.monitors.list()).monitors).toMatchObject([notes, { name: '', tags: [], note: '' }]);
  expect(service.seen.some(({ body, url }) => `${body}${url}`.includes('Torino'))).toBe(false);
});
