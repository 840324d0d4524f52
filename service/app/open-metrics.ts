// Metrics of the whole service: values from the database, and loading the library on demand.
import type { Logger } from 'pino';
import { type Clock, productVersion } from '@rainbell/shared';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/open-database.ts';
import { readQueue } from '../monitors/delivery/outbox.ts';
import { readSweep } from '../monitors/sweep/watched-cells.ts';
import type { Weather } from '../weather/weather.ts';
import type { Metrics, MetricSources } from '../observe/metrics.ts';

type Observed = {
  database: Database;
  weather: Pick<Weather, 'sandbox' | 'observed'>;
  clock: Clock;
  log: Logger;
};

/** The metrics of a service whose `metricsAddress` is set; undefined otherwise. */
export async function openMetrics(
  { metricsAddress, role }: Pick<Config, 'metricsAddress' | 'role'>,
  { database, weather, clock, log }: Observed,
): Promise<Metrics | undefined> {
  if (metricsAddress === undefined) return undefined;
  const { startMetrics } = await import('../observe/metrics.ts');
  const { db } = database;
  const sources: MetricSources = {
    role,
    version: productVersion,
    connections: () => database.connections?.(),
    cache: async () => (await weather.sandbox.describe()).cache,
    providerPauseSeconds: () => (weather.observed.source.pause()?.restMs ?? 0) / 1000,
    budgets: () => weather.observed.budgets(),
    queue: () => readQueue(db, clock.now()),
    sweep: () => readSweep(db, clock.now()),
  };
  return startMetrics({ address: readAddress(metricsAddress), sources, log });
}

/** Splits an address that the settings have checked. */
function readAddress(address: string): { host: string; port: number } {
  const colon = address.lastIndexOf(':');
  return { host: address.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(address.slice(colon + 1)) };
}
