// The monitors API as a client sees it (docs/interface.md §2.2, §3.2, §4.5, §5.7).
import fc from 'fast-check';
import '#test/property-seed.ts';
import { describe, expect, it } from 'vitest';
import { createMonitorStore } from '#service/monitors/monitor-store.ts';
import { apiCaller, fetchToken, startMonitorService, turin } from '#test/service/monitor-service.ts';
import { engines } from '#test/service/engines.ts';

const callback = 'http://127.0.0.1:9/rain';
const body = { monitor_type: 'precipitation', callback_uri: callback, geo: turin };

type Shown = { id: string; uri: string; geo: { type: string; coordinates: [number, number] }; callback_uri: string };
type Refusal = { error: string; error_description: string };

describe.each(engines)('on %s', (engine) => {
  const launch = (options: Parameters<typeof startMonitorService>[0] = {}) =>
    startMonitorService({ engine, ...options });

  describe('a client of the monitors API', () => {
    it('creates, reads, lists, replaces, changes and deletes a monitor', async () => {
      const { call } = await launch();
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

      expect((await call('GET', '/v2/monitors/')).json).toEqual({ objects: [monitor], meta: {} });
      expect(await call('GET', monitor.uri)).toMatchObject({ status: 200, json: monitor });

      const replaced = await call('PUT', monitor.uri, { ...body, geo: { lat: -90, lng: 180 } });
      expect(replaced).toMatchObject({
        status: 200,
        json: { id: monitor.id, geo: { type: 'Point', coordinates: [180, -90] } },
      });

      const changed = await call('PATCH', monitor.uri, { callback_uri: `${callback}/2` });
      expect(changed).toMatchObject({ status: 202, text: '' });
      expect(changed.headers.get('content-type')).toMatch(/^text\/html/);
      expect((await call('GET', monitor.uri)).json).toMatchObject({
        callback_uri: `${callback}/2`,
        geo: { coordinates: [180, -90] },
      });

      const deleted = await call('DELETE', monitor.uri);
      expect(deleted).toMatchObject({ status: 204, text: '' });
      expect(deleted.headers.get('content-length')).toBe('0');
      expect((await call('GET', monitor.uri)).status).toBe(404);
      expect((await call('DELETE', monitor.uri)).status).toBe(404);
      expect((await call('GET', '/v2/monitors/')).json).toEqual({ objects: [], meta: {} });
    });

    it('gets its list from memory while no process changes a monitor', async () => {
      const { call, db, sandbox, clock } = await launch();
      const { json } = await call('POST', '/v2/monitors/', body);
      const { id } = json as Shown;
      const first = await call('GET', '/v2/monitors/');
      const etag = first.headers.get('etag') ?? '';
      expect((await call('GET', '/v2/monitors/', undefined, { 'if-none-match': etag })).status).toBe(304);
      // No process changes a row like this, so only a read of the table would show it.
      await db.updateTable('monitors').set({ monitor_type: 'unread' }).where('id', '=', id).execute();
      const again = await call('GET', '/v2/monitors/');
      expect([again.text, again.headers.get('etag')]).toEqual([first.text, etag]);
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

    it('gets one sentence for thousands of unknown fields', async () => {
      const { call } = await launch();
      const wide = Object.fromEntries(Array.from({ length: 6_000 }, (_, index) => [`f${index}`, 1]));
      for (const sent of [
        { ...body, ...wide },
        { ...body, geo: wide },
      ]) {
        const { status, json } = await call('POST', '/v2/monitors/', sent);
        expect([status, json]).toEqual([
          400,
          { error: 'invalid_request', error_description: 'The body has too many members.' },
        ]);
      }
    });

    it('may leave out the slash at the end, and send a content type with DELETE', async () => {
      const { call, addMonitor } = await launch();
      const id = await addMonitor(callback);
      expect((await call('GET', '/v2/monitors')).status).toBe(200);
      expect((await call('POST', '/v2/monitors', body)).status).toBe(201);
      expect((await call('PATCH', `/v2/monitors/${id}`, { geo: turin })).status).toBe(202);
      expect(
        (await call('DELETE', `/v2/monitors/${id}`, undefined, { 'content-type': 'application/json' })).status,
      ).toBe(204);
    });

    it('may send back what it read', async () => {
      const { call, addMonitor } = await launch();
      const id = await addMonitor(callback);
      const read = (await call('GET', `/v2/monitors/${id}/`)).json as Shown;
      expect(await call('PUT', `/v2/monitors/${id}/`, read)).toMatchObject({ status: 200, json: read });
      const other = await call('PUT', `/v2/monitors/${id}/`, { ...read, id: 'precipitation_999' });
      expect(other).toMatchObject({ status: 400, json: { error: 'invalid_request' } });
      expect((other.json as Refusal).error_description).toContain('id');
    });

    it('gets every coordinate back as it sent it', async () => {
      const { call } = await launch();
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

    it('loses nothing in two simultaneous edits of different fields', async () => {
      const { call, addMonitor } = await launch();
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

    it('never gets an id twice', async () => {
      const { call, addMonitor } = await launch();
      const ids = new Set<string>();
      for (let count = 0; count < 5; count += 1) {
        const id = await addMonitor(callback);
        ids.add(id);
        await call('DELETE', `/v2/monitors/${id}/`);
      }
      expect(ids.size).toBe(5);
    });
  });

  describe('a client that sends something wrong', () => {
    const refused: [string, unknown, string][] = [
      ['no monitor_type', { ...body, monitor_type: undefined }, 'monitor_type is missing'],
      ['an unknown monitor_type', { ...body, monitor_type: 'wind' }, 'monitor_type must be precipitation'],
      ['no callback_uri', { ...body, callback_uri: undefined }, 'callback_uri is missing'],
      ['a number as callback_uri', { ...body, callback_uri: 7 }, 'callback_uri must be a string'],
      ['a relative callback_uri', { ...body, callback_uri: '/rain' }, 'callback_uri must be a full URL'],
      [
        'a callback_uri of another kind',
        { ...body, callback_uri: 'ftp://example.com/' },
        'callback_uri must start with http',
      ],
      [
        'a script as callback_uri',
        { ...body, callback_uri: 'javascript:alert(1)' },
        'callback_uri must start with http',
      ],
      [
        'a callback_uri without slashes',
        { ...body, callback_uri: 'http:example.com' },
        'callback_uri must be a full URL',
      ],
      [
        'a callback_uri with a fragment',
        { ...body, callback_uri: 'http://example.com/#x' },
        'callback_uri must not have a fragment',
      ],
      [
        'a callback_uri with an empty fragment',
        { ...body, callback_uri: 'http://example.com/#' },
        'callback_uri must not have a fragment',
      ],
      [
        'a callback_uri of 2049 characters',
        { ...body, callback_uri: `http://example.com/${'a'.repeat(2030)}` },
        'callback_uri must be at most 2048',
      ],
      ['no geo', { ...body, geo: undefined }, 'geo is missing'],
      ['null as geo', { ...body, geo: null }, 'geo must be an object like'],
      ['a text as geo', { ...body, geo: '45,7' }, 'geo must be an object like'],
      ['no lng', { ...body, geo: { lat: 1 } }, 'geo.lng is missing'],
      ['a text as lat', { ...body, geo: { lat: '45', lng: 7 } }, 'geo.lat must be a number'],
      ['a lat beyond the pole', { ...body, geo: { lat: 90.0000001, lng: 7 } }, 'geo.lat'],
      ['a lng beyond the date line', { ...body, geo: { lat: 1, lng: -180.5 } }, 'geo.lng'],
      ['an unknown field', { ...body, radius: 5 }, 'Unknown field: radius.'],
      ['an unknown field of geo', { ...body, geo: { ...turin, alt: 1 } }, 'Unknown field: geo.alt.'],
      [
        'GeoJSON of another type',
        { ...body, geo: { type: 'LineString', coordinates: [1, 2] } },
        'geo.type must be Point',
      ],
      ['GeoJSON with one number', { ...body, geo: { type: 'Point', coordinates: [1] } }, 'geo.coordinates'],
      ['GeoJSON the wrong way round', { ...body, geo: { type: 'Point', coordinates: [45, 170] } }, 'geo.coordinates.1'],
      ['a list', [body], 'The body must be a JSON object'],
      ['a text', '"hello"', 'The body must be a JSON object'],
      ['half a body', '{"monitor_type":', 'The body is not valid JSON'],
      ['a prototype', '{"__proto__":{"x":1}}', 'The body is not valid JSON'],
      ['nothing', '', 'The body must be a JSON object'],
    ];

    it.each(refused)('reads what was wrong with %s, in POST and in PUT', async (_name, sent, words) => {
      const { call, addMonitor } = await launch();
      const id = await addMonitor(callback);
      for (const [method, path] of [
        ['POST', '/v2/monitors/'],
        ['PUT', `/v2/monitors/${id}/`],
      ] as const) {
        const { status, json } = await call(method, path, sent);
        expect([method, status, json]).toMatchObject([method, 400, { error: 'invalid_request' }]);
        expect((json as Refusal).error_description).toContain(words);
      }
      expect(((await call('GET', '/v2/monitors/')).json as { objects: unknown[] }).objects).toHaveLength(1);
    });

    it('may leave out in PATCH what POST needs, but not send it wrong', async () => {
      const { call, addMonitor } = await launch();
      const path = `/v2/monitors/${await addMonitor(callback)}/`;
      for (const [, sent, words] of refused.filter(([, given]) => typeof given === 'object' && !Array.isArray(given))) {
        const { status, text } = await call('PATCH', path, sent);
        const isOnlyMissing = /^(monitor_type|callback_uri|geo) is missing/.test(words);
        expect([words, status, text]).toEqual([
          words,
          isOnlyMissing ? 202 : 400,
          expect.stringContaining(isOnlyMissing ? '' : words),
        ]);
      }
    });

    it('gets an error for a wrong content type, a body that is too large and a wrong method', async () => {
      const { call } = await launch();
      expect((await call('POST', '/v2/monitors/', 'a=b', { 'content-type': 'text/plain' })).status).toBe(415);
      expect(
        (await call('POST', '/v2/monitors/', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' })).status,
      ).toBe(415);
      expect((await call('POST', '/v2/monitors/', { ...body, geo: 'x'.repeat(70_000) })).status).toBe(413);
      const wrong = await call('DELETE', '/v2/monitors/');
      expect(wrong.status).toBe(405);
      expect(wrong.headers.get('allow')).toContain('POST');
      expect((await call('GET', '/v2/nothing/')).json).toMatchObject({ error: 'not_found' });
    });
  });

  describe('access to monitors', () => {
    it('needs a token', async () => {
      const { baseUrl, addMonitor } = await launch();
      const id = await addMonitor(callback);
      const anonymous = apiCaller(baseUrl, undefined);
      const foreign = apiCaller(baseUrl, 'nonsense');
      for (const [method, path] of [
        ['GET', '/v2/monitors/'],
        ['POST', '/v2/monitors/'],
        ['PUT', `/v2/monitors/${id}/`],
        ['PATCH', `/v2/monitors/${id}/`],
        ['DELETE', `/v2/monitors/${id}/`],
      ] as const) {
        expect([method, (await anonymous(method, path)).status]).toEqual([method, 401]);
        expect([method, (await foreign(method, path)).status]).toEqual([method, 401]);
      }
    });

    it('needs a token of the client credentials grant, and says so', async () => {
      const { baseUrl, sandbox } = await launch();
      const form = new URLSearchParams({
        grant_type: 'password',
        username: sandbox.username,
        password: sandbox.password,
        scope: 'post_metag',
      });
      const call = apiCaller(baseUrl, await fetchToken(baseUrl, sandbox, form.toString()));
      const { status, json, headers } = await call('POST', '/v2/monitors/', body);
      expect([status, json]).toMatchObject([403, { error: 'insufficient_scope' }]);
      expect((json as Refusal).error_description).toContain('client credentials');
      expect(headers.get('www-authenticate')).toContain('insufficient_scope');
    });

    it('ends at the application: a foreign monitor is not there', async () => {
      const { db, call, addMonitor } = await launch();
      const id = await addMonitor(callback);
      await db.updateTable('monitors').set({ application_id: 'another' }).where('id', '=', id).execute();
      for (const method of ['GET', 'DELETE'] as const)
        expect((await call(method, `/v2/monitors/${id}/`)).status).toBe(404);
      expect((await call('PUT', `/v2/monitors/${id}/`, body)).status).toBe(404);
      expect((await call('PATCH', `/v2/monitors/${id}/`, { geo: turin })).status).toBe(404);
      expect((await call('GET', '/v2/monitors/')).json).toEqual({ objects: [], meta: {} });
    });

    it('ends at the limit, exactly, even for many simultaneous requests', async () => {
      const { call } = await launch({ limit: 3 });
      const answers = await Promise.all(Array.from({ length: 8 }, () => call('POST', '/v2/monitors/', body)));
      const created = answers.filter((answer) => answer.status === 201);
      const limited = answers.filter((answer) => answer.status === 403);
      expect([created.length, limited.length]).toEqual([3, 5]);
      expect(limited[0]?.json).toMatchObject({
        error: 'limit_reached',
        error_description: expect.stringContaining('monitor limit (3)'),
      });
    });
  });
});
