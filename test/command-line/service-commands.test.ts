// `rainbell forecast` and `rainbell monitors` against services of every temper. rain.test.ts has their own sandbox.
import { describe, expect, test } from 'vitest';
import { startFakeService, type FakeService, type Route } from '#test/core/fake-service.ts';
import { runRainbell, startRainbell, type Ending } from './rainbell-process.ts';

const secret = 'tops3crettops3cret';

function flagsFor(service: Pick<FakeService, 'baseUrl'>): string[] {
  return ['--base-url', service.baseUrl, '--client-id', 'client1'];
}

/** With the secret in the environment; it must be in no output. */
async function runCommand(args: readonly string[], service: Pick<FakeService, 'baseUrl'>): Promise<Ending> {
  const ending = await runRainbell([...args, ...flagsFor(service)], {
    // A file read by the shell ends with a line feed.
    environment: { RAINBELL_CLIENT_SECRET: ` ${secret}\r\n` },
  });
  expect(ending.out + ending.words).not.toContain(secret);
  expect(ending.out + ending.words).not.toContain('access-1');
  return ending;
}

const monitor = (id: string, more: object = {}) => ({
  id,
  monitor_type: 'precipitation',
  geo: { type: 'Point', coordinates: [7.5, 45.25] },
  uri: `/v2/monitors/${id}/`,
  ...more,
});

describe('a service that is named by flags', () => {
  const list: Route = () => ({
    body: {
      objects: [monitor('precipitation_1', { callback_uri: 'https://example.com/a' }), monitor('precipitation_2')],
      meta: {},
    },
  });

  test('receives the credentials, and its monitors are printed as a table or JSON', async () => {
    const service = await startFakeService({ 'GET /v2/monitors/': list });
    const { code, out, words } = await runCommand(['monitors', 'list'], service);
    expect({ code, words }).toEqual({ code: 0, words: '' });
    expect(out.split('\n')).toEqual([
      'Monitor          Latitude  Longitude  Callback URL',
      'precipitation_1     45.25        7.5  https://example.com/a',
      'precipitation_2     45.25        7.5  –',
      '',
    ]);
    const [request] = service.requestsTo('POST /token/');
    expect(request?.headers.authorization).toBe(`Basic ${Buffer.from(`client1:${secret}`).toString('base64')}`);
    const { out: json } = await runCommand(['monitors', 'list', '--json'], service);
    expect(JSON.parse(json)).toEqual({
      monitors: [
        {
          id: 'precipitation_1',
          monitorType: 'precipitation',
          callbackUri: 'https://example.com/a',
          lat: 45.25,
          lng: 7.5,
          uri: '/v2/monitors/precipitation_1/',
        },
        expect.objectContaining({ id: 'precipitation_2', callbackUri: null }),
      ],
    });
  });

  test('gets the secret from stdin, too', async () => {
    const service = await startFakeService({ 'GET /v2/monitors/': list });
    const args = ['monitors', 'list', ...flagsFor(service), '--client-secret-stdin'];
    const { code } = await runRainbell(args, { input: `${secret}\n` });
    expect(code).toBe(0);
    const [request] = service.requestsTo('POST /token/');
    expect(request?.headers.authorization).toBe(`Basic ${Buffer.from(`client1:${secret}`).toString('base64')}`);
  });

  test('receives a monitor that follows the interface, and a negative latitude is not parsed as an option', async () => {
    const service = await startFakeService({
      'POST /v2/monitors/': ({ body }) => {
        const { callback_uri } = JSON.parse(body) as { callback_uri: string };
        return { status: 201, body: monitor('precipitation_3', { callback_uri }) };
      },
    });
    const args = ['monitors', 'create', '-33.9', '151.2', '--callback', 'https://example.com/hook', '--json'];
    const { code, out } = await runCommand(args, service);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ id: 'precipitation_3', callbackUri: 'https://example.com/hook' });
    const [request] = service.requestsTo('POST /v2/monitors/');
    expect(JSON.parse(request?.body ?? '')).toEqual({
      monitor_type: 'precipitation',
      callback_uri: 'https://example.com/hook',
      geo: { lat: -33.9, lng: 151.2 },
    });
  });

  const refusal = (status: number, error: string): Route => {
    // A 429 is repeated: soon, because the service says so.
    const headers = { 'retry-after': '0' };
    return () => ({ status, headers, body: { error, error_description: `The words for ${error}.` } });
  };

  test.each([
    ['refuses the secret', 'POST /token/', refusal(401, 'invalid_client'), 3],
    ['knows no such monitor', 'DELETE /v2/monitors/precipitation_9/', refusal(404, 'not_found'), 3],
    ['wants fewer requests', 'DELETE /v2/monitors/precipitation_9/', refusal(429, 'too_many_requests'), 3],
    ['has an error', 'DELETE /v2/monitors/precipitation_9/', refusal(500, 'server_error'), 4],
    ['answers something else than the interface', 'POST /token/', () => ({ body: 'hello' }), 4],
    ['breaks off', 'DELETE /v2/monitors/precipitation_9/', () => ({ hangUp: true }), 4],
  ] satisfies [string, string, Route, number][])('that %s ends in one sentence', async (_, key, route, expected) => {
    const service = await startFakeService({ [key]: route });
    const { code, out, words } = await runCommand(['monitors', 'delete', 'precipitation_9'], service);
    expect({ code, out }).toEqual({ code: expected, out: '' });
    expect(words.trim().split('\n')).toHaveLength(1);
  });

  test('prints the zone with each time if the clocks change, so that 02:30 comes once', async () => {
    const point = (timestamp: string) => ({
      timestamp,
      geo: { type: 'Point', coordinates: [7, 45] },
      weather: { status: 'sunny' },
      sources: ['a'],
    });
    const service = await startFakeService({
      'GET /v2/weather/': () => ({
        body: { objects: ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'].map(point), meta: {} },
      }),
    });
    const { out } = await runCommand(['forecast', '45', '7'], service);
    expect(out).toMatch(/25 Oct, 02:30 CEST[^]*25 Oct, 02:30 CET/);
  });

  test('prints its forecast in the units of the head', async () => {
    const point = {
      timestamp: '2026-11-21T06:00:00Z',
      geo: { type: 'Point', coordinates: [7, 45] },
      weather: { status: 'snowy', measured: { temperature: 271.65, rainfall: 0.4, snowfall: 7.7, wind_speed: 3 } },
      sun_altitude: -1.5,
      sources: ['fake'],
    };
    const service = await startFakeService({ 'GET /v2/weather/': () => ({ body: { objects: [point], meta: {} } }) });
    const { code, out } = await runCommand(['forecast', '45', '7'], service);
    expect(code).toBe(0);
    const [place, head] = out.split('\n');
    expect(place).toMatch(/^45, 7 {2}times in Europe\/Rome$/);
    expect(head).toMatch(/^Time +Weather +°C +mm\/h +Wind m\/s +Sun °$/);
    // 7.7 mm of snow are 1.1 mm of water. 271.65 K are −1.5 °C; Rome is an hour ahead of UTC in November.
    expect(out.split('\n')[2]).toMatch(/07:00 +snowy +-1\.5 +1\.5 +3\.0 +-1\.5$/);
    expect(out).toContain('Sources: fake');
  });

  test('that never answers is given up with Ctrl+C', async () => {
    const asked = Promise.withResolvers<void>();
    const route: Route = () => {
      asked.resolve();
      return new Promise(() => {});
    };
    const service = await startFakeService({ 'GET /v2/weather/': route });
    const environment = { RAINBELL_CLIENT_SECRET: secret };
    const forecast = startRainbell(['forecast', '45', '7', ...flagsFor(service)], { environment });
    await asked.promise;
    forecast.child.kill('SIGINT');
    expect(await forecast.ended).toEqual({ code: 130, out: '', words: '' });
  });
});
