// `GET /v2/monitors/<id>/explanation/` of a whole service: each cause is brought about for real, with a weather server and
// a clock of the test's.
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { LatLng } from '#contract/service-api/geo.ts';
import { monitorExplanationSchema } from '#contract/service-api/monitor-explanation.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { serveWeatherOf, startWeatherService } from '#test/service/weather/weather-harness.ts';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { attempts, hourMs as hour, rainOn, status } from '#test/service/monitors/delivery/delivery-harness.ts';
import { apiCaller, startMonitorService } from '#test/service/monitor-service.ts';

const start = Date.parse('2026-11-21T06:00:00Z');
const minute = 60_000;

/** Open-Meteo's response for a dry place; the grid point is 0.01° north of the cell's center. */
function dryForecast(latitude: number, longitude: number): string {
  const seconds = (offsetMinutes: number) => start / 1000 + offsetMinutes * 60;
  const quarters = Array.from({ length: 400 }, (_, index) => (index + 1) * 15);
  const hours = Array.from({ length: 100 }, (_, index) => index * 60);
  return JSON.stringify({
    latitude: latitude + 0.01,
    longitude,
    current_units: { precipitation: 'mm' },
    hourly: { time: hours.map(seconds), weather_code: hours.map(() => 3) },
    minutely_15_units: { precipitation: 'mm' },
    minutely_15: { time: quarters.map(seconds), precipitation: quarters.map(() => 0) },
  });
}

type Behavior = 'dry' | 'hang' | 'fail';

/** A service that asks only Open-Meteo, which behaves by latitude. */
async function launch() {
  const clock = createManualClock(start);
  const behaviors = new Map<string, Behavior>();
  const hanging: ServerResponse[] = [];
  const openMeteoUrl = await serveWeatherOf((request, response) => {
    const query = new URL(request.url ?? '', 'http://localhost').searchParams;
    const latitude = query.get('latitude') ?? '';
    const behavior = behaviors.get(latitude) ?? 'dry';
    if (behavior === 'hang') hanging.push(response);
    else if (behavior === 'fail') response.writeHead(503).end('no');
    else response.end(dryForecast(Number(latitude), Number(query.get('longitude'))));
  });
  const service = await startWeatherService(
    // One place a request, so that one can fail or hang without the others.
    { openMeteoUrl, openMeteoBatch: 1, provider: 'open-meteo', accessTokenSeconds: 31_536_000 },
    clock,
  );
  const call = apiCaller(service.baseUrl, service.authorization.authorization.replace('Bearer ', ''));
  const explain = async (id: string) => {
    const { json } = await call('GET', `/v2/monitors/${id}/explanation/`);
    return z.strictObject(monitorExplanationSchema.shape).parse(json);
  };
  return {
    clock,
    call,
    hanging,
    explain,
    sentenceOf: async (id: string) => (await explain(id)).sentence,
    behave: (latitude: number, behavior: Behavior) => void behaviors.set(String(latitude), behavior),
    async add(geo: LatLng, answer?: number): Promise<string> {
      const endpoint = await startCallbackEndpoint((_callback, response) => {
        if (answer !== undefined) response.writeHead(answer).end();
      });
      const body = { monitor_type: 'precipitation', callback_uri: endpoint.url, geo };
      return ((await call('POST', '/v2/monitors/', body)).json as { id: string }).id;
    },
    /** Resolves when the events that follow are claimed. */
    async scenario(center: LatLng, minutes: number, weather = 'rainy'): Promise<void> {
      const scenario = { center, minutes, status: weather, radiusKm: 5 };
      expect((await call('POST', '/sandbox/scenarios', scenario)).status).toBe(200);
    },
  };
}

describe('the explanation of a silent monitor', () => {
  // What failed or was delivered: causes.test.ts.
  it('names an event that is being sent, and one that a check in the cool-down makes due', async () => {
    const service = await launch();
    const [accepted, slow] = [
      { lat: 13, lng: 10 },
      { lat: 14, lng: 10 },
    ];
    const ids = { accepted: await service.add(accepted, 204), slow: await service.add(slow) };
    service.clock.advance(5 * minute);
    for (const place of [accepted, slow]) await service.scenario(place, 180);
    expect(await service.explain(ids.slow)).toMatchObject({
      cause: 'sending',
      sentence: 'Sending the event from 06:05 UTC',
    });
    await expect
      .poll(() => service.explain(ids.accepted))
      .toMatchObject({
        cause: 'cool_down',
        since: '2026-11-21T06:05:00',
        until: '2026-11-21T07:05:00',
        last_event: { occurred_at: '2026-11-21T06:05:00', attempts: 1, http_status: 204 },
      });
    // Checked while the cool-down lasts, so the next check comes after its end.
    service.clock.advance(59 * minute);
    await service.scenario(accepted, 180);
    service.clock.advance(minute);
    expect(await service.explain(ids.accepted)).toMatchObject({
      cause: 'event_due',
      since: '2026-11-21T07:04:00',
      sentence: expect.stringContaining(
        'Precipitation at 07:04 UTC; event expected at the next check, by 07:09 UTC. The event of',
      ),
    });
  });

  it('names a callback URL that failed 24 times', async () => {
    const service = await startMonitorService();
    const id = await rainOn(service, await status(400));
    await attempts(service, id, 1);
    await service.db.updateTable('monitors').set({ failed_events: 23 }).execute();
    service.clock.advance(hour);
    await service.sweep();
    const explain = async () => (await service.call('GET', `/v2/monitors/${id}/explanation/`)).json;
    const reason = '24 events in a row failed; last error: 400 Bad Request';
    await expect.poll(explain).toMatchObject({
      cause: 'delivery_off',
      reason,
      sentence: expect.stringContaining(`Delivery off since 07:00 UTC: ${reason}`),
    });
    service.clock.jump(24 * hour);
    expect(await explain()).toMatchObject({
      sentence: expect.stringContaining(`Delivery off since 2026-11-21 07:00 UTC: ${reason}`),
    });
  });

  it('names the last check, or why there is none', async () => {
    const service = await launch();
    const [dry, kept, hanging] = [
      { lat: 30, lng: 10 },
      { lat: 31, lng: 10 },
      { lat: 32, lng: 10 },
    ];
    const ids = { dry: await service.add(dry, 204), kept: await service.add(kept, 204) };
    await expect
      .poll(() => service.explain(ids.dry))
      .toMatchObject({
        cause: 'dry',
        since: '2026-11-21T06:00:00',
        checked_at: '2026-11-21T06:00:00',
        next_check_at: '2026-11-21T06:05:00',
        weather: { source: 'open-meteo', mm_per_hour: 0, distance_km: 1.1 },
        sentence: 'Checked 06:00 UTC: dry (Open-Meteo, 0.0 mm/h, 1.1 km)',
      });
    await service.scenario(kept, 180, 'sunny');
    expect(await service.sentenceOf(ids.kept)).toBe(
      'Checked 06:00 UTC: dry until 09:00 UTC because of a sandbox scenario',
    );

    // The sweep waits for a provider that does not respond, so nothing else is checked either.
    service.behave(32, 'hang');
    const unchecked = await service.add(hanging, 204);
    await expect.poll(() => service.hanging.length).toBe(1);
    expect(await service.sentenceOf(unchecked)).toBe('Not checked yet; due since 06:00 UTC');
    const moving = service.call('POST', '/sandbox/clock', { kind: 'advance', seconds: 18 * 60 });
    await expect
      .poll(() => service.explain(ids.dry))
      .toMatchObject({ cause: 'checks_late', since: '2026-11-21T06:00:00', sentence: 'Not checked for 18 min' });
    service.behave(32, 'dry');
    for (const response of service.hanging) response.end(dryForecast(32, 10));
    await moving;
    expect(await service.sentenceOf(unchecked)).toBe('Checked 06:18 UTC: dry (Open-Meteo, 0.0 mm/h, 1.1 km)');
    await service.call('POST', '/sandbox/provider', { choice: 'met-norway' });
    await expect
      .poll(() => service.explain(unchecked))
      .toMatchObject({
        cause: 'no_weather',
        sentence: expect.stringMatching(
          /^Checked 06:18 UTC: no weather data: The weather provider met-norway is not set up here\. .*[^.]$/,
        ),
      });
  });

  it('names a provider that is paused', async () => {
    const service = await launch();
    const id = await service.add({ lat: 40, lng: 10 }, 204);
    await expect.poll(() => service.explain(id)).toMatchObject({ cause: 'dry' });
    service.clock.advance(20 * minute);
    service.behave(41, 'fail');
    const other = await service.add({ lat: 41, lng: 10 }, 204);
    await expect
      .poll(() => service.explain(other))
      .toMatchObject({
        cause: 'provider_paused',
        since: '2026-11-21T06:20:00',
        until: '2026-11-21T06:20:10',
        weather: null,
      });
    expect(await service.sentenceOf(other)).toMatch(
      /^Provider paused since 06:20 UTC: .*503.*; trying again at 06:20 UTC$/,
    );
    expect(await service.sentenceOf(id)).toMatch(
      /^Provider paused since 06:20 UTC: .*; checked 06:\d\d UTC against older data: dry \(Open-Meteo/,
    );
  });

  it('says what is known of a cell that another process checked', async () => {
    const service = await startMonitorService();
    const id = await service.addMonitor('http://127.0.0.1:9/');
    await service.sweep();
    await service.db
      .updateTable('watch_cells')
      .set({ next_look_at: service.clock.now() + 7 * minute })
      .execute();
    const { json } = await service.call('GET', `/v2/monitors/${id}/explanation/`);
    expect(json).toMatchObject({
      cause: 'checked_elsewhere',
      checked_at: null,
      weather: null,
      sentence: 'Checked by another service process; next check no later than 06:07 UTC',
    });
    expect((await service.call('GET', '/v2/monitors/precipitation_999/explanation/')).status).toBe(404);
  });
});
