// `GET /v2/monitors/<id>/explanation/` of a whole service, with a weather server and a clock of the test's. Each cause by table:
// explanation-rules.test.ts; each while it happens, and on the next day: causes.test.ts.
import { expect, it } from 'vitest';
import { z } from 'zod';
import { monitorExplanationSchema } from '#contract/service-api/monitor-explanation.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { apiCaller } from '#test/service/monitor-service.ts';
import { openMeteoBody, placesOf } from '#test/service/weather/providers/open-meteo/open-meteo-body.ts';
import { serveWeatherOf, startWeatherService } from '#test/service/weather/weather-harness.ts';

const minute = 60_000;

/** A service that asks only Open-Meteo, which fails beyond 40° N and is dry elsewhere, 0.01° north of the cell's center. */
async function launch() {
  const clock = createManualClock();
  const openMeteoUrl = await serveWeatherOf((request, response) => {
    const [{ lat, lng } = { lat: 0, lng: 0 }] = placesOf(request);
    if (lat > 40) response.writeHead(503).end('no');
    else response.end(openMeteoBody({ lat: lat + 0.01, lng }, clock.now()));
  });
  // One place a request, so that one can fail without the others.
  const settings = { openMeteoUrl, openMeteoBatch: 1, provider: 'open-meteo', accessTokenSeconds: 31_536_000 } as const;
  const service = await startWeatherService(settings, clock);
  const call = apiCaller(service.baseUrl, service.authorization.authorization.replace('Bearer ', ''));
  return {
    clock,
    call,
    async explain(id: string) {
      const { json } = await call('GET', `/v2/monitors/${id}/explanation/`);
      return z.strictObject(monitorExplanationSchema.shape).parse(json);
    },
    async add(lat: number): Promise<string> {
      const body = { monitor_type: 'precipitation', callback_uri: 'http://127.0.0.1:9/', geo: { lat, lng: 10 } };
      return ((await call('POST', '/v2/monitors/', body)).json as { id: string }).id;
    },
  };
}

it('the explanation of a silent monitor has the weather, or why there is none', async () => {
  const { clock, call, explain, add } = await launch();
  const dry = await add(30);
  await expect
    .poll(() => explain(dry))
    .toMatchObject({
      cause: 'dry',
      since: '2026-11-21T06:00:00',
      checked_at: '2026-11-21T06:00:00',
      next_check_at: '2026-11-21T06:05:00',
      weather: { source: 'open-meteo', mm_per_hour: 0, distance_km: 1.1 },
      sentence: 'Checked 06:00 UTC: dry (Open-Meteo, 0.0 mm/h, 1.1 km)',
    });
  clock.advance(20 * minute);
  const failing = await add(41);
  const paused = {
    cause: 'provider_paused',
    since: '2026-11-21T06:20:00',
    until: '2026-11-21T06:20:10',
    weather: null,
  };
  await expect.poll(() => explain(failing)).toMatchObject(paused);
  clock.advance(5_000);
  const sentence = /^Provider paused since 06:20 UTC: .*503.*; trying again at 06:20 UTC$/;
  expect(await explain(failing)).toMatchObject({ ...paused, sentence: expect.stringMatching(sentence) });
  expect((await explain(dry)).sentence).toMatch(
    /^Provider paused since 06:20 UTC: .*; checked 06:20 UTC against older data: dry \(Open-Meteo/,
  );
  await call('POST', '/sandbox/provider', { choice: 'met-norway' });
  const reason = /^Checked 06:20 UTC: no weather data: The weather provider met-norway is not set up here\. .*[^.]$/;
  await expect
    .poll(() => explain(failing))
    .toMatchObject({ cause: 'no_weather', sentence: expect.stringMatching(reason) });
});
