// The monitors API as a client sees it (docs/interface.md §2.2, §3.2, §4.5, §5.7). What each wrong body gets: monitor-body.test.ts.
import fc from 'fast-check';
import '#test/property-seed.ts';
import { describe, expect, it } from 'vitest';
import { createMonitorStore } from '#service/monitors/monitor-store.ts';
import { engines } from '#test/service/engines.ts';
import { apiCaller, fetchToken, startMonitorService, turin } from '#test/service/monitor-service.ts';

const callback = 'http://127.0.0.1:9/rain';
const body = { monitor_type: 'precipitation', callback_uri: callback, geo: turin };

type Shown = { id: string; uri: string; geo: { type: string; coordinates: [number, number] }; callback_uri: string };

describe.each(engines)('on %s', (engine) => {
  it('a client creates, reads, lists, replaces, changes and deletes a monitor, and asks whether it changed', async () => {
    const { call } = await startMonitorService({ engine });
    const created = await call('POST', '/v2/monitors/', body);
    expect(created.status).toBe(201);
    const monitor = created.json as Shown;
    expect(monitor).toEqual({
      uri: `/v2/monitors/${monitor.id}/`,
      geo: { type: 'Point', coordinates: [turin.lng, turin.lat] },
      id: monitor.id,
      callback_uri: callback,
      monitor_type: 'precipitation',
    });
    expect(monitor.id).toMatch(/^precipitation_\d+$/);
    expect(created.headers.get('location')).toBe(monitor.uri);
    expect(created.headers.get('content-type')).toBe('application/json; charset=utf-8');

    const list = await call('GET', '/v2/monitors/');
    expect(list.text).toBe(`{"objects":[${created.text}],"meta":{}}`);
    const one = await call('GET', monitor.uri);
    expect([one.status, one.text]).toEqual([200, created.text]);
    for (const [path, { headers }] of [
      [monitor.uri, one],
      ['/v2/monitors/', list],
    ] as const) {
      const etag = headers.get('etag') ?? '';
      expect([etag, headers.get('cache-control')]).toEqual([
        expect.stringMatching(/^"[\w-]{22}"$/),
        'private, no-cache',
      ]);
      const again = (tag: string) => call('GET', path, undefined, { 'if-none-match': tag });
      expect(await again(etag)).toMatchObject({ status: 304, text: '' });
      expect((await again('"other"')).status).toBe(200);
    }

    const replaced = await call('PUT', monitor.uri, { ...body, geo: { lat: -90, lng: 180 } });
    expect(replaced).toMatchObject({
      status: 200,
      json: { id: monitor.id, geo: { type: 'Point', coordinates: [180, -90] } },
    });
    const changed = await call('PATCH', monitor.uri, { callback_uri: `${callback}/2` });
    expect(changed).toMatchObject({ status: 202, text: '' });
    expect(changed.headers.get('content-type')).toMatch(/^text\/html/);
    const etag = one.headers.get('etag') ?? '';
    expect(await call('GET', monitor.uri, undefined, { 'if-none-match': etag })).toMatchObject({
      status: 200,
      json: { callback_uri: `${callback}/2`, geo: { coordinates: [180, -90] } },
    });

    const deleted = await call('DELETE', monitor.uri);
    expect(deleted).toMatchObject({ status: 204, text: '' });
    expect(deleted.headers.get('content-length')).toBe('0');
    expect((await call('GET', monitor.uri)).status).toBe(404);
    expect((await call('DELETE', monitor.uri)).status).toBe(404);
    expect((await call('GET', '/v2/monitors/')).json).toEqual({ objects: [], meta: {} });
  });

  it('the list is from memory while no process changes a monitor', async () => {
    const { call, db, sandbox, clock } = await startMonitorService({ engine });
    const { json } = await call('POST', '/v2/monitors/', body);
    const { id } = json as Shown;
    const first = await call('GET', '/v2/monitors/');
    // No process changes a row like this, so only a read of the table would show it.
    await db.updateTable('monitors').set({ monitor_type: 'unread' }).where('id', '=', id).execute();
    expect((await call('GET', '/v2/monitors/')).text).toBe(first.text);
    await db.updateTable('monitors').set({ monitor_type: 'precipitation' }).where('id', '=', id).execute();
    // As another process does.
    const store = createMonitorStore({ db, clock, cellOf: () => 'cell' });
    const application = sandbox.applicationId;
    const uris = async () =>
      ((await call('GET', '/v2/monitors/')).json as { objects: Shown[] }).objects.map(
        ({ callback_uri }) => callback_uri,
      );
    const other = 'http://127.0.0.1:9/other';
    await store.change(application, id, { callback_uri: other });
    expect(await uris()).toEqual([other]);
    await store.create(application, { monitor_type: 'precipitation', callback_uri: callback, geo: turin }, 9);
    expect(await uris()).toEqual([other, callback]);
    await store.remove(application, id);
    expect(await uris()).toEqual([callback]);
  });

  it('two simultaneous edits of different fields lose nothing', async () => {
    const { call, addMonitor } = await startMonitorService({ engine });
    const id = await addMonitor(callback);
    for (let round = 1; round <= 5; round += 1) {
      await Promise.all([
        call('PATCH', `/v2/monitors/${id}/`, { callback_uri: `${callback}/${round}` }),
        call('PATCH', `/v2/monitors/${id}/`, { geo: { lat: round, lng: -round } }),
      ]);
      expect((await call('GET', `/v2/monitors/${id}/`)).json).toMatchObject({
        callback_uri: `${callback}/${round}`,
        geo: { coordinates: [-round, round] },
      });
    }
  });

  it('the limit is exact, even for many simultaneous requests', async () => {
    const { call } = await startMonitorService({ engine, limit: 3 });
    const answers = await Promise.all(Array.from({ length: 8 }, () => call('POST', '/v2/monitors/', body)));
    const countOf = (code: number) => answers.filter(({ status }) => status === code).length;
    expect([countOf(201), countOf(403)]).toEqual([3, 5]);
  });
});

describe('a client of the monitors API', () => {
  it('may leave out the slash at the end, and send a content type with DELETE', async () => {
    const { call, addMonitor } = await startMonitorService();
    const id = await addMonitor(callback);
    expect((await call('GET', '/v2/monitors')).status).toBe(200);
    expect((await call('POST', '/v2/monitors', body)).status).toBe(201);
    expect((await call('PATCH', `/v2/monitors/${id}`, { geo: turin })).status).toBe(202);
    const type = { 'content-type': 'application/json' };
    expect((await call('DELETE', `/v2/monitors/${id}`, undefined, type)).status).toBe(204);
  });

  it('may send back what it read, but not as another monitor, and gets a new one by POST', async () => {
    const { call, addMonitor } = await startMonitorService();
    const id = await addMonitor(callback);
    const read = (await call('GET', `/v2/monitors/${id}/`)).json as Shown;
    expect(await call('PUT', `/v2/monitors/${id}/`, read)).toMatchObject({ status: 200, json: read });
    for (const [name, value] of [
      ['id', 'precipitation_999'],
      ['uri', '/v2/monitors/precipitation_999/'],
    ] as const) {
      expect(await call('PUT', `/v2/monitors/${id}/`, { ...read, [name]: value })).toMatchObject({
        status: 400,
        json: { error: 'invalid_request', error_description: `${name} cannot be changed; omit it.` },
      });
    }
    expect((await call('POST', '/v2/monitors/', { ...read, id: 7 })).status).toBe(400);
    const copy = await call('POST', '/v2/monitors/', read);
    expect(copy.status).toBe(201);
    expect((copy.json as Shown).id).not.toBe(id);
  });

  it('gets every coordinate back as it sent it', async () => {
    const { call } = await startMonitorService();
    const degrees = (limit: number) =>
      fc.oneof(
        fc.constantFrom(0, -0, limit, -limit),
        fc.integer({ min: -limit * 1e7, max: limit * 1e7 }).map((steps) => steps / 1e7),
        fc.double({ min: -limit, max: limit, noNaN: true }),
      );
    const text = (value: number) => (Object.is(value, -0) ? '-0' : String(value));
    await fc.assert(
      fc.asyncProperty(degrees(90), degrees(180), async (lat, lng) => {
        const sent = `{"monitor_type":"precipitation","callback_uri":"${callback}","geo":{"lat":${text(lat)},"lng":${text(lng)}}}`;
        const { id, geo } = (await call('POST', '/v2/monitors/', sent)).json as Shown;
        expect(geo.coordinates).toEqual([lng, lat]);
        expect(((await call('GET', `/v2/monitors/${id}/`)).json as Shown).geo.coordinates).toEqual([lng, lat]);
      }),
      { numRuns: 60 },
    );
  });

  it('reads what was wrong with its body, and nothing changes', async () => {
    const { call, addMonitor } = await startMonitorService();
    const id = await addMonitor(callback);
    const wide = Object.fromEntries(Array.from({ length: 6_000 }, (_, index) => [`f${index}`, 1]));
    for (const [sent, words] of [
      [{ ...body, geo: { lat: '45', lng: 7 } }, 'geo.lat must be a number'],
      [{ ...body, ...wide }, 'The body has too many members.'],
      [{ ...body, geo: wide }, 'The body has too many members.'],
      [[body], 'The body must be a JSON object'],
      ['{"monitor_type":', 'The body is not valid JSON'],
      ['{"__proto__":{"x":1}}', 'The body is not valid JSON'],
      ['', 'The body must be a JSON object'],
    ] as const) {
      for (const [method, path] of [
        ['POST', '/v2/monitors/'],
        ['PUT', `/v2/monitors/${id}/`],
        ['PATCH', `/v2/monitors/${id}/`],
      ] as const) {
        const { status, json } = await call(method, path, sent);
        const refusal = { error: 'invalid_request', error_description: expect.stringContaining(words) };
        expect([method, words, status, json]).toEqual([method, words, 400, refusal]);
      }
    }
    expect((await call('PATCH', `/v2/monitors/${id}/`, {})).status).toBe(202);
    const { objects } = (await call('GET', '/v2/monitors/')).json as { objects: Shown[] };
    expect(objects).toMatchObject([{ id, callback_uri: callback, geo: { coordinates: [turin.lng, turin.lat] } }]);
  });
});

describe('access to monitors', () => {
  it('needs a token of the client credentials grant, and says so', async () => {
    const { baseUrl, addMonitor, sandbox } = await startMonitorService();
    const uri = `/v2/monitors/${await addMonitor(callback)}/`;
    const { username, password } = sandbox;
    const form = new URLSearchParams({ grant_type: 'password', username, password, scope: 'post_metag' });
    const ofUser = apiCaller(baseUrl, await fetchToken(baseUrl, sandbox, form.toString()));
    for (const [method, path] of [
      ['GET', '/v2/monitors/'],
      ['POST', '/v2/monitors/'],
      ['GET', uri],
      ['PUT', uri],
      ['PATCH', uri],
      ['DELETE', uri],
    ] as const) {
      for (const token of [undefined, 'nonsense'])
        expect([method, (await apiCaller(baseUrl, token)(method, path)).status]).toEqual([method, 401]);
      const { status, json, headers } = await ofUser(method, path, method === 'POST' ? body : undefined);
      const refusal = { error: 'insufficient_scope', error_description: expect.stringContaining('client credentials') };
      expect([method, status, json]).toEqual([method, 403, refusal]);
      expect(headers.get('www-authenticate')).toContain('insufficient_scope');
    }
  });

  it('ends at the application: a foreign monitor is not there, whatever is sent', async () => {
    const { db, call, addMonitor } = await startMonitorService();
    const uri = `/v2/monitors/${await addMonitor(callback)}/`;
    await db.updateTable('monitors').set({ application_id: 'another' }).execute();
    const missing = {
      error: 'not_found',
      error_description: 'This application has no monitor with that ID. GET /v2/monitors/ lists the ones it has.',
    };
    for (const [method, sent] of [
      ['GET', undefined],
      ['DELETE', undefined],
      ['PUT', body],
      ['PATCH', { geo: turin }],
      ['PATCH', { wrong: 1 }],
    ] as const) {
      const { status, json } = await call(method, uri, sent);
      expect([method, status, json]).toEqual([method, 404, missing]);
    }
    expect((await call('GET', '/v2/monitors/')).json).toEqual({ objects: [], meta: {} });
  });
});
