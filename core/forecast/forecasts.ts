// The forecasts that screens ask for: from the connection in use or another saved one, each answer kept for comparing.
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '@rainbell/shared';
import type { LatLng } from '@rainbell/contract/service-api';
import type { Forecast, WeatherIcon } from '@rainbell/contract/app-rpc';
import type { ActiveConnection } from '../connection/active-connection.ts';
import type { Connection } from '../connection/connection.ts';
import type { WithConnection } from '../connection/open-connections.ts';
import type { Log } from '../ports/log.ts';
import { createForecastHistory } from './forecast-history.ts';
import { getForecast } from './get-forecast.ts';
import { openStoredIcons } from './stored-icons.ts';
import { createWeatherIcons, type WeatherIcons } from './weather-icons.ts';

type ForecastsDependencies = {
  activeConnection: ActiveConnection;
  withConnection: WithConnection;
  db: DatabaseSync;
  clock: Clock;
  log: Log;
};

export function createForecasts({ activeConnection, withConnection, db, clock, log }: ForecastsDependencies) {
  const history = createForecastHistory({ db, log });
  let icons: { connection: Connection; loader: WeatherIcons } | undefined;

  async function fetchWith(connection: Connection, place: LatLng, signal?: AbortSignal): Promise<Forecast> {
    const forecast = await getForecast(connection, place, { clock, signal });
    history.save(connection.profile.id, forecast);
    return forecast;
  }
  return {
    history,
    /** Without `connectionId`: from the connection in use. */
    async fetch(place: LatLng, connectionId?: string, signal?: AbortSignal): Promise<Forecast> {
      if (connectionId === undefined) return fetchWith(await activeConnection.current(), place, signal);
      return withConnection(connectionId, (connection) => fetchWith(connection, place, signal));
    },
    /** An icon from the service of the connection in use. */
    async icon(url: string): Promise<WeatherIcon> {
      const connection = await activeConnection.current();
      if (icons?.connection !== connection) {
        const stored = openStoredIcons(db, connection.profile.id, log);
        icons = { connection, loader: createWeatherIcons(connection, stored, clock) };
      }
      return icons.loader.load(url);
    },
  };
}
