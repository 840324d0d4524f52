// The procedures as a screen calls them, over a real WebSocket, with a real HTTP service behind.
import { describe, expect, test } from 'vitest';
import type { Notice } from '#contract/app-rpc/app.ts';
import { freePort } from '#test/setup/free-ports.ts';
import { settingsOf, startCore } from '../core-harness.ts';
import { createManualClock } from '../manual-clock.ts';
import { startFakeService, type FakeService } from '../fake-service.ts';

const torino = { lat: 45.0703, lng: 7.6869 };

const weather = {
  objects: [
    {
      timestamp: '2026-11-21T06:00:00',
      weather: { status: 'rainy' },
      geo: { type: 'Point', coordinates: [7.7, 45.1] },
      icon: 'http://127.0.0.1/v2/icons/rainy',
      sun_altitude: -1,
    },
  ],
  meta: {},
};

async function startWith(routes: FakeService['routes']) {
  const service = await startFakeService(routes);
  const core = await startCore({ sandbox: service.introduction });
  return { service, ...core };
}

describe('forecast.get', () => {
  test('returns the request, the response to the byte, and the parsed result; the token is masked', async () => {
    const { client, service } = await startWith({
      'GET /v2/weather/': () => ({ headers: { 'x-a': '1' }, body: weather }),
    });
    const forecast = await client.forecast.get(torino);
    expect(service.requestsTo('GET /v2/weather/')[0]?.url).toBe(
      '/v2/weather/?location_lat=45.0703&location_lng=7.6869',
    );
    expect(service.requestsTo('GET /v2/weather/')[0]?.headers.authorization).toBe('Bearer access-1');
    expect(forecast).toMatchObject({
      query: torino,
      timeZone: 'Europe/Rome',
      connectionName: 'Sandbox',
      response: { status: 200, bodyText: JSON.stringify(weather), sizeBytes: JSON.stringify(weather).length },
      problems: [],
    });
    expect(forecast.points).toMatchObject([{ status: 'rainy', isDay: false, problems: [] }]);
    expect(forecast.response.headers).toContainEqual(['x-a', '1']);
    expect(forecast.request.headers).toContainEqual(['authorization', 'Bearer ••••••••']);
    expect(JSON.stringify(forecast)).not.toContain('access-1');
  });

  test('writes coordinates as plain decimals', async () => {
    const { client, service } = await startWith({ 'GET /v2/weather/': () => ({ body: weather }) });
    await client.forecast.get({ lat: 1e-9, lng: -180 });
    await client.forecast.get({ lat: 0.0000001, lng: 100 });
    expect(service.requestsTo('GET /v2/weather/').map(({ url }) => new URL(url, service.baseUrl).search)).toEqual([
      '?location_lat=0.000000001&location_lng=-180',
      '?location_lat=0.0000001&location_lng=100',
    ]);
  });

  test('refuses coordinates off the globe before anything is sent, and names the field', async () => {
    const { client, service } = await startWith({});
    await expect(client.forecast.get({ lat: 91, lng: 0 })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      defined: true,
      data: { field: 'lat' },
      message: 'lat: must be a number between -90 and 90.',
    });
    expect(service.requestsTo('GET /v2/weather/')).toEqual([]);
  });
});

describe('the connection', () => {
  test('has a fresh token at hand after the machine slept, and screens look again', async () => {
    const clock = createManualClock();
    const service = await startFakeService();
    const { client, host, statusWhere } = await startCore({ sandbox: service.introduction, clock });
    await statusWhere(({ token }) => token.state === 'valid');
    const notices = await client.app.notices();
    // The last of those that tell the state at the start.
    for (let topic = ''; topic !== 'traffic';) ({ topic } = (await notices.next()).value as Notice);
    clock.advance(8 * 3_600_000);
    host.resume();
    expect((await notices.next()).value).toEqual({ topic: 'status' });
    await statusWhere(
      ({ token }) => token.state === 'valid' && token.expiresAt === new Date(clock.now() + 3_600_000).toISOString(),
    );
    expect(service.requestsTo('POST /token/')).toHaveLength(2);
  });

  test('with a wrong client secret says what to check, and a new token can be requested', async () => {
    const { client, service, statusWhere } = await startWith({
      'POST /token/': () => ({ status: 401, body: { error: 'invalid_client' } }),
    });
    const status = await statusWhere(({ token }) => token.state === 'failed');
    expect(status.token).toMatchObject({
      lastProblem: { code: 'INVALID_CLIENT', message: expect.stringContaining('client ID or client secret') },
    });
    await expect(client.forecast.get(torino)).rejects.toMatchObject({ code: 'INVALID_CLIENT' });
    service.routes['POST /token/'] = () => ({ body: { access_token: 'a', token_type: 'bearer', expires_in: 60 } });
    await client.session.refresh({ owner: 'application' });
    expect((await client.app.status()).token.state).toBe('valid');
  });
});

describe('settings', () => {
  test('are the defaults at first, change field by field, and reach other screens by a notice', async () => {
    const { client, host } = await startCore();
    const before = await settingsOf(client);
    expect(before.theme).toBe('system');
    await client.settings.update({ theme: 'dark' });
    expect(await settingsOf(client)).toEqual({ ...before, theme: 'dark' });
    expect(host.written).toMatchObject([{ ...before, theme: 'dark' }]);
    await expect(client.settings.update({ receiverPort: 80 })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      data: { field: 'receiverPort' },
      message: 'receiverPort: should be at least 1024.',
    });
  });

  test('remember the port to which the receiver was moved', async () => {
    const { client, host, statusWhere } = await startCore();
    await statusWhere((status) => status.receiver.state === 'listening');
    const port = await freePort();
    await client.app.moveReceiver({ port });
    expect(host.written.at(-1)?.receiverPort).toBe(port);
    expect((await client.app.status()).receiver.baseUrl).toBe(`http://127.0.0.1:${port}`);
  });
});
