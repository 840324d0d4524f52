// What a team sees of a service: request IDs, an access log, and metrics that an independent parser reads.
import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { introductionOf } from '#service/app/embedded-service.ts';
import type { Config } from '#service/config/config.ts';
import { freePorts } from '#test/setup/free-ports.ts';
import { fetchAccessToken } from '#test/stories/service-process.ts';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { newPostgres } from '#test/service/engines.ts';
import { apiCaller, turin } from '#test/service/monitor-service.ts';
import { startOwnService } from '#test/service/start-own-service.ts';
import { missingParser, scrape } from './open-metrics.ts';

const weather = `/v2/weather/?location_lat=${turin.lat}&location_lng=${turin.lng}`;

async function start(changes: Partial<Config>) {
  let text = '';
  const log = pino({}, { write: (line: string) => void (text += line) });
  const service = await startOwnService({ databaseUrl: await newPostgres(), ...changes }, { log });
  const introduction = introductionOf(service);
  const token = await fetchAccessToken(introduction);
  return { service, introduction, token, call: apiCaller(introduction.baseUrl, token), log: () => text };
}

describe('metrics', () => {
  beforeEach(({ skip }) => skip(missingParser !== undefined, missingParser));

  it('are OpenMetrics by the reference parser, and move with load', async () => {
    const [port = 0] = await freePorts(1);
    const { introduction, call } = await start({ metricsAddress: `127.0.0.1:${port}` });
    const endpoint = await startCallbackEndpoint();
    const scrapeNow = () => scrape(`http://127.0.0.1:${port}/metrics`);
    const requests = 'rainbell_http_request_duration_seconds_count';
    const attempts = 'rainbell_delivery_attempt_duration_seconds_count';
    const weatherRoute = { method: 'GET', route: '/v2/weather/', status: '2xx' };
    const before = await scrapeNow();
    expect(before('rainbell_build_info', { role: 'all' })).toBe(1);
    expect(before(requests, weatherRoute)).toBe(0);

    for (let count = 0; count < 20; count += 1) expect((await call('GET', weather)).status).toBe(200);
    await call('GET', '/v2/monitors/no-such-monitor/');
    await fetch(`${introduction.baseUrl}/`);
    const monitor = { monitor_type: 'precipitation', callback_uri: endpoint.url, geo: turin };
    await call('POST', '/v2/monitors/', monitor);
    await call('POST', '/sandbox/scenarios', { center: turin, minutes: 60 });
    await endpoint.waitFor(1);
    await expect.poll(async () => (await scrapeNow())(attempts, { outcome: 'delivered' })).toBe(1);
    // The attempt is counted when it ends, and the event waits until that is stored.
    await expect.poll(async () => (await scrapeNow())('rainbell_events_waiting')).toBe(0);
    const after = await scrapeNow();
    expect({
      weather: after(requests, weatherRoute),
      unknown: after(requests, { route: '/v2/monitors/:monitor_id/', status: '4xx' }),
      tokens: after(requests, { route: '/token/', status: '2xx' }),
      cells: after('rainbell_watched_cells'),
    }).toEqual({ weather: 20, unknown: 1, tokens: 1, cells: 1 });
    expect(after('rainbell_weather_cache_hits_total')).toBeGreaterThan(before('rainbell_weather_cache_hits_total'));
    expect(after('rainbell_database_connections_open')).toBeGreaterThan(0);
    // The statements of the scrape itself are not counted.
    await expect.poll(async () => (await scrapeNow())('rainbell_database_requests_waiting')).toBe(0);
    await expect.poll(async () => (await scrapeNow())('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
    // Not on the service's own port.
    expect((await fetch(`${introduction.baseUrl}/metrics`)).status).toBe(404);
  });
});

describe('a request', () => {
  it('has the same ID in its response, in the access log, and in what the log says of its failure', async () => {
    const { service, introduction, token, call, log } = await start({ accessLog: 'on' });
    const idOf = (response: { headers: Headers }) => response.headers.get('x-request-id') ?? '';
    const first = await call('GET', weather);
    // The second is answered from memory.
    const second = await call('GET', weather);
    const refused = await apiCaller(introduction.baseUrl, 'wrong')('GET', weather);
    const page = await fetch(`${introduction.baseUrl}/?secret=of-a-query`);
    const health = await fetch(`${introduction.baseUrl}/health/ready`);
    const spoofed = await call('GET', '/v2/monitors/', undefined, { 'x-request-id': 'chosen-by-client' });
    const ids = [first, second, refused, page, health, spoofed].map(idOf);
    expect(new Set(ids).size).toBe(6);
    expect(ids).not.toContain('chosen-by-client');
    await service.close();
    const lines = log()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const of = (id: string | undefined) => lines.filter((line) => line['msg'] === 'request' && line['id'] === id);
    expect(ids.map((id) => of(id).map(({ method, route, status }) => [method, route, status]))).toEqual([
      [['GET', '/v2/weather/', 200]],
      [['GET', '/v2/weather/', 200]],
      [['GET', '/v2/weather/', 401]],
      [['GET', '/', 200]],
      [['GET', '/health/ready', 200]],
      [['GET', '/v2/monitors/', 200]],
    ]);
    expect(log()).not.toContain('of-a-query');
    expect(log()).not.toContain(token);
  });

  it('keeps the ID that a trusted proxy gave it', async () => {
    const service = await startOwnService({ trustedProxies: ['127.0.0.1'] });
    const { baseUrl } = service.announcement;
    const call = (id: string) => fetch(`${baseUrl}/v2/monitors/`, { headers: { 'x-request-id': id } });
    const given = await call('from.the-proxy_1');
    expect(given.headers.get('x-request-id')).toBe('from.the-proxy_1');
    const odd = await call('no spaces');
    expect(odd.headers.get('x-request-id')).toMatch(/^[0-9a-f]{12}-[0-9a-z]+$/);
  });
});
