// `GET /v2/weather/` over real HTTP (docs/interface.md §4.3): the shape of the answer, bad input, tokens, and the old
// clients' habits.
import { getPosition } from 'suncalc';
import { describe, expect, it } from 'vitest';
import { iconName, type Status } from '#contract/service-api/vocabulary.ts';
import { startWeatherService } from './weather-harness.ts';

describe('a client that asks for the weather', () => {
  it('gets weather for numbers with spaces or a plus around them, and an error with the rule for others', async () => {
    const service = await startWeatherService({ provider: 'simulation' });
    expect((await service.get('?location_lat=%2B45.07&location_lng=+7.69%20')).status).toBe(200);
    for (const [query, rule] of [
      ['location_lng=7.6', 'location_lat must be a number between -90 and 90.'],
      ['location_lat=45&location_lat=46&location_lng=7.6', 'location_lat must be a number between -90 and 90.'],
      ['location_lat=45&location_lng=-180.5', 'location_lng must be a number between -180 and 180.'],
    ] as const) {
      const answer = await service.get(`?${query}`);
      const error = { error: 'invalid_request', error_description: rule };
      expect([answer.status, await answer.json()]).toEqual([400, error]);
    }
  });

  it('gets now and 72 hours, in UTC without a suffix, each with its sun and icon, also at the poles and on the antimeridian', async () => {
    const { points, baseUrl } = await startWeatherService({ provider: 'simulation' });
    for (const lat of [90, 45, -90]) {
      const found = await points(lat, 7);
      const hours = found.slice(1).map((_, index) => Date.parse('2026-11-21T07:00:00Z') + index * 3_600_000);
      const times = [Date.parse('2026-11-21T06:00:00Z'), ...hours];
      expect(found.map(({ timestamp }) => timestamp)).toEqual(
        times.map((at) => new Date(at).toISOString().slice(0, 19)),
      );
      expect(found).toHaveLength(73);
      for (const [index, { sun_altitude, icon, weather }] of found.entries()) {
        const { altitude } = getPosition(new Date(times[index] ?? 0), lat, 7);
        expect(Math.abs(sun_altitude - altitude)).toBeLessThan(0.0051);
        expect(icon).toBe(`${baseUrl}/v2/icons/${iconName(weather.status as Status, altitude)}`);
      }
    }
    const [[east], [west]] = [await points(10, 180), await points(10, -180)];
    expect(west).toEqual(east);
  });

  it('is refused without a token, with an unknown one and with one in the query', async () => {
    const { baseUrl } = await startWeatherService({ provider: 'simulation' });
    const address = `${baseUrl}/v2/weather/?location_lat=45&location_lng=7`;
    for (const headers of [{}, { authorization: 'Bearer nonsense' }]) {
      const answer = await fetch(address, { headers });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
    }
    // RFC 6750 §2.3 advises against tokens in addresses, which end up in logs: we do not read them.
    expect((await fetch(`${address}&access_token=nonsense`)).status).toBe(400);
  });

  it('may leave out the trailing slash of weather and token, without a redirect that would drop a body', async () => {
    const { baseUrl, authorization, introduction } = await startWeatherService({ provider: 'simulation' });
    const bare = await fetch(`${baseUrl}/v2/weather?location_lat=45&location_lng=7`, {
      headers: authorization,
      redirect: 'manual',
    });
    expect(bare.status).toBe(200);
    const { clientId, clientSecret } = introduction;
    const token = await fetch(`${baseUrl}/token`, {
      method: 'POST',
      redirect: 'manual',
      headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    expect(token.status).toBe(200);
    expect(await token.json()).toMatchObject({ token_type: 'bearer' });
  });
});

describe('a web page elsewhere', () => {
  const origin = 'https://app.example.org';

  it('may ask for weather and tokens with its own token, and never with cookies', async () => {
    const { baseUrl } = await startWeatherService({ provider: 'simulation' });
    for (const path of ['/v2/weather/', '/v2/weather', '/token/', '/token', '/v2/monitors/']) {
      const preflight = await fetch(`${baseUrl}${path}`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': path.startsWith('/token') ? 'POST' : 'GET',
          'access-control-request-headers': 'authorization',
        },
      });
      expect([path, preflight.status]).toEqual([path, 204]);
      expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
      expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('authorization');
      expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
    }
  });
});
