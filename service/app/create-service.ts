// The service's composition root: opens its resources in an order that lets each failure be reported in one sentence, wires them
// manually, and accepts requests when it resolves.
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { type Clock, describeStorageError, once, parseTimestamp, systemClock } from '@rainbell/shared';
import { type CallbackPolicy, describeReports } from '@rainbell/shared/node';
import { formatHttpDate, type LatLng, type ServiceAnnouncement } from '@rainbell/contract/service-api';
import { databaseLocation, isLocalService, reportedDatabases, serviceFolder, type Config } from '../config/config.ts';
import { hasPart } from '../config/settings.ts';
import { migrations, openServiceDatabase } from './open-service-database.ts';
import { createDatabaseClock, readServerTime } from '../database/database-clock.ts';
import { executedMigrations } from '../database/migrate.ts';
import type { Database } from '../database/open-database.ts';
import { createAdmission } from '../limits/admission.ts';
import type { Fleet } from '../limits/limiter.ts';
import { createHealth, type Health, type MigrationState } from '../http/health.ts';
import { noteRoute, traceRequests } from '../http/request-trace.ts';
import type { Metrics } from './metrics.ts';
import { createHourlyChores } from './hourly-chores.ts';
import {
  apiCorsHeaders,
  type BoundSocket,
  bindSocket,
  closeSocket,
  createHttpServer,
  createLateRoutes,
  endConnectionsGently,
  type PreHandler,
  refuseAll,
} from '../http/server.ts';
import { createLinks } from '../mail/links.ts';
import { createMailer } from '../mail/mailer.ts';
import { createOutbox } from '../mail/outbox.ts';
import { registerMetagRoutes } from '../metags/metag-routes.ts';
import { createMetagStore } from '../metags/metag-store.ts';
import { StartError } from '../errors/start-error.ts';
import { createMonitors, type Monitors } from './create-callbacks.ts';
import { createOAuth } from '../oauth/create-oauth.ts';
import { openSandbox, type Sandbox } from '../oauth/sandbox.ts';
import { createPasswords, type Passwords } from '../accounts/passwords.ts';
import { ensureSigningKey } from '../secrets/stored-keys.ts';
import { createIncidentNotifier } from '../monitors/incidents.ts';
import { readSweep } from '../monitors/sweep/watched-cells.ts';
import { requireRightKey } from '../secrets/secret-keys.ts';
import { createSecretSeal } from '../secrets/secret-seal.ts';
import { createMovableClock, type MovableClock } from '../sandbox/movable-clock.ts';
import { createWeatherFaults } from '../weather/weather-faults.ts';
import { registerSandboxRoutes } from '../sandbox/sandbox-routes.ts';
import { createSetupCode, homeUrl, machineAddresses } from '../setup/setup-code.ts';
import { createPlaces, type Places } from '../places/create-places.ts';
import { createPrecipitationAt } from '../monitors/sweep/sweep.ts';
import { createBacktests } from '../verification/backtest.ts';
import { registerBacktestRoutes } from '../verification/backtest-routes.ts';
import { createHistoricalForecast } from '../weather/providers/open-meteo/historical-forecast.ts';
import { createWeatherStore } from '../weather/stored/weather-store.ts';
import { cellOf } from '../weather/reading/cells.ts';
import { Weather } from '../weather/weather.ts';
import { registerIconRoutes } from '../icons/icon-routes.ts';
import { createWeatherFastPath } from '../weather/response/weather-fast-path.ts';
import { registerWeatherRoutes } from '../weather/weather-routes.ts';
import type { WebsiteDependencies } from '../website/website.ts';
import { registerOpenApiRoute } from '../website/openapi/openapi-route.ts';
import { collectOperations } from '../http/operation.ts';

export type Service = {
  announcement: ServiceAnnouncement;
  /** Of a service at home without an account: the path of its first page, with the code. */
  setupPath: string | undefined;
  close(): Promise<void>;
};

export type ServiceOptions = {
  config: Config;
  /** The machine's clock; the service's clock can be moved relative to it. */
  clock: Clock;
  log: Logger;
  /** Entry points of worker threads; the host knows their bundled location. */
  workers: { places: URL };
  /** Hashes at the usual cost if absent. */
  passwords?: Passwords;
};

const drainMs = 5_000;
const unencryptedWarning =
  'Webhook secrets are stored unencrypted in this PostgreSQL database, because no key is set. Set RAINBELL_SECRET_KEY to the ' +
  'same key of at least 16 characters for every process (for example, from "openssl rand -base64 24"), and restart them all. ' +
  'Each stored secret is then encrypted the next time it is used.';
const openLan =
  'RAINBELL_REGISTRATION=open and --allow-lan (RAINBELL_CALLBACK_LAN=on) exclude each other: anyone could make this service send ' +
  'requests into your network. Remove one of them, or set RAINBELL_CALLBACK_LAN=anyone if that is what you want.';
const noProxiesWarning =
  'RAINBELL_TRUSTED_PROXIES is not set. If clients connect through a proxy, they all appear to have its address and share one ' +
  "client's limits. In that case, set the variable to the proxy's addresses.";
const publicNotice =
  'The service is public (see RAINBELL_HOST, RAINBELL_PUBLIC_URL, RAINBELL_TRUSTED_PROXIES): it has no sandbox.';
const localLinksWarning =
  'Links in emails point to the address that the service listens on, because RAINBELL_PUBLIC_URL is not set. Set it to the URL ' +
  'that users open.';

/** Listens when it resolves. Rejects with a StartError if the machine does not allow it. */
export async function createService(options: ServiceOptions): Promise<Service> {
  const { config, log, clock } = options;
  if (config.callbackLan === 'on' && config.registration === 'open') throw new StartError('settings', openLan);
  const health = createHealth({ clock, role: config.role });
  const bound = await bindSocket(config.host, config.port, config.publicUrl, undefined, health.answer);
  const socket = config.isHome && config.publicUrl === undefined ? { ...bound, baseUrl: homeUrl(bound) } : bound;
  const measured: Opened['measured'] = {};
  const isObserved = config.accessLog === 'on' || config.metricsAddress !== undefined;
  traceRequests(socket.http, {
    trustsHeader: config.trustedProxies.length > 0,
    onEnd: isObserved
      ? (request) => {
          measured.metrics?.requestEnded(request);
          if (config.accessLog === 'on') log.info(request, 'request');
        }
      : undefined,
  });
  try {
    const database = await openServiceDatabase({ ...databaseLocation(config), clock, log });
    for (const words of describeReports(reportedDatabases(config))) log.warn(words);
    try {
      return await compose(options, { socket, health, database, measured });
    } catch (error) {
      await database.close();
      throw error;
    }
  } catch (error) {
    await closeSocket(socket);
    throw error;
  }
}

type Opened = { socket: BoundSocket; health: Health; database: Database; measured: { metrics?: Metrics } };

async function compose(options: ServiceOptions, { socket, health, database, measured }: Opened): Promise<Service> {
  const { config, log, clock: machineClock, passwords = createPasswords() } = options;
  const { provider, role } = config;
  const { baseUrl, port } = socket;
  const { db } = database;
  const { clock, stopClock } = await openClock(options, database);
  sendMovedDate(socket, clock);
  const isLocal = isLocalService(config);
  if (!isLocal) log.info(publicNotice);
  const seal = createSecretSeal({ ...config, folder: serviceFolder(config) });
  await requireRightKey(db, seal);
  if (seal.source === 'none') log.warn(unencryptedWarning);
  // Before the first page is opened, because opening a page writes nothing.
  const signingKey = await ensureSigningKey(db);
  const fleet = database.engine === 'postgres' ? db : undefined;
  warnOfProxies(options, database);
  const oauth = createOAuth({ config, clock, machineClock, log, db, passwords, fleet });
  const { requireBearer, isStillValid, monitorLimitOf: limitOf } = oauth;
  const sandbox = await openSandbox({ database, clock, log, passwords, seal, folder: serviceFolder(config), isLocal });
  const places = createPlaces({ workerUrl: options.workers.places, log, clock: machineClock });
  const metags = createMetagStore({ db, clock });
  const countPlaces = async () => (await readSweep(db, clock.now())).cells;
  const store = createWeatherStore({ db, clock, log, maxRows: async () => storedRows(await countPlaces()) });
  const weather = new Weather({ config, clock, machineClock, log, store, places, metags, fleet, countPlaces });
  const monitors = createMonitors({
    config,
    database,
    clock,
    log,
    policy: callbackPolicyOf(config, port),
    seal,
    ...watchedWeather(weather, places, clock),
    requireBearer,
    isStillValid,
    limitOf,
    inbox: { signingKey, baseUrl },
    random: Math.random,
    onAttempt: (state, ms) => measured.metrics?.attemptEnded(state, ms),
  });

  const { outbox, links, mailer, startMail, closeMail } = openMail(options, { db, clock, fleet, baseUrl });
  const chores = createHourlyChores({ database, outbox, clock, machineClock, log });
  const { server, attach } = createHttpServer(socket, log, config.trustedProxies);
  const operations = collectOperations(server);
  const admission = createAdmission({ accountOf: oauth.accountOf });
  admission.guard(server);
  await oauth.registerRoutes(server, baseUrl);
  const { http, simulation, source } = weather.observed;
  const historical = createHistoricalForecast({ config, fetchJson: http.fetchJson, fleet });
  const backtests = createBacktests({ clock, machineClock, choice: source.choice, historical, simulation });
  registerBacktestRoutes(server, { backtests, requireBearer });
  const { respondFast, faults } = registerAllWeather(server, { weather, clock, oauth, baseUrl });
  registerIconRoutes(server);
  monitors.registerRoutes(server);
  registerMetagRoutes(server, { store: metags, requireBearer, onReport: (place) => weather.clearResponses(place) });
  registerOpenApiRoute(server, baseUrl, operations);
  if (sandbox) {
    registerSandboxRoutes(server, {
      clock,
      weather: weather.sandbox,
      faults,
      requireBearer,
      applicationId: sandbox.applicationId,
      port,
      webhookSecretsOf: monitors.secrets.activeFor,
      ...monitors,
    });
  }
  await server.ready();
  const setupCode = await createSetupCode(config, oauth.accounts, machineClock);
  const pages = openPages(socket, {
    config,
    clock,
    fleet,
    log,
    db,
    oauth,
    baseUrl,
    signingKey,
    admission,
    mailer,
    links,
    api: server,
    operations,
    ...monitors,
    locate: places.locate,
    weatherStatus: () => weather.status(),
    setupCode,
  });
  attach(health.answer, ...(hasPart(role, 'api') ? [respondFast, pages] : [refuseAll(role)]));
  // Resolve the start first. The cities take some hundred milliseconds to load, in a separate thread: before the first request.
  const beginning = setImmediate(() => {
    monitors.start();
    if (hasPart(role, 'sweeper')) chores.start();
    startMail();
    database.keepCopies?.();
    if (hasPart(role, 'api')) void places.locate({ lat: 0, lng: 0 });
    void weather.observed.interval().then((interval) => interval !== undefined && log.info(interval));
  });
  log.info({ baseUrl, provider, database: database.engine, role }, 'the service is ready');
  if (config.metricsAddress !== undefined) {
    const { startMetrics } = await import('./metrics.ts');
    measured.metrics = await startMetrics(config.metricsAddress, { role, database, weather, clock, log });
  }
  health.started(() => migrationState(database));
  const rest = [
    () => server.close(),
    closeMail,
    chores.close,
    () => oauth.close(),
    () => weather.close(),
    () => places.close(),
    async () => stopClock(),
    async () => measured.metrics?.close(),
    () => database.close(),
  ];
  return {
    announcement: { baseUrl, authUrl: baseUrl, ...credentialsOf(sandbox) },
    setupPath: setupCode && `/setup/?code=${setupCode.text}`,
    close: once(() => shutDown({ config, health, socket, monitors, weather, beginning }, rest)),
  };
}

/** The maximum, about 10 KB each: several sources have readings of a watched place. */
const storedRows = (places: number) => Math.max(10_000, 3 * places);

function warnOfProxies({ config, log }: ServiceOptions, { engine }: Database): void {
  const servesClients = hasPart(config.role, 'api') && !isLocalService(config);
  if ((engine === 'postgres' || config.role !== 'all') && servesClients && config.trustedProxies.length === 0) {
    log.warn(noProxiesWarning);
  }
}

function callbackPolicyOf(config: Config, ownPort: number): CallbackPolicy {
  return {
    kind: isLocalService(config) ? 'local' : 'public',
    allowlist: config.callbackAllowlist,
    allowsLan: config.callbackLan !== 'off',
    ownPort,
    ownAddresses: machineAddresses,
  };
}

function watchedWeather(weather: Weather, places: Places, clock: Clock) {
  return {
    cellOf,
    precipitationAt: createPrecipitationAt(weather, clock),
    prepare: (around: readonly LatLng[]) => weather.prepare(around),
    providerPause: () => weather.observed.source.pause(),
    isAtSea: async (place: LatLng) => !(await places.locate(place)) && places.isKnown(place),
    regionOf: async (place: LatLng) => (await places.locate(place))?.country ?? '',
  };
}

type Running = {
  config: Config;
  health: Health;
  socket: BoundSocket;
  monitors: Monitors;
  weather: Weather;
  beginning: NodeJS.Immediate;
};

/** Rejects new requests, lets pending sends finish, and closes the rest, each part even if others fail. */
async function shutDown(running: Running, rest: readonly (() => Promise<void>)[]): Promise<void> {
  const { config, health, socket, monitors, weather, beginning } = running;
  health.drain();
  endConnectionsGently(socket);
  monitors.endWaits();
  const delayMs = config.drainSeconds * 1000;
  if (delayMs > 0) await new Promise<void>((resolve) => void systemClock.after(delayMs, resolve));
  clearImmediate(beginning);
  const socketClosed = closeSocket(socket);
  // Sweeps and responses that wait for a provider would delay the shutdown.
  await Promise.allSettled([weather.observed.endRequests()]);
  const failures: unknown[] = [];
  await monitors.close(drainMs).catch((error: unknown) => failures.push(error));
  await socketClosed;
  for (const close of rest) await close().catch((error: unknown) => failures.push(error));
  if (failures.length === 0) return;
  const phrase = failures.map(describeStorageError).find((words) => words !== undefined) ?? 'see the log';
  throw new AggregateError(failures, `some recent data could not be saved (${phrase})`);
}

/** The service's clock: on PostgreSQL the database's, in both cases moved as set by the settings or the sandbox. */
async function openClock({ config, clock: machineClock, log }: ServiceOptions, { db, engine }: Database) {
  const shared =
    engine === 'postgres'
      ? await createDatabaseClock({ machineClock, readServerTime: () => readServerTime(db), log })
      : undefined;
  const startsAt = config.clockStart === undefined ? undefined : parseTimestamp(config.clockStart);
  return { clock: createMovableClock(shared ?? machineClock, startsAt), stopClock: () => shared?.close() };
}

/** Sends the Date of a clock that was moved; by the machine's, clients would call its weather old. */
function sendMovedDate({ http }: BoundSocket, clock: MovableClock): void {
  http.prependListener('request', (_request, response) => {
    if (clock.aheadMs() !== 0) response.setHeader('date', formatHttpDate(clock.now()));
  });
}

function openMail(
  { config, log }: ServiceOptions,
  { db, clock, fleet, baseUrl }: { db: Database['db']; clock: Clock; fleet: Fleet; baseUrl: string },
) {
  const outbox = createOutbox({ db, clock, fleet });
  if (config.smtpUrl !== undefined && config.publicUrl === undefined) log.warn({ baseUrl }, localLinksWarning);
  const links = createLinks({ db, clock, baseUrl });
  const mailer = createMailer({ config, outbox, links, clock, log, sends: hasPart(config.role, 'sender') });
  const incidents = createIncidentNotifier({ db, clock, log, mailer, baseUrl });
  const startMail = () => {
    if (!hasPart(config.role, 'sender')) return;
    void mailer.deliver();
    incidents.start();
  };
  const closeMail = async () => {
    await incidents.close();
    await mailer.close();
  };
  return { outbox, links, mailer, startMail, closeMail };
}

/** Opens the website for all paths that no API route starts with; loaded on its first request. */
function openPages(socket: BoundSocket, needs: WebsiteDependencies & { config: Config }) {
  const apiRoots = new Set(needs.operations.map(({ path }) => rootOf(path)));
  return createLateRoutes({
    isTheirs: (url) => !apiRoots.has(rootOf(url)),
    log: needs.log,
    async open() {
      const { registerWebsite } = await import('../website/register-website.ts');
      const site = createHttpServer(socket, needs.log, needs.config.trustedProxies);
      await registerWebsite(site.server, needs);
      await site.server.ready();
      return site.answer;
    },
  });
}

type WeatherDependencies = {
  clock: Clock;
  weather: Weather;
  oauth: ReturnType<typeof createOAuth>;
  baseUrl: string;
};

function registerAllWeather(server: FastifyInstance, { weather, clock, oauth, baseUrl }: WeatherDependencies) {
  const { requireBearer } = oauth;
  const fastPath = createWeatherFastPath({
    peekResponse: (place: LatLng) => weather.peekResponse(place),
    countRequest: (token) => oauth.countKnown(token),
    corsHeaders: apiCorsHeaders,
  });
  const faults = createWeatherFaults(clock);
  registerWeatherRoutes(server, { weather, clock, requireBearer, baseUrl, fastPath, faults });
  const respondFast: PreHandler = (request, response) => {
    const isHandled = !faults.isOn() && fastPath.respond(request, response);
    if (isHandled) noteRoute(request, '/v2/weather/');
    return isHandled;
  };
  return { respondFast, faults };
}

async function migrationState({ db, engine }: Database): Promise<MigrationState> {
  // Fails on a server that only reads, such as one that was demoted by a failover.
  if (engine === 'postgres') await sql`select 1 from chores limit 0 for update`.execute(db);
  const executed = new Set(await executedMigrations(db));
  const isCurrent = Object.keys(migrations).every((migration) => executed.delete(migration));
  if (!isCurrent) return 'pending';
  return executed.size > 0 ? 'newer' : 'current';
}

function credentialsOf(sandbox: Sandbox | undefined) {
  if (!sandbox) return { clientId: null, clientSecret: null, redirectUri: null, username: null, password: null };
  const { applicationId: _, ...credentials } = sandbox;
  return credentials;
}

/** The first segment of a path: `v2` of `/v2/weather/?location_lat=1`. Proxies may send an absolute URL. */
function rootOf(url: string): string {
  const path = url.startsWith('/') ? url : (URL.parse(url)?.pathname ?? '');
  return path.split(/[/?]/, 2)[1] ?? '';
}
