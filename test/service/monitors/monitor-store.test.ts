// The rows of monitors, their grid cells, and their pending events after each change, exactly.
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import type { MonitorLimit } from '#service/accounts/plans.ts';
import { registerMonitorRoutes } from '#service/monitors/monitor-routes.ts';
import { createMonitorStore } from '#service/monitors/monitor-store.ts';
import { createSecretSeal } from '#service/secrets/secret-seal.ts';
import { apiCaller } from '#test/service/monitor-service.ts';
import { startOAuthService } from '#test/service/oauth/oauth-service.ts';
import { registerApplication } from '#test/service/oauth/registered-application.ts';
import { insertEvent, selectEvents } from './delivery/event-rows.ts';

const seal = createSecretSeal({ secretKey: [randomBytes(32).toString('hex')], databaseUrl: 'x', folder: '' });
const callback_uri = 'http://a.example/rain';
const fields = { monitor_type: 'precipitation', callback_uri, geo: { lat: 45.07, lng: -0 } } as const;

async function start() {
  const service = await startOAuthService({ planDrizzle: [3, 0, 0] });
  const { db, clock } = service;
  const application = await registerApplication(service);
  // One cell per degree.
  const cellOf = ({ lat, lng }: { lat: number; lng: number }) => `${Math.floor(lat)} ${Math.floor(lng) + 0}`;
  const store = createMonitorStore({ db, clock, cellOf, seal });
  const cells = () => db.selectFrom('watch_cells').selectAll().orderBy('cell').execute();
  const events = () => selectEvents(db).orderBy('events.id').execute();
  const monitors = () => db.selectFrom('monitors').selectAll().orderBy('id').execute();
  return { ...service, application, store, cells, events, monitors, now: clock.now() };
}

type Started = Awaited<ReturnType<typeof start>>;

/** An event that waits, a test event, and one that was delivered, of the monitor. */
async function addEvents({ db, application, events }: Started, monitor_id: string) {
  const sent = { monitor_id, application_id: application.id, callback_uri, body: 'old' };
  const held = { held_by: 'process', held_until: 5, due_at: 7 };
  await insertEvent(db, `${monitor_id} 1`, 0, { ...sent, ...held });
  await insertEvent(db, `${monitor_id} 2`, 0, { ...sent, ...held, kind: 'test' });
  await insertEvent(db, `${monitor_id} 3`, 0, { ...sent, state: 'delivered' });
  return (await events()).filter((row) => row.monitor_id === monitor_id);
}

test('a new monitor is stored with every digit, and its cell is checked at once', async () => {
  const { store, application, cells, monitors, now, clock } = await start();
  const created = await store.create(application.id, { ...fields, credentials: 'ann:pass' }, 5);
  const row = {
    id: 'precipitation_1',
    application_id: application.id,
    monitor_type: 'precipitation',
    callback_uri,
    callback_credentials: expect.stringMatching(/^sealed1:/),
    latitude: '45.07',
    longitude: '-0',
    cell: '45 0',
    created_at: now,
    gate_opens_at: 0,
    latest_event_at: 0,
    off_since: null,
    off_reason: null,
    failed_events: 0,
    rules: null,
    episode: null,
  };
  expect(created).toEqual(row);
  expect(await monitors()).toMatchObject([row]);
  expect(seal.open(created?.callback_credentials ?? '')).toBe('ann:pass');
  const cell = { cell: '45 0', latitude: 45.07, longitude: 0, held_until: 0 };
  expect(await cells()).toEqual([{ ...cell, monitor_count: 1, next_look_at: now }]);
  clock.advance(1);
  const second = await store.create(application.id, { ...fields, geo: { lat: 45.5, lng: 0.5 }, credentials: '' }, 5);
  expect(second).toMatchObject({ id: 'precipitation_2', callback_credentials: null, created_at: now + 1_000 });
  expect(await cells()).toEqual([{ ...cell, monitor_count: 2, next_look_at: now + 1_000 }]);
  expect(await store.listAfter(application.id, row.id, 9)).toMatchObject([second]);
  expect(await store.listAfter(application.id, '', 1)).toMatchObject([row]);
  expect(await store.listAfter('other', '', 9)).toEqual([]);
});

test('a change keeps what it does not name, moves the monitor between cells, and never touches another', async () => {
  const started = await start();
  const { store, application, cells, monitors, db, clock, now } = started;
  const before = (await store.create(application.id, { ...fields, credentials: 'ann:pass' }, 5))!;
  const other = (await store.create(application.id, fields, 5))!;
  const own = await addEvents(started, before.id);
  const untouched = await addEvents(started, other.id);
  const off = { off_since: 1, off_reason: 'dead', failed_events: 3 };
  const turnOff = () => db.updateTable('monitors').set(off).where('id', '=', before.id).execute();
  await turnOff();

  expect(await store.change(application.id, before.id, {})).toMatchObject({ ...before, ...off });
  // The same URL again is nothing new.
  expect(await store.change(application.id, before.id, { callback_uri })).toMatchObject({ ...before, ...off });

  clock.advance(1);
  const moved = await store.change(application.id, before.id, { geo: { lat: -1.5, lng: 2 } });
  const place = { latitude: '-1.5', longitude: '2', cell: '-2 2' };
  expect(moved).toMatchObject({ ...before, ...off, ...place });
  expect(await monitors()).toMatchObject([moved, other]);
  const cell = { held_until: 0, monitor_count: 1 };
  const cellRow = { ...cell, cell: '45 0', latitude: 45.07, longitude: 0, next_look_at: now };
  expect(await cells()).toEqual([
    { ...cell, cell: '-2 2', latitude: -1.5, longitude: 2, next_look_at: now + 1_000 },
    cellRow,
  ]);
  clock.advance(1);
  // Within the cell, no new check is needed.
  await store.change(application.id, before.id, { geo: { lat: -1.25, lng: 2 } });
  expect((await cells())[0]).toMatchObject({ next_look_at: now + 1_000, monitor_count: 1 });

  // Another path on the same server keeps the password; a new URL turns delivery on again.
  const path = await store.change(application.id, before.id, { callback_uri: 'http://a.example/other?x' });
  expect(path).toMatchObject({ ...before, ...place, latitude: '-1.25', callback_uri: 'http://a.example/other?x' });
  const json =
    '{"uri":"/v2/monitors/precipitation_1/","geo":{"type":"Point","coordinates":[2,-1.25]},' +
    '"id":"precipitation_1","callback_uri":"http://a.example/other?x","monitor_type":"precipitation"}';
  const sent = { callback_uri: 'http://a.example/other?x', host: 'http://a.example', body: json, is_guarded: 1 };
  expect(await started.events()).toEqual([
    ...own.map((event) => ({ ...event, ...(event.state === 'waiting' && sent) })),
    ...untouched,
  ]);

  // A new password for the same URL also turns it on again; none in the same URL turns nothing on.
  await turnOff();
  const again = { callback_uri: 'http://a.example/other?x', credentials: 'ann:new' };
  const renewed = await store.change(application.id, before.id, again);
  expect(renewed).toMatchObject({ off_since: null, off_reason: null, failed_events: 0 });
  await turnOff();
  const emptied = await store.change(application.id, before.id, { ...again, credentials: '' });
  expect(emptied).toMatchObject({ ...off, callback_credentials: null });
  expect((await started.events())[0]).toMatchObject({ is_guarded: 0 });
});

test('a deleted monitor leaves its cell, and its pending events are canceled', async () => {
  const started = await start();
  const { store, application, cells, monitors } = started;
  const [one, other] = [await store.create(application.id, fields, 5), await store.create(application.id, fields, 5)];
  const [own, untouched] = [await addEvents(started, one!.id), await addEvents(started, other!.id)];
  expect(await store.remove(application.id, one!.id)).toBe(true);
  expect(await monitors()).toMatchObject([other]);
  expect(await cells()).toMatchObject([{ cell: '45 0', monitor_count: 1 }]);
  const left = await started.events();
  expect(left.slice(0, 3).map(({ id, state }) => [id, state])).toEqual(
    own.map(({ id, state }) => [id, state === 'waiting' ? 'deleted' : state]),
  );
  expect(left.slice(3)).toEqual(untouched);
  expect(await store.remove(application.id, other!.id)).toBe(true);
  expect(await cells()).toEqual([]);
});

test('a change is told to the watch, and a monitor is refused beyond each limit, or if its application was deleted', async () => {
  let changes = 0;
  const checked: string[] = [];
  let limit: MonitorLimit = { limit: 1, plan: undefined };
  const service = await startOAuthService({}, async ({ server, db, clock, oauth }) => {
    registerMonitorRoutes(server, {
      store: createMonitorStore({ db, clock, cellOf: () => 'cell', seal }),
      requireBearer: oauth.requireBearer,
      limitOf: async () => limit,
      checkCallback: async (uri) => void checked.push(uri),
      onChange: () => void (changes += 1),
    });
    return async () => {};
  });
  const application = await registerApplication(service);
  const client = await service.oauth.applications.findActive(application.clientId);
  const { accessToken } = await service.oauth.tokens.issueClientTokens(client!);
  const call = apiCaller(service.baseUrl, accessToken);
  const body = { ...fields, geo: { lat: 45, lng: 7 } };
  const { uri } = (await call('POST', '/v2/monitors/', body)).json as { uri: string };
  await call('PUT', uri, body);
  await call('PATCH', uri, { geo: { lat: 1, lng: 2 } });
  await call('PATCH', uri, { callback_uri: 'http://b.example/' });
  expect([changes, checked]).toEqual([4, [callback_uri, callback_uri, 'http://b.example/']]);

  const refusal = async () => {
    const { status, json } = await call('POST', '/v2/monitors/', body);
    const { error, error_description } = json as { error: string; error_description: string };
    return `${status} ${error}: ${error_description}`;
  };
  const larger = 'Delete a monitor, or choose a larger plan on the developer website.';
  expect(await refusal()).toBe(`403 limit_reached: This application has reached its monitor limit (1). ${larger}`);
  limit = { limit: 1, plan: 'Drizzle' };
  expect(await refusal()).toBe(
    `403 limit_reached: This application has reached the monitor limit of the Drizzle plan (1). ${larger}`,
  );
  limit = { limit: 5, plan: 'Drizzle', account: { id: application.accountId, limit: 2 } };
  // The limit does not apply to the in-house plan.
  expect((await call('POST', '/v2/monitors/', body)).status).toBe(201);
  await service.db.updateTable('applications').set({ plan: 'drizzle' }).execute();
  expect(await refusal()).toBe(
    '403 limit_reached: This account has reached its monitor limit across all applications (2). Delete some monitors, or ask the operator of the service for a higher limit.',
  );
  // Its token is still remembered.
  await service.db.deleteFrom('applications').where('id', '=', application.id).execute();
  expect(await refusal()).toBe('403 access_denied: This application was deleted.');
  expect(changes).toBe(5);
});
