// Reports of users, behind the scope `post_metag` (docs/interface.md §4.1).
import { expect, test } from 'vitest';
import type { LatLng } from '#contract/service-api/geo.ts';
import { createMetagStore, type MetagStore } from '#service/metags/metag-store.ts';
import { registerMetagRoutes } from '#service/metags/metag-routes.ts';
import { basic, postToken, startOAuthService } from '#test/service/oauth/oauth-service.ts';

async function startReports() {
  const stores: MetagStore[] = [];
  const service = await startOAuthService({}, async ({ server, db, clock, oauth }) => {
    const store = createMetagStore({ db, clock });
    stores.push(store);
    registerMetagRoutes(server, { store, requireBearer: oauth.requireBearer, onReport: () => {} });
    return async () => {};
  });
  const [store] = stores;
  if (!store) throw new Error('The store was not made.');
  const { clientId, clientSecret, username, password } = service.sandbox;
  const tokenOf = async (form: Record<string, string>) => {
    const { answer } = await postToken(service, form, { authorization: basic(clientId, clientSecret) });
    return String(answer['access_token']);
  };
  const userToken = await tokenOf({ grant_type: 'password', username, password, scope: 'post_metag' });
  const call = (token: string, init: { method?: string; query?: string; body?: unknown } = {}) =>
    fetch(`${service.baseUrl}/v2/metags/${init.query ?? ''}`, {
      method: init.method ?? 'GET',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
    });
  const { account_id: accountId } = await service.db
    .selectFrom('applications')
    .select('account_id')
    .where('id', '=', service.sandbox.applicationId)
    .executeTakeFirstOrThrow();
  const report = (geo: LatLng, into = store) =>
    into.add({ applicationId: service.sandbox.applicationId, accountId, geo, status: 'rainy' });
  return { ...service, store, tokenOf, userToken, call, report };
}

const turin = { lat: 45.07, lng: 7.69 };
const rainInTurin = { geo: turin, weather: { status: 'rainy' } };

test('a user reports rain, and it counts within 5 km for half an hour', async () => {
  const { call, userToken, store, clock } = await startReports();
  const answer = await call(userToken, { method: 'POST', body: rainInTurin });
  expect(answer.status).toBe(201);
  expect(await answer.json()).toMatchObject({
    timestamp: '2026-11-21T06:00:00',
    expires: '2026-11-21T06:30:00',
    geo: { type: 'Point', coordinates: [7.69, 45.07] },
    weather: { status: 'rainy' },
  });
  const statuses = async (place: { lat: number; lng: number }) =>
    (await store.reportsNear(place)).map((report) => report.status);
  // A second one of the same user about the same place takes the place of the first.
  await call(userToken, { method: 'POST', body: { ...rainInTurin, weather: { status: 'sunny' } } });
  expect(await statuses(turin)).toEqual(['sunny']);
  await call(userToken, { method: 'POST', body: rainInTurin });
  expect(await statuses({ lat: 45.11, lng: 7.69 })).toEqual(['rainy']);
  expect(await statuses({ lat: 45.12, lng: 7.69 })).toEqual([]);
  clock.advance(30 * 60 - 1);
  expect(await statuses(turin)).toEqual(['rainy']);
  clock.advance(1);
  expect(await statuses(turin)).toEqual([]);
});

test('a report is compared only with those nearby, however many the user made elsewhere', async () => {
  const { db, clock, report } = await startReports();
  let rows = 0;
  const store = createMetagStore({
    clock,
    db: db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => ((rows += result.rows.length), result),
    }),
  });
  for (let index = 0; index < 50; index += 1) await report({ lat: 45, lng: index });
  await report({ lat: 45, lng: 3.01 }, store);
  expect(rows).toBe(1);
  rows = 0;
  await store.reportsNear({ lat: 45, lng: 3 });
  expect(rows).toBe(1);
});

test('reports count across the antimeridian and around the poles', async () => {
  const { store, report } = await startReports();
  const places = [
    { lat: 0, lng: 179.99 },
    { lat: 89.99, lng: 0 },
    { lat: -89.99, lng: 120 },
    { lat: 89.9, lng: -60 },
  ];
  for (const geo of places) await report(geo);
  const near = async (lat: number, lng: number) =>
    (await store.reportsNear({ lat, lng })).map(({ latitude, longitude }) => [latitude, longitude]);
  expect(await near(0, -179.99)).toEqual([[0, 179.99]]);
  expect(await near(0, 179.96)).toEqual([[0, 179.99]]);
  expect(await near(90, 180)).toEqual([[89.99, 0]]);
  expect(await near(-90, 0)).toEqual([[-89.99, 120]]);
  // 89.9° is 11 km from the pole, so its circle of 5 km is 52° wide.
  expect(await near(89.9, -84)).toEqual([[89.9, -60]]);
  expect(await near(89.9, -90)).toEqual([]);
});

test('a rectangle lists what counts inside it, across the antimeridian too', async () => {
  const { call, userToken } = await startReports();
  await call(userToken, { method: 'POST', body: rainInTurin });
  await call(userToken, { method: 'POST', body: { ...rainInTurin, geo: { lat: -17, lng: 179.9 } } });
  const listed = async (rect: string) => {
    const { objects, meta } = (await (await call(userToken, { query: `?rect=${rect}` })).json()) as {
      objects: unknown[];
      meta: object;
    };
    expect(meta).toEqual({});
    return objects.length;
  };
  expect(await listed('45,7.5,45.2,7.8')).toBe(1);
  expect(await listed('-20,179,-10,-179')).toBe(1);
  expect(await listed('-90,-180,90,180')).toBe(2);
  for (const wrong of ['', '?rect=', '?rect=1,2,3', '?rect=50,7,45,8', '?rect=a,b,c,d', '?rect=1,2,3,4,5']) {
    expect((await call(userToken, { query: wrong })).status).toBe(400);
  }
});

test("only a user's token with the scope may report", async () => {
  const { call, tokenOf, sandbox } = await startReports();
  const { username, password } = sandbox;
  for (const form of [{ grant_type: 'client_credentials' }, { grant_type: 'password', username, password }]) {
    const answer = await call(await tokenOf(form), { method: 'POST', body: rainInTurin });
    expect(answer.status).toBe(403);
    expect(answer.headers.get('www-authenticate')).toContain('error="insufficient_scope"');
  }
  expect((await call('unknown', { method: 'POST', body: rainInTurin })).status).toBe(401);
});

test('a report that lacks something, or has what no report has, is refused with words', async () => {
  const { call, userToken } = await startReports();
  for (const body of [
    undefined,
    { weather: { status: 'rainy' } },
    { geo: { lat: 91, lng: 0 }, weather: { status: 'rainy' } },
    { geo: turin, weather: { status: 'frogs' } },
    { geo: turin, weather: { status: 'unknown' } },
    { ...rainInTurin, more: 1 },
    { geo: turin },
    { geo: turin, weather: { ...rainInTurin.weather, more: 1 } },
  ]) {
    const answer = await call(userToken, { method: 'POST', body });
    const { error_description } = (await answer.json()) as { error_description: string };
    expect([body, answer.status, error_description]).toEqual([
      body,
      400,
      expect.stringMatching(/^(?!.*(Invalid|Unrecog)).*\.$/),
    ]);
  }
});

test('a report takes a GeoJSON Point, and is read by its ID while it counts', async () => {
  const { call, userToken, clock } = await startReports();
  const geo = { type: 'Point', coordinates: [7.69, 45.07] };
  const posted = await call(userToken, { method: 'POST', body: { ...rainInTurin, geo } });
  expect(posted.status).toBe(201);
  const report = (await posted.json()) as { id: string; geo: unknown };
  expect(report.geo).toEqual(geo);
  const read = await call(userToken, { query: `${report.id}/` });
  expect([read.status, await read.json()]).toEqual([200, report]);
  expect((await call(userToken, { query: 'unknown/' })).status).toBe(404);
  for (const coordinates of [[7.69], [7.69, 95], ['7', '45']]) {
    const wrong = await call(userToken, {
      method: 'POST',
      body: { ...rainInTurin, geo: { type: 'Point', coordinates } },
    });
    expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('geo: must be')]);
  }
  clock.advance(30 * 60);
  expect((await call(userToken, { query: `${report.id}/` })).status).toBe(404);
});
