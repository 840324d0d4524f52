// Place and weather of a point in words, for a notification: what the service's first point says (§2.3), if it says it soon.
import { z } from 'zod';
import type { Clock } from '#shared/time/clock.ts';
import type { LatLng } from '#contract/service-api/geo.ts';
import type { ConnectionHolder } from '../connection/connection-holder.ts';
import type { WeatherWords } from './callback-notifier.ts';

const answerSchema = z.object({
  objects: z
    .array(
      z.object({
        weather: z.object({ status: z.string() }),
        location: z.object({ locality: z.string().optional() }).optional(),
      }),
    )
    .min(1),
});

const longestWaitMs = 3000;

export function createWeatherWords(connection: ConnectionHolder, clock: Clock) {
  async function ask({ lat, lng }: LatLng): Promise<WeatherWords | undefined> {
    const api = connection.present()?.api;
    if (!api) return undefined;
    const path = `/v2/weather/?location_lat=${lat.toFixed(5)}&location_lng=${lng.toFixed(5)}`;
    const exchange = await api.call({ method: 'GET', path });
    const [first] = answerSchema.parse((await exchange.json()).value).objects;
    return first && { status: first.weather.status, place: first.location?.locality };
  }

  /** Undefined where the service does not answer, or not in time: the notice then does without. */
  return (geo: LatLng): Promise<WeatherWords | undefined> =>
    new Promise((resolve) => {
      const cancelTimer = clock.after(longestWaitMs, () => resolve(undefined));
      ask(geo)
        .then(resolve, () => resolve(undefined))
        .finally(cancelTimer);
    });
}
