// A whole service on a free port whose weather comes from where the test says, with a clock that the test moves, quick names of places, and
// a foreign weather server that fails the test if it gets an unexpected request. Cleans up after the test.
import { createServer, type RequestListener } from 'node:http';
import type { Clock } from '#shared/time/clock.ts';
import { collectionSchema } from '#contract/service-api/collection.ts';
import { type WeatherPoint, weatherPointSchema } from '#contract/service-api/weather.ts';
import { type Config } from '#service/config/config.ts';
import { introductionOf } from '#service/app/embedded-service.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { fetchAccessToken } from '#test/stories/service-process.ts';
import { startOwnService } from '#test/service/start-own-service.ts';
import { listen } from '#test/setup/listen.ts';

/** A URL without a listener: a provider that is gone. */
export const nowhere = 'http://127.0.0.1:9';

export async function serveWeatherOf(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  const port = await listen(server);
  return `http://127.0.0.1:${port}`;
}

export async function startWeatherService(changes: Partial<Config> = {}, clock: Clock = createManualClock()) {
  const providers = { openMeteoUrl: nowhere, metNorwayUrl: nowhere, metarUrl: nowhere };
  const placesWorker = new URL('./quick-places.ts', import.meta.url);
  const service = await startOwnService({ provider: 'auto', ...providers, ...changes }, { clock, placesWorker });
  const { baseUrl } = introductionOf(service);
  const accessToken = await fetchAccessToken(introductionOf(service));
  const authorization = { authorization: `Bearer ${accessToken}` };
  const get = (query: string) => fetch(`${baseUrl}/v2/weather/${query}`, { headers: authorization });
  return {
    baseUrl,
    introduction: introductionOf(service),
    authorization,
    get,
    /** For a test that starts another one on the same data; calling it twice does nothing. */
    close: () => service.close(),
    async points(lat: number, lng: number): Promise<WeatherPoint[]> {
      const answer = await get(`?location_lat=${lat}&location_lng=${lng}`);
      if (answer.status !== 200) throw new Error(`The weather answered ${answer.status}: ${await answer.text()}`);
      return collectionSchema(weatherPointSchema).parse(await answer.json()).objects;
    },
    async sandbox(method: string, path: string, body?: unknown): Promise<unknown> {
      const answer = await fetch(`${baseUrl}/sandbox/${path}`, {
        method,
        headers: { ...authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (answer.status !== 200) throw new Error(`/sandbox/${path} answered ${answer.status}: ${await answer.text()}`);
      return answer.json();
    },
  };
}
