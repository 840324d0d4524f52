// MET Norway over real HTTP: what its terms ask of us, and `GET /v2/nowcast/`, its radar in the Nordic area.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '#test/core/manual-clock.ts';
import { instant, metDocument } from './providers/met-norway/met-documents.ts';
import { serveWeatherOf, startWeatherService } from './weather-harness.ts';

const minute = 60_000;
const metNorwayContact = 'weather@example.org';
const now = Date.parse('2023-11-17T19:10:00Z');
const forecast = readFileSync(
  new URL('../../fixtures/met-norway/compact-clear-night-oslo.excerpt.json', import.meta.url),
  'utf8',
);

/** Made by hand after MET Norway's documentation; there is no recording of one. */
function nowcastBody(rates: readonly number[]) {
  const timeseries = rates.map((rate, index) => ({
    time: new Date(now + index * 5 * minute).toISOString(),
    data: instant({ precipitation_rate: rate }),
  }));
  return JSON.stringify(metDocument(timeseries, { updated_at: '2023-11-17T19:09:00Z', radar_coverage: 'ok' }));
}

async function startRadar(rates: readonly number[]) {
  const metNorwayUrl = await serveWeatherOf((request, response) => {
    response.end(request.url?.includes('nowcast') === true ? nowcastBody(rates) : forecast);
  });
  const clock = createManualClock(now);
  const settings = { provider: 'met-norway', metNorwayUrl, metNorwayContact } as const;
  return { clock, service: await startWeatherService(settings, clock) };
}

it('the service sends MET Norway a contact and few decimals, and asks again only after Expires, whether anything is new', async () => {
  const lastModified = 'Fri, 17 Nov 2023 18:45:00 GMT';
  const asked: (string | undefined)[] = [];
  const metNorwayUrl = await serveWeatherOf((request, response) => {
    expect(request.headers['user-agent']).toContain(metNorwayContact);
    if (!request.url?.startsWith('/weatherapi/locationforecast/2.0/compact?lat=59.9&lon=10.7')) {
      response.writeHead(404).end();
      return;
    }
    asked.push(request.headers['if-modified-since']);
    response.setHeader('date', 'Fri, 17 Nov 2023 19:10:00 GMT').setHeader('expires', 'Fri, 17 Nov 2023 19:40:00 GMT');
    response.setHeader('last-modified', lastModified);
    response.writeHead(request.headers['if-modified-since'] === lastModified ? 304 : 200);
    response.end(response.statusCode === 304 ? undefined : forecast);
  });
  const settings = { provider: 'met-norway', metNorwayUrl, metNorwayContact } as const;
  const service = await startWeatherService({ ...settings, accessTokenSeconds: 86_400 }, createManualClock(now));
  const before = await service.points(59.92, 10.73);
  await service.sandbox('POST', 'clock', { kind: 'advance', seconds: 29 * 60 });
  await service.points(59.92, 10.73);
  expect(asked).toEqual([undefined]);
  await service.sandbox('POST', 'clock', { kind: 'advance', seconds: 5 * 60 });
  const after = await service.points(59.92, 10.73);
  expect(asked).toEqual([undefined, lastModified]);
  expect(after.at(-1)?.weather).toEqual(before.at(-1)?.weather);
  await service.sandbox('POST', 'clock', { kind: 'advance', seconds: 5 * 60 });
  await service.points(59.92, 10.73);
  expect(asked).toHaveLength(2);
});

describe('GET /v2/nowcast/', () => {
  type Nowcast = { objects: { timestamp: string; precipitation_rate: number | null }[]; meta: Record<string, unknown> };
  type Service = Awaited<ReturnType<typeof startWeatherService>>;
  const sendRequest = (
    { baseUrl, authorization }: Service,
    query: string,
    headers: Record<string, string> = authorization,
  ) => fetch(`${baseUrl}/v2/nowcast/${query}`, { headers });
  const minutesAt = async (service: Service, lat: number, lng: number) =>
    (await (await sendRequest(service, `?location_lat=${lat}&location_lng=${lng}`)).json()) as Nowcast;

  it('returns the radar from the present step on, and nothing after its end or outside its area', async () => {
    const { service, clock } = await startRadar([0, 0.4, 1.2]);
    clock.advance(7 * minute);
    expect(await minutesAt(service, 59.92, 10.73)).toEqual({
      objects: [
        { timestamp: '2023-11-17T19:15:00', precipitation_rate: 0.4 },
        { timestamp: '2023-11-17T19:20:00', precipitation_rate: 1.2 },
      ],
      meta: {
        source: 'met-norway-nowcast',
        updated_at: '2023-11-17T19:09:00',
        step_minutes: 5,
        now: '2023-11-17T19:17:00',
      },
    });
    expect(await minutesAt(service, 45.07, 7.69)).toMatchObject({ objects: [], meta: { source: null } });
    // The last step has ended.
    clock.advance(8 * minute);
    expect(await minutesAt(service, 59.92, 10.73)).toMatchObject({ objects: [], meta: { source: null } });
  });

  it('of the simulation covers two hours, follows scenarios, and needs token and place', async () => {
    const clock = createManualClock(now);
    const service = await startWeatherService({ provider: 'simulation' }, clock);
    const { objects, meta } = await minutesAt(service, 45.07, 7.69);
    expect(objects.map(({ timestamp }) => timestamp)).toEqual(
      Array.from({ length: 24 }, (_, index) => new Date(now + index * 5 * minute).toISOString().slice(0, 19)),
    );
    expect(meta).toMatchObject({ source: 'simulation' });
    const scenario = { center: { lat: 45.07, lng: 7.69 }, radiusKm: 5, startsInMinutes: 0, minutes: 20 };
    await service.sandbox('POST', 'scenarios', { ...scenario, status: 'rainy' });
    const wet = (await minutesAt(service, 45.07, 7.69)).objects;
    for (const [index, { precipitation_rate: rate }] of wet.entries()) {
      const known = objects[index]?.precipitation_rate ?? 0;
      expect(rate, `step ${index}`).toBe(index < 4 && known === 0 ? null : known);
    }
    await service.sandbox('POST', 'scenarios', { ...scenario, minutes: 120, status: 'sunny' });
    const dried = (await minutesAt(service, 45.07, 7.69)).objects;
    expect(new Set(dried.map(({ precipitation_rate: rate }) => rate))).toEqual(new Set([0]));
    expect((await sendRequest(service, '?location_lat=45&location_lng=7', {})).status).toBe(401);
    expect((await sendRequest(service, '?location_lat=95&location_lng=7')).status).toBe(400);
  });
});
