// The sandbox controls (contract/service-api/sandbox.ts) of a whole service, with the simulated weather: "rain here", time travel, and
// who may use it.
import { join } from 'node:path';
import { pino } from 'pino';
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { sandboxStateSchema, type SandboxState } from '#contract/service-api/sandbox.ts';
import { rainEventSchema } from '#contract/service-api/rain-event.ts';
import { type Config, configWith, isLocalService } from '#service/config/config.ts';
import { introductionOf } from '#service/app/embedded-service.ts';
import { openOAuth } from '#test/service/oauth/oauth-service.ts';
import { registerApplication } from '#test/service/oauth/registered-application.ts';
import { freePorts } from '#test/setup/free-ports.ts';
import { startCallbackEndpoint } from '../callback-endpoint.ts';
import { apiCaller, fetchToken, turin } from '../monitor-service.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { startOwnService } from '#test/service/start-own-service.ts';

async function startService(changes: Partial<Config> = {}) {
  const introduction = introductionOf(await startOwnService(changes));
  const token = await fetchToken(introduction.baseUrl, introduction);
  return { introduction, call: apiCaller(introduction.baseUrl, token) };
}

const monitor = (callback_uri: string, geo = turin) => ({ monitor_type: 'precipitation', callback_uri, geo });
const state = (answer: { json: unknown }): SandboxState => sandboxStateSchema.parse(answer.json);

describe('a tester', () => {
  it('makes it rain, gets one callback, and after an hour of moved time the next', async () => {
    const [{ call }, endpoint] = [await startService(), await startCallbackEndpoint()];
    const created = await call('POST', '/v2/monitors/', monitor(endpoint.url));
    const { id } = created.json as { id: string };
    const rain = await call('POST', '/sandbox/scenarios', { center: turin, minutes: 180 });
    expect(state(rain).scenarios).toMatchObject([{ status: 'rainy', center: turin, radiusKm: 30 }]);
    const [first] = await endpoint.waitFor(1);
    expect(JSON.parse(first?.body ?? '')).toMatchObject({ id });

    await call('POST', '/sandbox/clock', { kind: 'advance', seconds: 3_000 });
    expect(endpoint.received).toHaveLength(1);
    const moved = state(await call('POST', '/sandbox/clock', { kind: 'advance', seconds: 600 }));
    expect(moved.clock.aheadSeconds).toBe(3_600);
    const [, second] = await endpoint.waitFor(2);
    expect(Number(second?.headers['webhook-timestamp'])).toBeGreaterThanOrEqual(
      Number(first?.headers['webhook-timestamp']) + 3_600,
    );
  });

  it('plays a whole episode from a series, while the clock moves through it', async () => {
    const [{ call }, endpoint] = [await startService({ provider: 'auto' }), await startCallbackEndpoint()];
    const events = ['precipitation.expected', 'precipitation.started', 'precipitation.ended'];
    await call('POST', '/v2/monitors/', { ...monitor(endpoint.url), payload: 'event', events });
    const csv = 'minute,mm_per_hour,kind,temperature_c\n0,0,,\n15,3,snow,-4.5\n35,0,,';
    const refused = await call('POST', '/sandbox/series', { center: turin, csv: `${csv}\n36,x,,` });
    expect(refused.json).toMatchObject({
      error_description: expect.stringContaining(
        'Line 5: mm_per_hour must be a number (0, or at least 0.1) from 0 to 300.',
      ) as string,
    });
    const placed = state(await call('POST', '/sandbox/series', { center: turin, csv }));
    expect(placed.scenarios).toMatchObject([{ status: 'snowy', center: turin, radiusKm: 30 }]);
    const series = placed.scenarios[0] ?? { startsAt: '', endsAt: '' };
    expect(Date.parse(series.endsAt) - Date.parse(series.startsAt)).toBe((35 + 720) * 60_000);
    await call('POST', '/sandbox/clock', { kind: 'advance', seconds: 20 * 60 });
    const { json } = await call('GET', `/v2/weather/?location_lat=${turin.lat}&location_lng=${turin.lng}`);
    expect(JSON.stringify(json)).toContain('"temperature":268.65');
    const until = new Date(Date.parse(series.startsAt) + 110 * 60_000).toISOString();
    await call('POST', '/sandbox/clock', { kind: 'set', instant: until });
    const bodies = (await endpoint.waitFor(3)).map(({ body }) => rainEventSchema.parse(JSON.parse(body)));
    expect(bodies.map(({ type }) => type)).toEqual(events);
    expect(bodies.map(({ data }) => data.precipitation_type)).toEqual(['snow', 'snow', 'snow']);
    expect(bodies[2]?.data).toMatchObject({ end_reason: 'dry' });
    // 3 mm/h for 20 minutes are 1 mm; the last look while it was wet may be 5 minutes before the end.
    const amount = bodies[2]?.data.precipitation_amount;
    expect(amount).toBeGreaterThanOrEqual(0.7);
    expect(amount).toBeLessThanOrEqual(1);
  });

  it('ends the rain, sets the clock and puts it back, and expires an access token by moving it', async () => {
    const { call } = await startService({ clockStart: '2026-03-01T12:00:00Z' });
    expect(state(await call('GET', '/sandbox/state')).clock.now).toMatch(/^2026-03-01T12:00:/);
    await call('POST', '/sandbox/scenarios', { center: turin, minutes: 20, status: 'snowy' });
    expect(state(await call('DELETE', '/sandbox/scenarios')).scenarios).toEqual([]);
    const set = state(await call('POST', '/sandbox/clock', { kind: 'set', instant: '2026-01-01T00:00:00Z' }));
    expect(set.clock.now.slice(0, 16)).toBe('2026-01-01T00:00');
    // Clients compare the weather with it.
    const weather = await call('GET', `/v2/weather/?lat=${turin.lat}&lng=${turin.lng}`);
    expect(weather.headers.get('date')).toMatch(/^Thu, 01 Jan 2026 00:0/);
    expect(state(await call('POST', '/sandbox/clock', { kind: 'reset' })).clock.aheadSeconds).toBe(0);
    await call('POST', '/sandbox/clock', { kind: 'advance', seconds: 3_601 });
    expect((await call('GET', '/sandbox/state')).status).toBe(401);
  });

  it('sets the authority that callbacks trust as one certificate in PEM, and gets the reason for a refusal', async () => {
    const { call } = await startService();
    expect((await call('PUT', '/sandbox/callback-authority', { pem: null })).status).toBe(204);
    const refused = await call('PUT', '/sandbox/callback-authority', { pem: 'no certificate' });
    expect(refused).toMatchObject({
      status: 400,
      json: { error_description: 'pem must be a certificate in PEM, or null.' },
    });
    for (const [method, path, body] of [
      ['PUT', '/sandbox/callback-authority', {}],
      ['POST', '/sandbox/provider', { choice: 'moon' }],
      ['POST', '/sandbox/scenarios', { center: { lat: 91, lng: 0 }, minutes: 5 }],
      ['POST', '/sandbox/scenarios', { center: turin }],
      ['POST', '/sandbox/scenarios', { center: turin, minutes: 5, status: 'fine' }],
      ['POST', '/sandbox/clock', { kind: 'advance', seconds: -5 }],
      ['POST', '/sandbox/clock', { kind: 'set', instant: 'noon' }],
      ['POST', '/sandbox/clock', {}],
    ] as const) {
      expect([path, (await call(method, path, body)).json]).toMatchObject([path, { error: 'invalid_request' }]);
    }
  });
});

describe('the sandbox controls', () => {
  it('answers neither web pages, nor other host names, nor forms, nor other tokens', async () => {
    const { introduction, call } = await startService();
    const { host } = new URL(introduction.baseUrl);
    expect((await call('GET', '/sandbox/state', undefined, { origin: introduction.baseUrl })).status).toBe(403);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await call('POST', '/sandbox/clock', 'kind=reset', form)).status).toBe(415);
    expect((await apiCaller(introduction.baseUrl, undefined)('GET', '/sandbox/state')).status).toBe(401);
    const headers = { host: host.replace('127.0.0.1', 'rebinding.example') };
    const rebound = await request(`${introduction.baseUrl}/sandbox/state`, { headers });
    await rebound.body.dump();
    expect(rebound.statusCode).toBe(421);
  });

  const proxied = { publicUrl: 'https://weather.example', trustedProxies: ['127.0.0.1'] };

  it.each<[boolean, Partial<Config>]>([
    [true, {}],
    [true, { publicUrl: 'http://localhost:8080' }],
    [false, { host: '0.0.0.0' }],
    [false, { publicUrl: proxied.publicUrl }],
    [false, { trustedProxies: proxied.trustedProxies }],
    [false, { ...proxied, host: 'localhost' }],
  ])('exist: %s, with the settings %o', (exist, changes) => {
    expect(isLocalService(configWith(changes))).toBe(exist);
  });

  it('and private callbacks do not exist behind a TLS proxy on the same machine', async () => {
    const [[port = 0], inside, dataFolder] = [await freePorts(1), await startCallbackEndpoint(), temporaryFolder()];
    let log = '';
    const parts = { log: pino({}, { write: (line: string) => void (log += line) }) };
    const service = await startOwnService({ ...proxied, dataFolder, port }, parts);
    const { clientId, clientSecret, username, password } = service.announcement;
    expect([clientId, clientSecret, username, password]).toEqual([null, null, null, null]);
    expect(log.match(/The service is public/g)).toHaveLength(1);
    const location = { file: join(dataFolder, 'service', 'service.sqlite') };
    const bot = await registerApplication(await openOAuth('sqlite', { location }));
    const baseUrl = `http://127.0.0.1:${port}`;
    const call = apiCaller(baseUrl, await fetchToken(baseUrl, bot));
    for (const url of [inside.url, 'http://localhost:9/', 'http://10.0.0.1/', 'http://192.168.1.1/']) {
      expect([url, (await call('POST', '/v2/monitors/', monitor(url))).status]).toEqual([url, 400]);
    }
    const { id } = (await call('POST', '/v2/monitors/', monitor('https://a.invalid/'))).json as { id: string };
    expect(id).toMatch(/^precipitation_/);
    const asIfLocal = { 'x-forwarded-host': 'localhost', forwarded: 'host=127.0.0.1', 'x-forwarded-for': '127.0.0.1' };
    for (const headers of [{}, asIfLocal]) {
      expect((await call('GET', '/sandbox/state', undefined, headers)).status).toBe(404);
      expect((await call('PATCH', `/v2/monitors/${id}/`, { callback_uri: inside.url }, headers)).status).toBe(400);
    }
    expect(inside.received).toEqual([]);
  });
});

describe('a page on another site', () => {
  it('may read the API with a token it holds, without cookies, and nothing else', async () => {
    const { introduction } = await startService();
    const sendRequest = (path: string, method = 'GET', headers: Record<string, string> = {}) =>
      fetch(introduction.baseUrl + path, { method, headers: { origin: 'https://app.example', ...headers } });
    for (const path of ['/v2/weather/', '/v2/weather', '/v2/monitors/', '/token/', '/token']) {
      const preflight = await sendRequest(path, 'OPTIONS', {
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      });
      expect([path, preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([path, 204, '*']);
      expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('authorization');
      expect(preflight.headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST, PUT, PATCH, DELETE');
      expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
      expect((await sendRequest(path)).headers.get('access-control-allow-origin')).toBe('*');
    }
    expect((await sendRequest('/sandbox/state')).headers.get('access-control-allow-origin')).toBeNull();
    expect((await sendRequest('/oauth/authorize/')).headers.get('access-control-allow-origin')).toBeNull();
  });
});
