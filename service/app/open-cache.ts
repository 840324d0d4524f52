// What the processes share through Redis (RAINBELL_CACHE) instead of their database: readings and lookups here, counters in
// open-limits.ts, and news of revocations in create-oauth.ts.
import type { Logger } from 'pino';
import type { Clock } from '#shared/time/clock.ts';
import { signatureOf } from '#service/accounts/signing-key.ts';
import { openSharedCache, type SharedCache } from '#service/cache/shared-cache.ts';
import type { Config } from '#service/config/config.ts';
import type { Database } from '#service/database/open-database.ts';
import { createRedisWeather } from '#service/weather/stored/redis-weather.ts';
import { createStoredWeather, type StoredWeather } from '#service/weather/stored/stored-weather.ts';

/** Undefined without the setting. `signingKey` names the database, so that services can share a Redis; `clock`: the machine's. */
export async function openCache(
  { cacheUrl: url }: Pick<Config, 'cacheUrl'>,
  { signingKey, clock, log }: { signingKey: Buffer; clock: Clock; log: Logger },
): Promise<SharedCache | undefined> {
  if (url === undefined) return undefined;
  return openSharedCache({ url, namespace: signatureOf(signingKey, 'cache', '').slice(0, 12), clock, log });
}

type Dependencies = {
  config: Pick<Config, 'weatherStoredCells'>;
  database: Pick<Database, 'db' | 'engine'>;
  cache?: SharedCache | undefined;
  clock: Clock;
  log: Logger;
};

export function openStoredWeather({ config, database, cache, clock, log }: Dependencies): StoredWeather {
  const maxRows = config.weatherStoredCells;
  const fallback = createStoredWeather({ database, clock, log, maxRows });
  return cache ? createRedisWeather({ cache, clock, maxRows, fallback }) : fallback;
}
