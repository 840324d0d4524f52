// Forecasts and their icons: from the connection in use or another saved one, each answer kept for comparing.
import type { LatLng } from '@rainbell/contract/service-api';
import type { Forecast } from '@rainbell/contract/app-rpc';
import type { Feature, Parts } from '../app/feature.ts';
import type { Connection } from '../connection/connection.ts';
import { createForecastHistory } from './forecast-history.ts';
import { getForecast } from './get-forecast.ts';
import { createIconLoader } from './weather-icons.ts';

export function forecast({ activeConnection, withConnection, db, clock, log }: Parts): Feature<'forecast'> {
  const history = createForecastHistory({ db, log });
  let icons: { connection: Connection; load: ReturnType<typeof createIconLoader> } | undefined;

  async function fetchWith(connection: Connection, place: LatLng, signal?: AbortSignal): Promise<Forecast> {
    const fetched = await getForecast(connection, place, { clock, signal });
    history.save(connection.profile.id, fetched);
    return fetched;
  }
  return {
    handlers: {
      forecast: {
        async get({ input: { connectionId, ...place }, signal }) {
          if (connectionId === undefined) return fetchWith(await activeConnection.current(), place, signal);
          return withConnection(connectionId, (connection) => fetchWith(connection, place, signal));
        },
        history: ({ input }) => ({ fetches: history.of(input) }),
        stored: ({ input }) => history.get(input.id),
        /** From the service of the connection in use. */
        async icon({ input }) {
          const connection = await activeConnection.current();
          if (icons?.connection !== connection)
            icons = { connection, load: createIconLoader({ connection, db, clock, log }) };
          return icons.load(input.url);
        },
      },
    },
  };
}
