// MET Norway's radar in the Nordic area: what it adds to the first point and to the watch, and when it is not requested.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '#test/core/manual-clock.ts';
import { instant, metDocument, symbol } from './providers/met-norway/met-documents.ts';
import { serveWeatherOf, startWeatherService } from './weather-harness.ts';

const minute = 60_000;
const now = Date.parse('2023-11-17T19:10:00Z');
const forecast = readFileSync(
  new URL('../../fixtures/met-norway/compact-clear-night-oslo.excerpt.json', import.meta.url),
  'utf8',
);

/** Made by hand after MET Norway's documentation; there is no recording of one. */
function nowcastBody(rates: readonly number[]) {
  const timeseries = rates.map((rate, index) => ({
    time: new Date(now + index * 5 * minute).toISOString(),
    data: { ...instant({ precipitation_rate: rate }), ...(index === 0 && { next_1_hours: symbol('lightsnow') }) },
  }));
  return JSON.stringify(metDocument(timeseries, { updated_at: '2023-11-17T19:09:00Z', radar_coverage: 'ok' }));
}

async function startRadar(rates: readonly number[]) {
  const requests: string[] = [];
  const metNorwayUrl = await serveWeatherOf((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    requests.push(path);
    response.end(path.includes('nowcast') ? nowcastBody(rates) : forecast);
  });
  const clock = createManualClock(now);
  const settings = { provider: 'met-norway', metNorwayUrl, metNorwayContact: 'weather@example.org' } as const;
  return { clock, requests, service: await startWeatherService(settings, clock) };
}

it('a client in the Nordic area reads who contributed, in order; one elsewhere never causes a request for radar', async () => {
  const { service, requests } = await startRadar([0.4]);
  const [first, second] = await service.points(59.92, 10.73);
  expect(first?.weather.status).toBe('snow flurries');
  expect(first?.sources).toEqual(['met-norway-nowcast', 'met-norway']);
  expect(second?.sources).toEqual(['met-norway']);
  await service.points(45.07, 7.69);
  expect(await service.sandbox('GET', 'state')).toMatchObject({ provider: { lastAnswered: 'met-norway' } });
  expect(requests.toSorted()).toEqual([
    '/weatherapi/locationforecast/2.0/compact',
    '/weatherapi/locationforecast/2.0/compact',
    '/weatherapi/nowcast/2.0/complete',
  ]);
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
