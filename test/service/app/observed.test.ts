// What a team sees of a service: request IDs, an access log, and metrics that an independent parser reads.
import { once } from 'node:events';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { ServiceAnnouncement } from '#contract/service-api/sandbox.ts';
import { freePorts } from '#test/setup/free-ports.ts';
import { fetchAccessToken, spawnService, startServiceProcess } from '#test/stories/service-process.ts';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { newDatabase } from '#test/service/engines.ts';
import { apiCaller, turin } from '#test/service/monitor-service.ts';
import { missingParser, scrape } from './open-metrics.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

const weather = `/v2/weather/?location_lat=${turin.lat}&location_lng=${turin.lng}`;

async function start(environment: Record<string, string>) {
  const location = await newDatabase('postgres', '');
  if (!('url' in location)) throw new Error('This test needs PostgreSQL.');
  const flags = ['--data', temporaryFolder(), '--database', location.url, '--provider', 'simulation'];
  const service = await startServiceProcess(flags, environment);
  onTestFinished(async () => void (await service.stop()));
  const token = await fetchAccessToken(service.introduction);
  return { service, token, call: apiCaller(service.introduction.baseUrl, token) };
}

describe('metrics', () => {
  beforeEach(({ skip }) => skip(missingParser !== undefined, missingParser));

  it('are OpenMetrics by the reference parser, and move with load', async () => {
    const [port = 0] = await freePorts(1);
    const { service, call } = await start({ RAINBELL_METRICS_ADDRESS: `127.0.0.1:${port}` });
    const endpoint = await startCallbackEndpoint();
    const scrapeNow = () => scrape(`http://127.0.0.1:${port}/metrics`);
    const requests = 'rainbell_http_request_duration_seconds_count';
    const attempts = 'rainbell_delivery_attempt_duration_seconds_count';
    const weatherRoute = { method: 'GET', route: '/v2/weather/', status: '2xx' };
    const before = await scrapeNow();
    expect(before('rainbell_build_info', { role: 'all' })).toBe(1);
    expect(before(requests, weatherRoute)).toBe(0);

    for (let count = 0; count < 20; count += 1) expect((await call('GET', weather)).status).toBe(200);
    await call('GET', '/v2/monitors/no-such-monitor/delivery/');
    await fetch(`${service.introduction.baseUrl}/`);
    const monitor = { monitor_type: 'precipitation', callback_uri: endpoint.url, geo: turin };
    await call('POST', '/v2/monitors/', monitor);
    await call('POST', '/sandbox/scenarios', { center: turin, minutes: 60 });
    await endpoint.waitFor(1);
    await expect.poll(async () => (await scrapeNow())(attempts, { outcome: 'delivered' })).toBe(1);
    const after = await scrapeNow();
    expect({
      weather: after(requests, weatherRoute),
      unknown: after(requests, { route: '/v2/monitors/:monitor_id/delivery/', status: '4xx' }),
      tokens: after(requests, { route: '/token/', status: '2xx' }),
      cells: after('rainbell_watched_cells'),
      waiting: after('rainbell_events_waiting'),
    }).toEqual({ weather: 20, unknown: 1, tokens: 1, cells: 1, waiting: 0 });
    expect(after('rainbell_weather_cache_hits_total')).toBeGreaterThan(before('rainbell_weather_cache_hits_total'));
    expect(after('rainbell_database_connections_open')).toBeGreaterThan(0);
    // The statements of the scrape itself are not counted.
    await expect.poll(async () => (await scrapeNow())('rainbell_database_requests_waiting')).toBe(0);
    expect(after('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
    // Not on the service's own port.
    expect((await fetch(`${service.introduction.baseUrl}/metrics`)).status).toBe(404);
  });
});

describe('a request', () => {
  it('has the same ID in its response, in the access log, and in what the log says of its failure', async () => {
    const { service, token, call } = await start({ RAINBELL_ACCESS_LOG: 'on' });
    const idOf = (response: { headers: Headers }) => response.headers.get('x-request-id') ?? '';
    const first = await call('GET', weather);
    // The second is answered from memory.
    const second = await call('GET', weather);
    const refused = await apiCaller(service.introduction.baseUrl, 'wrong')('GET', weather);
    const page = await fetch(`${service.introduction.baseUrl}/?secret=of-a-query`);
    const health = await fetch(`${service.introduction.baseUrl}/health/ready`);
    const spoofed = await call('GET', '/v2/monitors/', undefined, { 'x-request-id': 'chosen-by-client' });
    const ids = [first, second, refused, page, health, spoofed].map(idOf);
    expect(new Set(ids).size).toBe(6);
    expect(ids).not.toContain('chosen-by-client');
    expect(await service.stop()).toBe(0);
    const log = service
      .complaints()
      .split('\n')
      .filter((line) => line.startsWith('{'));
    const lines = log.map((line) => JSON.parse(line) as Record<string, unknown>);
    const of = (id: string | undefined) => lines.filter((line) => line['msg'] === 'request' && line['id'] === id);
    expect(ids.map((id) => of(id).map(({ method, route, status }) => [method, route, status]))).toEqual([
      [['GET', '/v2/weather/', 200]],
      [['GET', '/v2/weather/', 200]],
      [['GET', '/v2/weather/', 401]],
      [['GET', '/', 200]],
      [['GET', '/health/ready', 200]],
      [['GET', '/v2/monitors/', 200]],
    ]);
    expect(service.complaints()).not.toContain('of-a-query');
    expect(service.complaints()).not.toContain(token);
  });

  it('keeps the ID that a trusted proxy gave it', async () => {
    const child = spawnService(['--data', temporaryFolder()], { RAINBELL_TRUSTED_PROXIES: '127.0.0.1' });
    onTestFinished(async () => {
      child.kill();
      if (child.exitCode === null) await once(child, 'exit');
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const { baseUrl } = JSON.parse(line.toString()) as ServiceAnnouncement;
    const call = (id: string) => fetch(`${baseUrl}/v2/monitors/`, { headers: { 'x-request-id': id } });
    const given = await call('from.the-proxy_1');
    expect(given.headers.get('x-request-id')).toBe('from.the-proxy_1');
    const odd = await call('no spaces');
    expect(odd.headers.get('x-request-id')).toMatch(/^[0-9a-f]{12}-[0-9a-z]+$/);
  });
});
