// The part of the service that has monitors: routes, watch and delivery over real HTTP and a real database, with real
// tokens. The weather and the clock are the test's. Cleans up after the test.
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { type Clock, systemClock } from '#shared/time/clock.ts';
import type { LatLng } from '#contract/service-api/geo.ts';
import type { MonitorOptions } from '#contract/service-api/rain-event.ts';
import { createSecretSeal } from '#service/secrets/secret-seal.ts';
import { configWith, serviceFolder, type Config } from '#service/config/config.ts';
import { createPasswords } from '#service/accounts/passwords.ts';
import { openServiceDatabase } from '#service/app/open-service-database.ts';
import type { DatabaseLocation } from '#service/database/open-database.ts';
import { bindSocket, closeSocket, createHttpServer } from '#service/http/server.ts';
import { createMonitors } from '#service/app/create-callbacks.ts';
import type { Evidence, Trigger } from '#service/weather/reading/reading.ts';
import type { ProviderPause } from '#service/weather/sources/weather-source.ts';
import type { Timeline } from '#service/weather/timeline.ts';
import { countryAt } from '#service/places/locality.ts';
import { createOAuth } from '#service/oauth/create-oauth.ts';
import { ensureSandbox, sandboxCredentials } from '#service/oauth/sandbox.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { cellOf } from './cell-of.ts';
import { newDatabase, type Engine } from './engines.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { fetchAccessToken } from '#test/stories/service-process.ts';

type Options = {
  folder?: string;
  engine?: Engine;
  /** The database of an earlier service. */
  location?: DatabaseLocation;
  clock?: ReturnType<typeof createManualClock>;
  config?: Partial<Config>;
  policy?: 'local' | 'public';
  limit?: number;
};

/** The machine's, by which the delivery looks for due retries every 50 ms instead of 2 s. */
const machineClock: Clock = {
  ...systemClock,
  after: (delayMs, run) => systemClock.after(delayMs === 2_000 ? 50 : delayMs, run),
};

type Seen = { trigger?: Trigger; observed?: readonly Evidence[]; timeline?: () => Timeline };

export async function startMonitorService(options: Options = {}) {
  const folder = options.folder ?? temporaryFolder();
  const clock = options.clock ?? createManualClock();
  const config = configWith({ dataFolder: folder, accessTokenSeconds: 31_536_000, ...options.config });
  const log = pino({ level: 'silent' });
  const location = options.location ?? (await newDatabase(options.engine ?? 'sqlite', folder));
  const database = await openServiceDatabase({ ...location, clock, log });
  const passwords = createPasswords({ cost: 2 ** 10, passes: 1 });
  const sandbox = await ensureSandbox({ db: database.db, clock, passwords, credentials: sandboxCredentials(folder) });
  const oauth = createOAuth({ config, clock, machineClock, log, db: database.db, passwords });
  const socket = await bindSocket('127.0.0.1', 0, undefined);
  const raining = new Set<string>();
  const seen = new Map<string, Seen>();
  const looks: LatLng[] = [];
  let pause: ProviderPause | undefined;
  const monitors = createMonitors({
    inbox: { signingKey: Buffer.alloc(32, 1), baseUrl: socket.baseUrl },
    config,
    database,
    clock,
    machineClock,
    log,
    policy: { kind: options.policy ?? 'local', allowlist: config.callbackAllowlist, ownPort: socket.port },
    seal: createSecretSeal({ ...config, folder: serviceFolder(config) }),
    cellOf,
    precipitationAt: async (place) => {
      looks.push(place);
      return { isPrecipitating: raining.has(cellOf(place)), ...seen.get(cellOf(place)) };
    },
    providerPause: () => pause,
    isAtSea: async (place) => countryAt(place) === undefined,
    requireBearer: oauth.requireBearer,
    isStillValid: oauth.isStillValid,
    limitOf: async () => ({ limit: options.limit ?? config.monitorLimit, plan: undefined }),
    random: () => 0.5,
    onAttempt: () => {},
  });
  const { server, attach } = createHttpServer(socket, log);
  await oauth.registerRoutes(server, socket.baseUrl);
  monitors.registerRoutes(server);
  await server.ready();
  attach();
  monitors.start();

  let closing: Promise<void> | undefined;
  const close = () =>
    (closing ??= (async () => {
      const closed = closeSocket(socket, 200);
      await monitors.close(500);
      await closed;
      await server.close();
      await oauth.close();
      await database.close();
    })());
  onTestFinished(close);

  const token = await fetchToken(socket.baseUrl, sandbox);
  const call = apiCaller(socket.baseUrl, token);
  return {
    baseUrl: socket.baseUrl,
    folder,
    location,
    clock,
    db: database.db,
    database,
    sandbox,
    oauth,
    http: socket.http,
    monitors,
    looks,
    token,
    call,
    close,
    rainAt: (place: LatLng) => void raining.add(cellOf(place)),
    dryAt: (place: LatLng) => void raining.delete(cellOf(place)),
    /** What looks at the place see from now on, and what its events are based on. */
    see: (place: LatLng, what: Seen) => void seen.set(cellOf(place), what),
    sweep: () => monitors.sweepNow(),
    pauseProvider: (next: ProviderPause) => void (pause = next),
    async addMonitor(callbackUri: string, geo: LatLng = turin, options: MonitorOptions = {}): Promise<string> {
      const answer = await call('POST', '/v2/monitors/', {
        monitor_type: 'precipitation',
        callback_uri: callbackUri,
        geo,
        ...options,
      });
      if (answer.status !== 201) throw new Error(`POST /v2/monitors/ answered ${answer.status}: ${answer.text}`);
      return (answer.json as { id: string }).id;
    },
  };
}

export type MonitorService = Awaited<ReturnType<typeof startMonitorService>>;

export const turin: LatLng = { lat: 45.07, lng: 7.69 };
export const oslo: LatLng = { lat: 59.91, lng: 10.75 };

export function fetchToken(baseUrl: string, credentials: { clientId: string; clientSecret: string }, form?: string) {
  return fetchAccessToken({ baseUrl, ...credentials }, form);
}

/** Calls the API with a token; `body` is JSON, or a text that is sent as it is. */
export function apiCaller(baseUrl: string, token: string | undefined) {
  return async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        // After a long turn of this process, the server has closed idle connections, which a request must not find.
        connection: 'close',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: (isJson ? JSON.parse(text) : undefined) as unknown,
    };
  };
}
