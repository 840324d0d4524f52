// Monitors, their watch and the delivery of their events, put together. One per service process.
import { randomUUID } from 'node:crypto';
import { lookup as systemLookup } from 'node:dns';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { CallbackPolicy } from '#shared/network/callback-address.ts';
import { createCallbackGuard, type CallbackGuard } from '#shared/network/callback-guard.ts';
import { systemClock, type Clock } from '#shared/time/clock.ts';
import type { LatLng } from '#contract/service-api/geo.ts';
import type { Config } from '#service/config/config.ts';
import type { Database } from '#service/database/open-database.ts';
import { readCallbackCertificates } from '#service/delivery/callback-certificates.ts';
import { createDeliveryLog, type DeliveryLog } from '#service/delivery/delivery-log.ts';
import { createDeliveryQueue } from '#service/delivery/delivery-queue.ts';
import { registerDeliveryRoutes } from '#service/delivery/delivery-routes.ts';
import { createNameLookup } from '#service/delivery/name-lookup.ts';
import { createOutbox } from '#service/delivery/outbox.ts';
import { deleteOldDeliveries } from '#service/delivery/retention.ts';
import { createCallbackSender } from '#service/delivery/send-callback.ts';
import type { SecretSeal } from '#service/secrets/secret-seal.ts';
import { createWebhookSecrets, type WebhookSecrets } from '#service/delivery/webhook-secrets.ts';
import { createHousekeeping } from '#service/database/housekeeping.ts';
import type { RequireBearer } from '#service/http/access.ts';
import { ServiceError } from '#service/errors/service-error.ts';
import type { MonitorLimit } from '#service/accounts/plans.ts';
import type { Area } from '#service/watch/area.ts';
import { createMonitorExplainer } from '#service/watch/explain-monitor.ts';
import { createPrecipitationWatch, type PrecipitationAt } from '#service/watch/precipitation-watch.ts';
import type { ProviderPause } from '#service/watch/sweep-decision.ts';
import { createWatchStore } from '#service/watch/watch-store.ts';
import { found, registerMonitorRoutes, requireOwnCredentials } from '#service/monitors/monitor-routes.ts';
import { createMonitorStore } from '#service/monitors/monitor-store.ts';

export type Monitors = {
  registerRoutes(server: FastifyInstance): void;
  secrets: WebhookSecrets;
  deliveryLog: DeliveryLog;
  /** Callbacks trust this certificate authority (PEM) besides the others, or that one no more; until the process ends. */
  trustAuthority(pem: string | null): void;
  /** Begins to watch and to deliver. */
  start(): void;
  /** Looks anew at the cells of an area, or at all; resolves when the events that follow are claimed. */
  sweepNow(area?: Area): Promise<void>;
  close(drainMs: number): Promise<void>;
};

export type MonitorsOptions = {
  config: Config;
  database: Database;
  clock: Clock;
  machineClock: Clock;
  log: Logger;
  policy: CallbackPolicy;
  /** How webhook secrets are stored. */
  seal: SecretSeal;
  cellOf: (place: LatLng) => string;
  precipitationAt: PrecipitationAt;
  providerPause: () => ProviderPause | undefined;
  requireBearer: RequireBearer;
  limitOf: (applicationId: string) => Promise<MonitorLimit>;
  random: () => number;
  /** "Send test event" exists (docs/delivery.md S15). */
  isSandbox: boolean;
};

export function createMonitors(options: MonitorsOptions): Monitors {
  const { config, database, clock, machineClock, log } = options;
  const { db } = database;
  // On a person's own machine the hosts file counts first.
  const lookup = options.policy.kind === 'public' ? createNameLookup() : systemLookup;
  const guard = createCallbackGuard({ policy: options.policy, lookup, clock: machineClock });
  const store = createMonitorStore({ db, clock, cellOf: options.cellOf });
  const secrets = createWebhookSecrets({ db, clock, seal: options.seal });
  const timeoutMs = config.deliveryTimeoutSeconds * 1000;
  let extraCaPem: string | undefined;
  const transport = {
    caPem: readCallbackCertificates(config.callbackCaFile),
    extraCaPem: () => extraCaPem,
    proxyUrl: config.callbackProxyUrl,
  };
  const outbox = createOutbox(database, randomUUID());
  const startDelivery = () =>
    createDeliveryQueue({
      clock,
      // Sending, holding and draining go by real time, also where a test holds the machine's clock.
      machineClock: systemClock,
      log,
      outbox,
      sender: createCallbackSender({
        guard,
        timeoutMs,
        connectionsPerHost: 4,
        elapsedMs: () => performance.now(),
        transport,
      }),
      secrets,
      rules: { retries: config.deliveryRetries, timeoutMs, random: options.random },
    });
  let delivery: ReturnType<typeof startDelivery> | undefined;
  const intervalMs = config.sweepSeconds * 1000;
  const watch = createPrecipitationWatch({
    clock,
    log,
    store: createWatchStore(database),
    precipitationAt: options.precipitationAt,
    intervalMs,
    claim: async (cells, now) => delivery?.claim(cells, now) ?? (await outbox.claim(cells, now, 0)).count,
  });
  const deliveryLog = createDeliveryLog({ db, clock, onEvents: () => delivery?.wake() });
  const forgetting = createHousekeeping({
    clock: machineClock,
    work: () => deleteOldDeliveries(db, clock.now()),
    onError: (error) => log.error({ err: error }, 'the log was not shortened'),
  });
  return {
    secrets,
    deliveryLog,
    trustAuthority(pem) {
      extraCaPem = pem ?? undefined;
    },
    registerRoutes(server) {
      registerMonitorRoutes(server, {
        store,
        requireBearer: options.requireBearer,
        limitOf: options.limitOf,
        checkCallback: (callbackUri) => refuseForbidden(guard, callbackUri),
        onChange: () => watch.wake(),
      });
      registerDeliveryRoutes(server, {
        log: deliveryLog,
        clock,
        preHandler: [options.requireBearer, requireOwnCredentials],
        monitorOf: async (applicationId, id) => found(await store.find(applicationId, id)),
        limitOf: options.limitOf,
        explain: createMonitorExplainer({
          db,
          clock,
          intervalMs,
          stateOf: deliveryLog.state,
          lastCheck: watch.lastCheck,
          providerPause: options.providerPause,
        }),
        allowsTestEvents: options.isSandbox,
      });
    },
    start() {
      delivery = startDelivery();
      // A file's only service may have had scenarios that ended with it. Among several processes, a start plans nothing
      // anew and takes over no one's cells.
      if (database.engine === 'sqlite') void watch.sweepNow();
      else watch.wake();
      forgetting.start();
    },
    async sweepNow(area) {
      await watch.sweepNow(area);
      delivery?.wake();
    },
    async close(drainMs) {
      await Promise.all([forgetting.close(), watch.close(), delivery?.close(drainMs)]);
    },
  };
}

async function refuseForbidden(guard: CallbackGuard, callbackUri: string): Promise<void> {
  const problem = await guard.problem(callbackUri);
  if (problem === undefined) return;
  throw new ServiceError(
    'invalid_request',
    `callback_uri must not be called: its host ${problem}. Give an address that this service may reach.`,
  );
}
