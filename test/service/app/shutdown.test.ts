// How a whole service ends while callbacks and look-ups hang (docs/delivery.md S14): soon, by real time, even if its
// clock does not move.
import { expect, it } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { type Config } from '#service/config/config.ts';
import { introductionOf } from '#service/app/embedded-service.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { apiCaller, fetchToken, turin } from '#test/service/monitor-service.ts';
import { startOwnService } from '#test/service/start-own-service.ts';
import { serveWeatherOf } from '#test/service/weather/weather-harness.ts';

async function startService(changes: Partial<Config>, clock = systemClock) {
  const service = await startOwnService(changes, { clock });
  const introduction = introductionOf(service);
  const call = apiCaller(introduction.baseUrl, await fetchToken(introduction.baseUrl, introduction));
  return { call, close: () => service.close() };
}

async function secondsToClose(service: { close(): Promise<void> }): Promise<number> {
  const started = performance.now();
  await service.close();
  return (performance.now() - started) / 1000;
}

const monitor = (callback_uri: string, lat: number) => ({
  monitor_type: 'precipitation',
  callback_uri,
  geo: { ...turin, lat },
});

it('a service whose clock does not move ends within its 5 seconds while a callback hangs', async () => {
  const service = await startService({ provider: 'simulation' }, createManualClock());
  const endpoint = await startCallbackEndpoint(() => {});
  await service.call('POST', '/v2/monitors/', monitor(endpoint.url, turin.lat));
  await service.call('POST', '/sandbox/scenarios', { center: turin, minutes: 60 });
  await endpoint.waitFor(1);
  const seconds = await secondsToClose(service);
  expect(seconds).toBeGreaterThan(4);
  expect(seconds).toBeLessThan(12);
});

/** A weather provider that never answers; `requests` counts what reached it. */
async function startHangingProvider() {
  let requests = 0;
  return { openMeteoUrl: await serveWeatherOf(() => void (requests += 1)), requests: () => requests };
}

it('a service ends at once while the look at many cells waits for a provider that hangs', async () => {
  const { openMeteoUrl, requests } = await startHangingProvider();
  const service = await startService({ provider: 'open-meteo', openMeteoUrl });
  for (let lat = -40; lat < 40; lat += 1) {
    await service.call('POST', '/v2/monitors/', monitor('http://127.0.0.1:9/', lat));
  }
  void service.call('POST', '/sandbox/scenarios', { center: turin, minutes: 60 }).catch(() => {});
  await expect.poll(requests).toBeGreaterThan(0);
  expect(await secondsToClose(service)).toBeLessThan(3);
});

it('a service that ends answers at once requests that wait for a provider that hangs', async () => {
  const { openMeteoUrl, requests } = await startHangingProvider();
  const service = await startService({ provider: 'open-meteo', openMeteoUrl });
  const answer = service.call('GET', '/v2/weather/?location_lat=45&location_lng=7');
  await expect.poll(requests).toBeGreaterThan(0);
  expect(await secondsToClose(service)).toBeLessThan(1.5);
  expect((await answer).status).toBe(503);
});
