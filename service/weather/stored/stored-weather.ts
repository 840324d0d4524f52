// Where processes keep and share readings: in their database.
import type { Logger } from 'pino';
import type { Clock } from '@rainbell/shared';
import type { Database } from '../../database/open-database.ts';
import { createLookupClaims, type LookupClaims } from './lookup-claims.ts';
import { createWeatherStore, type WeatherStore } from './weather-store.ts';

export type StoredWeather = {
  store: WeatherStore;
  claims: LookupClaims;
  /** Whether other processes find what this one stores, and wait for it. */
  isShared: boolean;
};

type Dependencies = { database: Pick<Database, 'db' | 'engine'>; clock: Clock; log: Logger; maxRows: number };

/** On SQLite, where several processes on one file are rare, each looks up for itself, except forecasts. */
export function createStoredWeather({ database, clock, log, maxRows }: Dependencies): StoredWeather {
  return {
    store: createWeatherStore({ db: database.db, clock, log, maxRows }),
    claims: createLookupClaims({ ...database, clock }),
    isShared: database.engine === 'postgres',
  };
}
