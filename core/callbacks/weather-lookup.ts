// Describes place and weather of a point for a notification: the service's first point (docs/interface.md §2.3), if it responds
// soon.
import { z } from 'zod';
import { type Clock, within } from '@rainbell/shared';
import type { LatLng } from '@rainbell/contract/service-api';
import type { ActiveConnection } from '../connection/active-connection.ts';
import type { WeatherSummary } from './callback-notifier.ts';

const responseSchema = z.object({
  objects: z
    .array(
      z.object({
        weather: z.object({ status: z.string() }),
        location: z.object({ locality: z.string().optional() }).optional(),
      }),
    )
    .min(1),
});

const maxWaitMs = 3000;

export function createWeatherLookup(activeConnection: ActiveConnection, clock: Clock) {
  async function lookUp({ lat, lng }: LatLng): Promise<WeatherSummary | undefined> {
    const api = activeConnection.present()?.api;
    if (!api) return undefined;
    const path = `/v2/weather/?location_lat=${lat.toFixed(5)}&location_lng=${lng.toFixed(5)}`;
    const response = await api.call({ method: 'GET', path });
    const [first] = responseSchema.parse((await response.json()).value).objects;
    return first && { status: first.weather.status, place: first.location?.locality };
  }

  /** Undefined if the service does not respond within the limit; the notification then omits the weather. */
  return (geo: LatLng): Promise<WeatherSummary | undefined> => within(clock, maxWaitMs, lookUp(geo));
}
