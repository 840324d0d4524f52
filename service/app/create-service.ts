// The service's composition root: opens what it needs, in an order in which each failure can still be told in one sentence,
// wires it by hand, and answers when it resolves.
import type { Logger } from 'pino';
import type { Clock } from '#shared/time/clock.ts';
import type { ServiceIntroduction } from '#contract/service-api/sandbox.ts';
import { describeStorageError } from '#shared/errors/storage-error.ts';
import { parseTimestamp } from '#contract/service-api/timestamp.ts';
import { describeReports } from '#storage/damage-reports.ts';
import { isLoopback } from '#shared/network/loopback.ts';
import { databaseLocation, reportedDatabases, serviceFolder, type Config } from '#service/config/config.ts';
import { openServiceDatabase } from '#service/app/open-service-database.ts';
import type { Database } from '#service/database/open-database.ts';
import { createAdmission } from '#service/limits/admission.ts';
import { createLateRoutes } from '#service/http/late-routes.ts';
import { apiCorsHeaders, type BoundSocket, bindSocket, closeSocket, createHttpServer } from '#service/http/server.ts';
import { createHousekeeping } from '#service/database/housekeeping.ts';
import { createLinks } from '#service/mail/links.ts';
import { createMailer } from '#service/mail/mailer.ts';
import { createOutbox } from '#service/mail/outbox.ts';
import { registerMetagRoutes } from '#service/metags/metag-routes.ts';
import { createMetagStore } from '#service/metags/metag-store.ts';
import { createMonitors, type Monitors } from './create-callbacks.ts';
import { createOAuth } from '#service/oauth/create-oauth.ts';
import { ensureSandbox } from '#service/oauth/sandbox-application.ts';
import { createPasswords, type Passwords } from '#service/accounts/passwords.ts';
import { ensureSigningKey } from '#service/accounts/signing-key.ts';
import { requireRightKey } from '#service/delivery/secret-keys.ts';
import { createSecretSeal } from '#service/secrets/secret-seal.ts';
import { createMovableClock } from '#service/sandbox/movable-clock.ts';
import { createWeatherFaults } from '#service/weather/weather-faults.ts';
import { registerSandboxRoutes } from '#service/sandbox/sandbox-routes.ts';
import { createPlaces } from '#service/places/create-places.ts';
import { createWeather } from '#service/weather/create-weather.ts';
import { registerIconRoutes } from '#service/icons/icon-routes.ts';
import { createWeatherFastPath } from '#service/weather/answer/weather-fast-path.ts';
import { registerNowcastRoutes } from '#service/weather/nowcast-routes.ts';
import { registerWeatherRoutes } from '#service/weather/weather-routes.ts';
import { registerOpenApiRoute } from '#service/website/openapi/openapi-route.ts';
import { collectOperations } from '#service/http/operation.ts';

export type Service = { introduction: ServiceIntroduction; close(): Promise<void> };

export type ServiceOptions = {
  config: Config;
  /** The machine's clock; the service's own can be moved against it. */
  clock: Clock;
  log: Logger;
  /** Entry points of worker threads; the host knows where they were bundled. */
  workers: { places: URL };
  /** Hashes at the usual cost if absent. */
  passwords?: Passwords;
};

const drainMs = 5_000;
const unencryptedWarning =
  'Webhook secrets are stored unencrypted in this PostgreSQL database, since no key is set. Set RAINBELL_SECRET_KEY to the ' +
  'same text of 16 characters or more for every process (for instance from "openssl rand -base64 24") and restart them; ' +
  'what is stored is encrypted when it is next used.';
const localLinksWarning =
  'Links in emails lead to the address that the service listens on, since RAINBELL_PUBLIC_URL is not set. Set it to the URL ' +
  'that users open.';

/** Listens when it resolves. Rejects with a StartError where the machine does not allow it. */
export async function createService(options: ServiceOptions): Promise<Service> {
  const { config } = options;
  const socket = await bindSocket(config.host, config.port, config.publicUrl);
  try {
    const database = await openServiceDatabase({ ...databaseLocation(config), clock: options.clock, log: options.log });
    for (const words of describeReports(reportedDatabases(config))) options.log.warn(words);
    try {
      return await compose(options, socket, database);
    } catch (error) {
      await database.close();
      throw error;
    }
  } catch (error) {
    await closeSocket(socket);
    throw error;
  }
}

async function compose(options: ServiceOptions, socket: BoundSocket, database: Database): Promise<Service> {
  const { config, log, clock: machineClock } = options;
  const { baseUrl, port } = socket;
  const { db } = database;
  const clock = createMovableClock(
    machineClock,
    config.clockStart === undefined ? undefined : parseTimestamp(config.clockStart),
  );
  const isLocal = isLoopback(config.host);
  const { passwords = createPasswords() } = options;
  const seal = createSecretSeal({ ...config, folder: serviceFolder(config) });
  await requireRightKey(db, seal);
  if (seal.source === 'none') log.warn(unencryptedWarning);
  const oauth = createOAuth({ config, clock, machineClock, log, db, passwords });
  const sandbox = await ensureSandbox({ db, clock, passwords, dataFolder: serviceFolder(config) });
  // Before the first page is opened, since opening a page writes nothing.
  const signingKey = await ensureSigningKey(db);
  const places = createPlaces({ workerUrl: options.workers.places, log, clock: machineClock });
  const metags = createMetagStore({ db, clock });
  const weather = createWeather({ config, clock, machineClock, log, db, places, metags });
  const monitors = createMonitors({
    config,
    database,
    clock,
    machineClock,
    log,
    policy: { kind: isLocal ? 'local' : 'public', allowlist: config.callbackAllowlist, ownPort: port },
    seal,
    cellOf: (place) => weather.cellOf(place),
    precipitationAt: (place) => weather.precipitationAt(place),
    providerPause: () => weather.providerPause(),
    requireBearer: oauth.requireBearer,
    limitOf: (applicationId) => oauth.monitorLimitOf(applicationId),
    random: Math.random,
    isSandbox: isLocal,
  });

  oauth.onRemoval(() => monitors.secrets.forget());

  const outbox = createOutbox({ db, clock });
  if (config.smtpUrl !== undefined && config.publicUrl === undefined) log.warn({ baseUrl }, localLinksWarning);
  const links = createLinks({ db, clock, baseUrl });
  const mailer = createMailer({ config, outbox, links, clock, log });
  const mailKeeping = createHousekeeping({
    clock,
    work: () => outbox.forgetOld(),
    onError: (error) => log.error({ err: error }, 'old emails were not deleted'),
  });
  mailKeeping.start();

  const { server, attach } = createHttpServer(socket, log, config.trustedProxies);
  const operations = collectOperations(server);
  const { requireBearer } = oauth;
  const admission = createAdmission({ isKnownToken: oauth.remembers });
  admission.guard(server);
  await oauth.registerRoutes(server, baseUrl);
  const fastPath = createWeatherFastPath({
    peekAnswer: (cellKey) => weather.peekAnswer(cellKey),
    peekAccess: (token) => oauth.peek(token),
    corsHeaders: apiCorsHeaders,
  });
  const faults = createWeatherFaults(clock);
  registerWeatherRoutes(server, { weather, requireBearer, baseUrl, fastPath, faults });
  registerNowcastRoutes(server, { weather, clock, requireBearer });
  registerIconRoutes(server);
  monitors.registerRoutes(server);
  registerMetagRoutes(server, { store: metags, requireBearer, onReport: () => weather.forgetAnswers() });
  registerOpenApiRoute(server, baseUrl, operations);
  if (config.sandboxControl === 'on' || (config.sandboxControl === 'auto' && isLocal)) {
    const { sweepNow } = monitors;
    registerSandboxRoutes(server, {
      clock,
      weather: weather.sandbox,
      faults,
      requireBearer,
      applicationId: sandbox.applicationId,
      port,
      webhookSecretsOf: monitors.secrets.activeFor,
      trustAuthority: monitors.trustAuthority,
      triggerRadiusKm: config.triggerRadiusKm,
      sweepNow,
    });
  }
  await server.ready();
  // What no route of the API starts with belongs to the website.
  const apiRoots = new Set(operations.map(({ path }) => rootOf(path)));
  const pages = createLateRoutes({
    isTheirs: (url) => !apiRoots.has(rootOf(url)),
    log,
    async open() {
      const { registerWebsite } = await import('#service/website/register-website.ts');
      const site = createHttpServer(socket, log, config.trustedProxies);
      await registerWebsite(site.server, {
        config,
        clock,
        log,
        db,
        oauth,
        baseUrl,
        signingKey,
        admission,
        mailer,
        outbox,
        links,
        api: server,
        operations,
        deliveryLog: monitors.deliveryLog,
        secrets: monitors.secrets,
      });
      await site.server.ready();
      return site.answer;
    },
  });
  attach((request, response) => !faults.isOn() && fastPath.answer(request, response), pages);
  // Whoever waits for the start is told first. The cities take some hundred milliseconds to load, in their own thread: before the
  // first client asks.
  const beginning = setImmediate(() => {
    monitors.start();
    void mailer.deliver();
    void places.locate({ lat: 0, lng: 0 });
  });
  log.info({ baseUrl, provider: config.provider, database: database.engine }, 'the service is ready');
  const { applicationId: _, ...credentials } = sandbox;
  return {
    introduction: { baseUrl, authUrl: baseUrl, ...credentials },
    close: once(async () => {
      clearImmediate(beginning);
      // Sweeps and answers that wait for a provider would keep the service from ending.
      await Promise.allSettled([weather.endRequests()]);
      return closeAll(socket, monitors, [
        () => server.close(),
        () => mailer.close(),
        () => mailKeeping.close(),
        () => oauth.close(),
        () => weather.close(),
        () => places.close(),
        () => database.close(),
      ]);
    }),
  };
}

/**
 * New requests are refused first; then events that are being sent may finish, and at last the rest closes, each part
 * whatever became of the others. Throws afterwards what could not be stored.
 */
async function closeAll(
  socket: BoundSocket,
  monitors: Monitors,
  rest: readonly (() => Promise<void>)[],
): Promise<void> {
  const socketClosed = closeSocket(socket);
  const failures: unknown[] = [];
  await monitors.close(drainMs).catch((error: unknown) => failures.push(error));
  await socketClosed;
  for (const close of rest) await close().catch((error: unknown) => failures.push(error));
  if (failures.length === 0) return;
  const trouble = failures.map(describeStorageError).find((words) => words !== undefined) ?? 'see the log';
  throw new AggregateError(failures, `not all of its last figures could be stored (${trouble})`);
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}

/** The first segment of a path: `v2` of `/v2/weather/?location_lat=1`. Proxies may send an absolute URL. */
function rootOf(url: string): string {
  const path = url.startsWith('/') ? url : (URL.parse(url)?.pathname ?? '');
  return path.split(/[/?]/, 2)[1] ?? '';
}
