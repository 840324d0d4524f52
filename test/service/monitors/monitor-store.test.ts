// The rows of monitors, their grid cells, and their pending events after each change, exactly.
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createContractStore } from '#service/accounts/contract-store.ts';
import { countAccountMonitors, countMonitors } from '#service/monitors/count-monitors.ts';
import { registerMonitorRoutes } from '#service/monitors/monitor-routes.ts';
import { createMonitorStore } from '#service/monitors/monitor-store.ts';
import { createSecretSeal, openSeal } from '#service/secrets/secret-seal.ts';
import { startOAuthService } from '#test/service/oauth/oauth-service.ts';
import { registerApplication } from '#test/service/oauth/registered-application.ts';
import { insertEvent, selectEvents } from './delivery/event-rows.ts';

const seal = createSecretSeal({ secretKey: [randomBytes(32).toString('hex')], databaseUrl: 'x', folder: '' });
const callback_uri = 'http://a.example/rain';
const fields = { monitor_type: 'precipitation', callback_uri, geo: { lat: 45.07, lng: -0 } } as const;

async function start(secretSeal = seal) {
  const service = await startOAuthService({ planDrizzle: [3, 0, 0] });
  const { db, clock } = service;
  const application = await registerApplication(service);
  // One cell per degree.
  const cellOf = ({ lat, lng }: { lat: number; lng: number }) => `${Math.floor(lat)} ${Math.floor(lng) + 0}`;
  const store = createMonitorStore({ db, clock, cellOf, seal: secretSeal });
  const cells = () => db.selectFrom('watch_cells').selectAll().orderBy('cell').execute();
  const events = () => selectEvents(db).orderBy('events.id').execute();
  const monitors = () => db.selectFrom('monitors').selectAll().orderBy('id').execute();
  return { ...service, application, store, cells, events, monitors, now: clock.now() };
}

type Started = Awaited<ReturnType<typeof start>>;

/** An event of each state for the monitor. */
async function addEvents({ db, application }: Started, monitorId: string) {
  const waiting = {
    monitor_id: monitorId,
    application_id: application.id,
    callback_uri,
    body: 'old',
    held_by: 'process',
    held_until: 5,
    due_at: 7,
  };
  for (const [id, state, kind] of [
    [`${monitorId} 1`, 'waiting', 'precipitation'],
    [`${monitorId} 2`, 'waiting', 'test'],
    [`${monitorId} 3`, 'delivered', 'precipitation'],
  ] as const) {
    await insertEvent(db, id, 0, { ...waiting, state, kind });
  }
}

const pending = ({
  id,
  state,
  callback_uri: uri,
  host,
  body,
  is_guarded,
  held_by,
  held_until,
  due_at,
}: Record<string, unknown>) => ({
  id,
  state,
  uri,
  host,
  body,
  is_guarded,
  held: [held_by, held_until, due_at],
});

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
  const found = await store.find(application.id, 'precipitation_1');
  expect(found).toMatchObject(row);
  expect(await store.listAfter(application.id, '', 9)).toMatchObject([row, second]);
  expect(await store.listAfter(application.id, row.id, 9)).toMatchObject([second]);
  expect(await store.listAfter(application.id, '', 1)).toMatchObject([row]);
  expect([await store.find('other', 'precipitation_1'), await store.listAfter('other', '', 9)]).toEqual([
    undefined,
    [],
  ]);
  expect([await store.count(application.id), await store.count('other')]).toEqual([2, 0]);
});

test('the limit of the application, then of its account, then a deleted application refuse a new one', async () => {
  const { store, application, oauth, db, clock, monitors } = await start();
  const contract = await createContractStore({ db, clock }).create(application.accountId, 'drizzle');
  const more = {
    accountId: application.accountId,
    contractId: contract.id,
    name: 'Raincoat',
    description: 'x',
    redirectUris: [],
    isPublic: false,
    allowsPassword: false,
    requiresPkce: false,
  };
  const { id } = await oauth.applications.create(more);
  const account = { id: application.accountId, limit: 1 };
  // In-house ones are excluded.
  await store.create(application.id, fields, 1, { ...account, limit: undefined });
  expect(await store.create(application.id, fields, 1)).toBeUndefined();
  expect(await countAccountMonitors(db, application.accountId)).toBe(0);
  expect(await store.create(id, fields, 1, account)).toMatchObject({ application_id: id });
  expect([await countMonitors(db, id), await countAccountMonitors(db, application.accountId)]).toEqual([1, 1]);
  expect(await countAccountMonitors(db, 'other')).toBe(0);
  expect(await store.create(id, fields, 1, account)).toBeUndefined();
  await expect(store.create(id, fields, 2, account)).rejects.toMatchObject({ kind: 'monitor_limit' });
  await expect(store.create('deleted', fields, 2, account)).rejects.toMatchObject({ kind: 'unknown' });
  expect(await monitors()).toHaveLength(2);
});

test('a change keeps what it does not name, moves the monitor between cells, and never touches another', async () => {
  const started = await start();
  const { store, application, cells, monitors, db, clock, now } = started;
  const before = (await store.create(application.id, { ...fields, credentials: 'ann:pass' }, 5))!;
  const other = (await store.create(application.id, fields, 5))!;
  await addEvents(started, before.id);
  await addEvents(started, other.id);
  const untouched = (await started.events()).filter((row) => row.monitor_id === other.id);
  const off = { off_since: 1, off_reason: 'dead', failed_events: 3 };
  const turnOff = () => db.updateTable('monitors').set(off).where('id', '=', before.id).execute();
  await turnOff();

  expect(await store.change('other', before.id, { callback_uri: 'http://b.example/' })).toBeUndefined();
  expect(await store.change(application.id, 'other', { callback_uri: 'http://b.example/' })).toBeUndefined();
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
  const held = ['process', 5, 7];
  const sent = { uri: 'http://a.example/other?x', host: 'http://a.example', body: json, is_guarded: 1, held };
  const done = { state: 'delivered', uri: callback_uri, host: null, body: 'old', is_guarded: null };
  const free = [null, null, null];
  const eventsOf = async (id: string) =>
    (await started.events()).filter((row) => row.monitor_id === id).map((row) => pending(row));
  expect(await eventsOf(before.id)).toEqual([
    { id: 'precipitation_1 1', state: 'waiting', ...sent },
    { id: 'precipitation_1 2', state: 'waiting', ...sent },
    { id: 'precipitation_1 3', ...done, held: free },
  ]);
  expect((await started.events()).filter((row) => row.monitor_id === other.id)).toEqual(untouched);

  // A new password for the same URL also turns it on again.
  await turnOff();
  const again = { callback_uri: 'http://a.example/other?x', credentials: 'ann:new' };
  const renewed = await store.change(application.id, before.id, again);
  expect(renewed).toMatchObject({ off_since: null, off_reason: null, failed_events: 0 });
  expect(seal.open(renewed?.callback_credentials ?? '')).toBe('ann:new');
  // No password in the same URL turns nothing on.
  await turnOff();
  const emptied = await store.change(application.id, before.id, { ...again, credentials: '' });
  expect(emptied).toMatchObject({ ...off, callback_credentials: null });
  expect((await eventsOf(before.id))[0]).toMatchObject({ is_guarded: 0 });
  // Another server never gets the password.
  await store.change(application.id, before.id, again);
  for (const callback of ['https://a.example/other', 'http://b.example/', 'http://a.example:81/']) {
    await store.change(application.id, before.id, again);
    const changed = await store.change(application.id, before.id, { callback_uri: callback });
    expect(changed).toMatchObject({ callback_uri: callback, callback_credentials: null });
  }
});

test('a deleted monitor leaves its cell, and its pending events are canceled', async () => {
  const started = await start();
  const { store, application, cells, monitors } = started;
  const [one, other] = [await store.create(application.id, fields, 5), await store.create(application.id, fields, 5)];
  for (const { id } of [one!, other!]) await addEvents(started, id);
  expect(await store.remove('other', one!.id)).toBe(false);
  expect(await store.remove(application.id, 'other')).toBe(false);
  expect(await monitors()).toHaveLength(2);
  expect(await store.remove(application.id, one!.id)).toBe(true);
  expect(await monitors()).toMatchObject([other]);
  expect(await cells()).toMatchObject([{ cell: '45 0', monitor_count: 1 }]);
  const states = async () =>
    (await started.events()).map(({ id, state, due_at, held_until, held_by }) => [
      id,
      state,
      due_at,
      held_until,
      held_by,
    ]);
  const kept = (id: string) => [id, 'waiting', 7, 5, 'process'];
  const canceled = (id: string) => [id, 'deleted', null, null, null];
  const delivered = (id: string) => [id, 'delivered', null, null, null];
  const first = [canceled('precipitation_1 1'), canceled('precipitation_1 2'), delivered('precipitation_1 3')];
  expect(await states()).toEqual([
    ...first,
    kept('precipitation_2 1'),
    kept('precipitation_2 2'),
    delivered('precipitation_2 3'),
  ]);
  expect(await store.remove(application.id, other!.id)).toBe(true);
  expect(await cells()).toEqual([]);
});

test('without a key, a password is refused and nothing is stored', async () => {
  const { store, application, monitors } = await start(openSeal);
  const refusal = {
    code: 'invalid_request',
    message:
      'callback_uri must not have a password: this service has no key to encrypt it with. The operator must set RAINBELL_SECRET_KEY.',
  };
  await expect(store.create(application.id, { ...fields, credentials: 'ann:pass' }, 5)).rejects.toMatchObject(refusal);
  expect(await monitors()).toMatchObject([]);
  expect(await store.create(application.id, fields, 5)).toMatchObject({ callback_credentials: null });
});

test('the responses have the documented statuses, headers, and errors, and each change is told to the watch', async () => {
  let changes = 0;
  const checked: string[] = [];
  let limit: { limit: number; plan: string | undefined; account?: { id: string; limit: number | undefined } } = {
    limit: 2,
    plan: undefined,
  };
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
  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${service.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const named = ['content-type', 'location', 'etag', 'cache-control'].map((name) => response.headers.get(name));
    return { status: response.status, text, named };
  };
  const json = 'application/json; charset=utf-8';
  const text =
    '{"uri":"/v2/monitors/precipitation_1/","geo":{"type":"Point","coordinates":[7,45]},' +
    '"id":"precipitation_1","callback_uri":"http://a.example/rain","monitor_type":"precipitation"}';
  const body = { monitor_type: 'precipitation', callback_uri, geo: { lat: 45, lng: 7 } };
  const path = '/v2/monitors/precipitation_1/';
  const etag = expect.stringMatching(/^"[\w-]{22}"$/);

  expect(await call('POST', '/v2/monitors/', body)).toEqual({ status: 201, text, named: [json, path, null, null] });
  expect([changes, checked]).toEqual([1, [callback_uri]]);
  const list = await call('GET', '/v2/monitors/');
  expect(list).toEqual({
    status: 200,
    text: `{"objects":[${text}],"meta":{}}`,
    named: [json, null, etag, 'private, no-cache'],
  });
  const one = await call('GET', path);
  expect(one).toEqual({ status: 200, text, named: [json, null, etag, 'private, no-cache'] });
  expect(one.named[2]).not.toBe(list.named[2]);
  for (const [target, known] of [
    [path, one],
    ['/v2/monitors/', list],
  ] as const) {
    const same = await call('GET', target, undefined, { 'if-none-match': String(known.named[2]) });
    expect([same.status, same.text, same.named[2], same.named[3]]).toEqual([
      304,
      '',
      known.named[2],
      'private, no-cache',
    ]);
    expect((await call('GET', target, undefined, { 'if-none-match': '"other"' })).status).toBe(200);
  }
  expect(changes).toBe(1);
  expect(await call('PUT', path, body)).toEqual({ status: 200, text, named: [json, null, null, null] });
  expect([changes, checked.length]).toEqual([2, 2]);
  expect(await call('PATCH', path, { geo: { lat: 1, lng: 2 } })).toEqual({
    status: 202,
    text: '',
    named: ['text/html; charset=utf-8', null, null, null],
  });
  expect([changes, checked.length]).toEqual([3, 2]);
  expect((await call('GET', path)).text).toBe(text.replace('[7,45]', '[2,1]'));
  await call('PATCH', path, { callback_uri: 'http://b.example/' });
  expect([changes, checked.at(-1)]).toEqual([4, 'http://b.example/']);

  const refusal = async (method: string, target: string, given?: unknown) => {
    const { status, text: words } = await call(method, target, given);
    const { error, error_description } = JSON.parse(words) as { error: string; error_description: string };
    return `${status} ${error}: ${error_description}`;
  };
  const missing =
    '404 not_found: This application has no monitor with that ID. GET /v2/monitors/ lists the ones it has.';
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
    const sent = method === 'PUT' || method === 'PATCH' ? { wrong: 1 } : undefined;
    expect(await refusal(method, '/v2/monitors/precipitation_9/', sent)).toBe(missing);
  }
  const second = JSON.parse((await call('POST', '/v2/monitors/', body)).text) as { id: string };
  const { objects } = JSON.parse((await call('GET', '/v2/monitors/')).text) as { objects: { id: string }[] };
  expect(objects.map(({ id }) => id)).toEqual(['precipitation_1', second.id]);
  expect((await call('DELETE', `/v2/monitors/${second.id}/`)).status).toBe(204);
  changes -= 1;
  limit = { limit: 1, plan: undefined };
  expect(await refusal('POST', '/v2/monitors/', body)).toBe(
    '403 limit_reached: This application has reached its monitor limit (1). Delete a monitor, or choose a larger plan on the developer website.',
  );
  limit = { limit: 1, plan: 'Drizzle' };
  expect(await refusal('POST', '/v2/monitors/', body)).toBe(
    '403 limit_reached: This application has reached the monitor limit of the Drizzle plan (1). Delete a monitor, or choose a larger plan on the developer website.',
  );
  await service.db.updateTable('contracts').set({ plan: 'drizzle' }).execute();
  for (const [allowed, shown] of [
    [1, 1],
    [0, 0],
  ] as const) {
    limit = { limit: 5, plan: 'Drizzle', account: { id: application.accountId, limit: allowed } };
    expect(await refusal('POST', '/v2/monitors/', body)).toBe(
      `403 limit_reached: This account has reached its monitor limit across all applications (${shown}). Delete some monitors, or ask the operator of the service for a higher limit.`,
    );
  }
  expect(changes).toBe(4);

  const user = await service.oauth.tokens.createGrant({
    applicationId: application.id,
    accountId: application.accountId,
    kind: 'password',
    scope: [],
  });
  const userToken = await service.oauth.tokens.issueAccessToken(user, []);
  const foreign = await fetch(`${service.baseUrl}${path}`, { headers: { authorization: `Bearer ${userToken}` } });
  expect([foreign.status, foreign.headers.get('www-authenticate'), await foreign.json()]).toEqual([
    403,
    'Bearer realm="Rainbell", error="insufficient_scope"',
    {
      error: 'insufficient_scope',
      error_description:
        'Monitors require a token from the client credentials grant; this one came from the password grant. Get one from POST /token/ with grant_type=client_credentials.',
    },
  ]);
  expect(await call('DELETE', path)).toEqual({ status: 204, text: '', named: [null, null, null, null] });
});

test('an application that is deleted during the request gets no monitor', async () => {
  const { store, application } = await start();
  const service = await startOAuthService({}, async ({ server, oauth }) => {
    registerMonitorRoutes(server, {
      store,
      requireBearer: oauth.requireBearer,
      limitOf: async () => ({ limit: 5, plan: 'Drizzle', account: { id: application.accountId, limit: 5 } }),
      checkCallback: async () => {},
      onChange: () => {},
    });
    return async () => {};
  });
  const own = await registerApplication(service);
  const client = await service.oauth.applications.findActive(own.clientId);
  const { accessToken } = await service.oauth.tokens.issueClientTokens(client!);
  // The store's database has no such application.
  const response = await fetch(`${service.baseUrl}/v2/monitors/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...fields, geo: { lat: 1, lng: 2 } }),
  });
  expect([response.status, await response.json()]).toEqual([
    403,
    { error: 'access_denied', error_description: 'This application was deleted.' },
  ]);
});
