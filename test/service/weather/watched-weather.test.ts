// From a provider's answer to a callback: a monitor fires when the forecast says rain within a quarter of an hour, or
// when an airport near by sees some, and stays quiet otherwise (docs/interface.md §6).
import { describe, expect, it } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { serveWeatherOf, startWeatherService } from './weather-harness.ts';

const now = Date.parse('2026-11-21T06:00:00Z');
const minute = 60_000;
const place = { lat: 45.07, lng: 7.69 };

/** Dry now; a quarter of rain that ends `endsInMinutes` from now, as Open-Meteo says it: the sum of the preceding quarter. */
function forecastOf(endsInMinutes: number | undefined): string {
  const seconds = (offsetMinutes: number) => (now + offsetMinutes * minute) / 1000;
  const quarters = [15, 30, 45, 60, 75, 90];
  const hours = [0, 60, 120];
  return JSON.stringify({
    latitude: 45.07,
    longitude: 7.69,
    current_units: { precipitation: 'mm' },
    current: { time: seconds(0), interval: 900, weather_code: 3, precipitation: 0 },
    hourly: { time: hours.map(seconds), weather_code: hours.map(() => 3) },
    minutely_15_units: { precipitation: 'mm' },
    minutely_15: {
      time: quarters.map(seconds),
      precipitation: quarters.map((end) => (end === endsInMinutes ? 0.5 : 0)),
    },
  });
}

async function watchedPlace(forecast: string, metars: () => unknown) {
  const openMeteoUrl = await serveWeatherOf((_request, response) => response.end(forecast));
  const metarUrl = await serveWeatherOf((_request, response) => response.end(JSON.stringify(metars())));
  const endpoint = await startCallbackEndpoint();
  // Deliveries wait on the machine's clock, so this one ticks; the service's own starts at the recorded time.
  const clockStart = new Date(now).toISOString();
  const settings = { openMeteoUrl, metarUrl, clockStart, accessTokenSeconds: 86_400 };
  const service = await startWeatherService(settings, systemClock);
  const created = await fetch(`${service.baseUrl}/v2/monitors/`, {
    method: 'POST',
    headers: { ...service.authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ monitor_type: 'precipitation', callback_uri: endpoint.url, geo: place }),
  });
  expect(created.status).toBe(201);
  const { id } = (await created.json()) as { id: string };
  /** Resolves when the sweep that follows has claimed its events. */
  const advance = (minutes: number) => service.sandbox('POST', 'clock', { kind: 'advance', seconds: minutes * 60 });
  const read = (path: string) => async (): Promise<unknown> => {
    const found = await fetch(`${service.baseUrl}/v2/${path}`, { headers: service.authorization });
    return found.json();
  };
  const [events, explain] = [read(`events/?monitor=${id}`), read(`monitors/${id}/explanation/`)];
  return { endpoint, advance, events, explain };
}

describe('a monitor', () => {
  it('fires for rain that the forecast has within a quarter of an hour, not before', async () => {
    const { endpoint, advance } = await watchedPlace(forecastOf(45), () => []);
    await advance(10);
    expect(endpoint.received).toEqual([]);
    await advance(6);
    const [callback] = await endpoint.waitFor(1);
    expect(JSON.parse(callback?.body ?? '')).toMatchObject({ monitor_type: 'precipitation' });
  });

  it('fires if an airport near by reports snow, which does not confirm the event', async () => {
    let groups: string | undefined;
    // A station's clock may be a little ahead, so the observation is of after the event that it creates.
    const obsTime = (now + 7.5 * minute) / 1000;
    const { endpoint, advance, events, explain } = await watchedPlace(forecastOf(undefined), () => [
      { icaoId: 'LIMF', lat: 45.1, lon: 7.65, obsTime, cover: 'OVC', ...(groups ? { wxString: groups } : {}) },
    ]);
    await advance(1);
    expect(endpoint.received).toEqual([]);
    groups = '-SN BR';
    await advance(6);
    expect(await endpoint.waitFor(1)).toHaveLength(1);
    await advance(6);
    groups = undefined;
    await advance(80);
    const none = { verdict: 'no_evidence', evidence: null, lead_time_seconds: null };
    await expect.poll(events).toMatchObject({ objects: [{ attempts: [{ kind: 'first' }], outcome: none }] });
    expect(await explain()).toMatchObject({ verification: { confirmed: 0, no_evidence: 1 } });
  });
});
