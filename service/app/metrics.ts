// What the service measures: /metrics in OpenMetrics, on a separate address, so that it is never public by accident. Loaded only if
// that address is set.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Logger } from 'pino';
import { type Clock, productVersion, systemCode } from '@rainbell/shared';
import { closeServer } from '@rainbell/shared/node';
import type { Database } from '../database/open-database.ts';
import { StartError } from '../errors/start-error.ts';
import type { EndedRequest } from '../http/request-trace.ts';
import { readQueue } from '../monitors/delivery/outbox.ts';
import { readSweep } from '../monitors/sweep/watched-cells.ts';
import type { Weather } from '../weather/weather.ts';

type Observed = {
  role: string;
  database: Database;
  weather: Pick<Weather, 'sandbox' | 'observed'>;
  clock: Clock;
  log: Logger;
};

export type Metrics = Awaited<ReturnType<typeof startMetrics>>;

const requestSeconds = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10];
const attemptSeconds = [0.01, 0.05, 0.2, 1, 5, 15];

/** Listens when it resolves. Throws a StartError if it cannot. `address`: as the settings have checked it. */
export async function startMetrics(address: string, observed: Observed) {
  const { log } = observed;
  const registry = new Registry<OpenMetrics>();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  collectDefaultMetrics({ register: registry });
  const { requests, attempts, readSources } = register(registry, observed);
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url?.split('?', 1)[0] !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    readSources()
      .then(() => registry.metrics())
      .then((text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text))
      .catch((error: unknown) => {
        log.error({ err: error }, 'a scrape failed');
        response.writeHead(500).end();
      });
  });
  const colon = address.lastIndexOf(':');
  server.listen(Number(address.slice(colon + 1)), address.slice(0, colon).replace(/^\[|\]$/g, ''));
  await once(server, 'listening').catch((error: Error) => {
    const reason = systemCode(error) ?? error.message;
    const text = `Metrics cannot be served at ${address} (${reason}). Choose another address with RAINBELL_METRICS_ADDRESS.`;
    throw new StartError('start', text, { cause: error });
  });
  log.info({ address }, 'serving metrics');
  return {
    requestEnded({ method, route, status, ms, isCut }: EndedRequest) {
      requests.observe({ method, route, status: isCut ? 'cut' : `${Math.floor(status / 100)}xx` }, ms / 1000);
    },
    attemptEnded: (state: string, ms: number) => attempts.observe({ outcome: state }, ms / 1000),
    close: () => closeServer(server),
  };
}

type OpenMetrics = typeof Registry.OPENMETRICS_CONTENT_TYPE;

function register(registry: Registry<OpenMetrics>, { role, database, weather, clock, log }: Observed) {
  const registers = [registry];
  const requests = new Histogram({
    name: 'rainbell_http_request_duration_seconds',
    help: 'Requests by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: requestSeconds,
    registers,
  });
  const attempts = new Histogram({
    name: 'rainbell_delivery_attempt_duration_seconds',
    help: 'Attempts to deliver an event, by outcome.',
    labelNames: ['outcome'],
    buckets: attemptSeconds,
    registers,
  });
  new Gauge({
    name: 'rainbell_build_info',
    help: 'Version and role of this process.',
    labelNames: ['version', 'role'],
    registers,
  }).set({ version: productVersion, role }, 1);
  /** Read at each scrape. One that cannot be read, or is undefined, is omitted from that scrape. */
  const gauges = (values: Readonly<Record<string, string>>, read: () => Promise<readonly number[] | undefined>) => {
    const made = Object.entries(values).map(([name, help]) => new Gauge({ name, help, registers }));
    return async () => {
      const found = await read().catch((error: unknown) => {
        log.warn({ err: error, metrics: Object.keys(values) }, 'metrics could not be read');
        return undefined;
      });
      made.forEach((gauge, index) => {
        // An absent value is better than an outdated one.
        if (found?.[index] === undefined) gauge.remove();
        else gauge.set(found[index]);
      });
    };
  };
  const hits = new Counter({
    name: 'rainbell_weather_cache_hits',
    help: 'Responses and readings served from memory.',
    registers,
  });
  const misses = new Counter({ name: 'rainbell_weather_cache_misses', help: 'Readings that were fetched.', registers });
  let counted = { hits: 0, misses: 0 };
  const budget = new Gauge({
    name: 'rainbell_provider_requests_left',
    help: 'Requests left for a provider in the current window, across all processes. The window label is the length of the window in seconds.',
    labelNames: ['provider', 'window'],
    registers,
  });
  const readers = [
    // First, because the statements of the others would be seen waiting for a connection.
    gauges(
      {
        rainbell_database_connections_open: 'Open connections to PostgreSQL.',
        rainbell_database_connections_idle: 'Idle connections to PostgreSQL.',
        rainbell_database_requests_waiting: 'Statements waiting for a connection.',
      },
      async () => {
        const pool = database.connections?.();
        return pool && [pool.open, pool.idle, pool.waiting];
      },
    ),
    async () => {
      for (const { name, seconds, left } of await weather.observed.budgets())
        budget.set({ provider: name, window: String(seconds) }, left);
    },
    gauges({ rainbell_weather_cache_cells: 'Cells in memory.' }, async () => {
      const { cache } = await weather.sandbox.describe();
      hits.inc(Math.max(0, cache.hits - counted.hits));
      misses.inc(Math.max(0, cache.misses - counted.misses));
      counted = cache;
      return [cache.cells];
    }),
    gauges(
      { rainbell_provider_pause_seconds: 'Time until requests to a weather provider resume, if all are paused.' },
      async () => [(weather.observed.source.pause()?.restMs ?? 0) / 1000],
    ),
    gauges(
      {
        rainbell_events_oldest_due_seconds: 'How long the most overdue event has been waiting.',
        rainbell_events_waiting: 'Events waiting for an attempt, counted up to 100,000.',
      },
      async () => {
        const { oldestSeconds, waiting } = await readQueue(database.db, clock.now());
        return [oldestSeconds, waiting];
      },
    ),
    gauges(
      {
        rainbell_sweep_lag_seconds: 'How long the most overdue cell has been waiting for its check.',
        rainbell_watched_cells: 'Cells that have monitors.',
      },
      async () => {
        const { lagSeconds, cells } = await readSweep(database.db, clock.now());
        return [lagSeconds, cells];
      },
    ),
  ];
  return { requests, attempts, readSources: () => Promise.all(readers.map((read) => read())) };
}
