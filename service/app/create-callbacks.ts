// Combines monitors, their watch, and the delivery of their events. One per service process.
import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { type Clock, isLoopback, systemClock } from '@rainbell/shared';
import { type CallbackPolicy, createCallbackGuard, privateProblem } from '@rainbell/shared/node';
import type { LatLng } from '@rainbell/contract/service-api';
import type { Config } from '../config/config.ts';
import { hasPart } from '../config/settings.ts';
import type { Area } from '../database/area.ts';
import type { Database } from '../database/open-database.ts';
import { Delivery } from '../monitors/delivery/deliver.ts';
import { createDeliveryLog } from '../monitors/delivery/delivery-log.ts';
import { createEventRecords } from '../monitors/events/event-record.ts';
import { registerEventRoutes } from '../monitors/events/event-routes.ts';
import { createFronts } from '../monitors/events/fronts.ts';
import { registerDeliveryRoutes } from '../monitors/delivery-routes.ts';
import { createInbox } from '../inbox/inbox.ts';
import { registerInboxRoutes } from '../inbox/inbox-routes.ts';
import { registerFeedRoutes } from '../monitors/feed/feed-routes.ts';
import { createEventFeed, createFeedWaits } from '../monitors/feed/feed.ts';
import { createNameLookup, createSystemLookup, rememberAddresses } from '../monitors/delivery/name-lookup.ts';
import { createOutbox } from '../monitors/delivery/outbox.ts';
import { createCallbackSender } from '../monitors/delivery/send-callback.ts';
import {
  createAsymmetricSigner,
  createCallbackCredentials,
  createWebhookSecrets,
} from '../monitors/delivery/signing.ts';
import type { SecretSeal } from '../secrets/secret-seal.ts';
import type { RequireBearer } from '../http/access.ts';
import { withoutSlot } from '../http/request-slot.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { MonitorLimit } from '../accounts/plans.ts';
import { createWatchedCells } from '../monitors/sweep/watched-cells.ts';
import { createMonitorExplainer } from '../monitors/sweep/explain-monitor.ts';
import { hasEpisodes, testBodyOf, watchEpisodes } from '../monitors/sweep/episodes.ts';
import { Sweeper, type PrecipitationAt } from '../monitors/sweep/sweep.ts';
import { createOutcomeLog } from '../verification/outcome-log.ts';
import { createVerification } from '../verification/create-verification.ts';
import type { RegionOf } from '../verification/verify-events.ts';
import type { ProviderPause } from '../weather/sources/weather-source.ts';
import { found, registerMonitorRoutes, requireOwnCredentials } from '../monitors/monitor-routes.ts';
import { createMonitorStore } from '../monitors/monitor-store.ts';

export type Monitors = ReturnType<typeof createMonitors>;

export type MonitorsOptions = {
  config: Config;
  database: Database;
  clock: Clock;
  /** Of sending, leases, and draining: real time, even if a test stops the other one. */
  machineClock?: Clock;
  log: Logger;
  policy: CallbackPolicy;
  seal: SecretSeal;
  cellOf: (place: LatLng) => string;
  precipitationAt: PrecipitationAt;
  /** Fetches the weather of many places together, before they are checked individually. */
  prepare?: (places: readonly LatLng[]) => Promise<void>;
  /** For the operator's counts of outcomes by country. */
  regionOf?: RegionOf;
  /** Whether a place is known to be in no country. */
  isAtSea?: (place: LatLng) => Promise<boolean>;
  providerPause: () => ProviderPause | undefined;
  requireBearer: RequireBearer;
  /** Whether the token of an accepted request is still valid; counts nothing. */
  isStillValid: (request: FastifyRequest) => Promise<boolean>;
  limitOf: (applicationId: string) => Promise<MonitorLimit>;
  /** What its addresses are made of. `signingKey`: from stored-keys.ts. */
  inbox: { signingKey: Buffer; baseUrl: string };
  random: () => number;
  onAttempt: (state: string, ms: number) => void;
};

export function createMonitors(options: MonitorsOptions) {
  const { config, database, clock, log, policy } = options;
  const { db } = database;
  // On a user's own computer, the hosts file takes precedence.
  const { lookup, addressOf } = rememberAddresses(policy.kind === 'public' ? createNameLookup() : createSystemLookup());
  const guard = createCallbackGuard({ policy, lookup });
  const store = createMonitorStore({ db, clock, cellOf: options.cellOf, seal: options.seal });
  const secrets = createWebhookSecrets({ db, clock, seal: options.seal });
  const { webhookSigningKey } = config;
  const asymmetricSigner = webhookSigningKey && createAsymmetricSigner(webhookSigningKey);
  const timeoutMs = config.deliveryTimeoutSeconds * 1000;
  let extraCaPem: string | undefined;
  const outbox = createOutbox(database, randomUUID());
  const tellSenders = () => database.notices.send('events');
  /** A process that does not sweep leaves it to those that do. */
  const wakeSweepers = () => (watch ? watch.wake() : database.notices.send('cells'));
  const startDelivery = () =>
    new Delivery({
      clock,
      machineClock: options.machineClock ?? systemClock,
      log,
      outbox,
      sender: createCallbackSender({
        guard,
        timeoutMs,
        connectionsPerHost: 4,
        elapsedMs: () => performance.now(),
        extraCaPem: () => extraCaPem,
      }),
      secrets,
      credentialsOf: createCallbackCredentials({ db, seal: options.seal }),
      asymmetricSigner,
      onLeft: tellSenders,
      addressOf,
      rules: { retries: config.deliveryRetries, timeoutMs, random: options.random },
      onAttempt: options.onAttempt,
    });
  let delivery: ReturnType<typeof startDelivery> | undefined;
  const feed = createEventFeed({ database, clock, secrets, asymmetricSigner });
  const feedWaits = createFeedWaits({
    findReady: feed.findReady,
    // Real time, even if a test stops the machine's clock.
    clock: systemClock,
    log,
    // Other processes on a file send no notices.
    lookEveryMs: database.engine === 'sqlite' ? 2_000 : undefined,
  });
  const tellReaders = () => {
    feedWaits.wake();
    database.notices.send('feed');
  };
  const intervalMs = config.sweepSeconds * 1000;
  const watchStore = createWatchedCells(database);
  const { regionOf = async () => '' } = options;
  const verification = createVerification({ database, clock, log, regionOf });
  const outcomeLog = createOutcomeLog(database);
  const watch = hasPart(config.role, 'sweeper')
    ? new Sweeper({
        clock,
        log,
        store: watchStore,
        precipitationAt: options.precipitationAt,
        prepare: options.prepare,
        intervalMs,
        async claim(cells, now, triggers, only) {
          const count = delivery
            ? await delivery.claim(cells, now, triggers, only)
            : await outbox.claim(cells, now, { triggers, only });
          if (count === 0) return count;
          if (!delivery) tellSenders();
          tellReaders();
          verification.expect(cells, now);
          return count;
        },
        async watchEpisodes(timelines, now) {
          const count = await watchEpisodes(database, timelines, now);
          if (count === 0) return count;
          onEvents();
          verification.expect([...timelines.keys()], now);
          return count;
        },
        observe: verification.record,
      })
    : undefined;
  const onEvents = () => {
    if (delivery) delivery.wake();
    else tellSenders();
    tellReaders();
  };
  const deliveryLog = createDeliveryLog({
    database,
    clock,
    onEvents,
    limitsTests: policy.kind === 'public',
    testBodyOf,
  });
  const records = createEventRecords(database, outcomeLog.outcomesOf);
  return {
    secrets,
    deliveryLog,
    outcomeLog,
    records,
    verify: verification.verify,
    /** Adds a certificate authority (PEM) to those that callbacks trust, or removes it, until the process ends. */
    trustAuthority(pem: string | null) {
      extraCaPem = pem ?? undefined;
    },
    registerRoutes(server: FastifyInstance) {
      const preHandler = [options.requireBearer, requireOwnCredentials];
      registerMonitorRoutes(server, {
        store,
        requireBearer: options.requireBearer,
        limitOf: options.limitOf,
        checkCallback: async (callbackUri, address) =>
          refuseForbidden(await withoutSlot(() => guard.problem(callbackUri)), address),
        onChange: wakeSweepers,
      });
      registerDeliveryRoutes(server, {
        log: deliveryLog,
        clock,
        webhookKeys: asymmetricSigner?.keySet ?? { keys: [] },
        preHandler,
        monitorOf: async (applicationId, id) => found(await store.find(applicationId, id)),
        limitOf: options.limitOf,
        explain: createMonitorExplainer({
          db,
          clock,
          intervalMs,
          newestOf: records.newestOf,
          verificationOf: outcomeLog.ofMonitor,
          isAtSea: options.isAtSea ?? (async () => false),
          precipitationAt: options.precipitationAt,
          providerPause: options.providerPause,
        }),
      });
      registerEventRoutes(server, { records, fronts: createFronts({ db, clock }), preHandler });
      const inbox = createInbox({ ...options.inbox, db, clock, onRequest: tellReaders });
      registerInboxRoutes(server, { inbox, preHandler });
      registerFeedRoutes(server, {
        feed,
        waits: feedWaits,
        preHandler,
        isStillValid: options.isStillValid,
      });
    },
    start() {
      if (hasPart(config.role, 'api')) database.notices.listen('feed', feedWaits.wake);
      if (hasPart(config.role, 'sender')) {
        delivery = startDelivery();
        database.notices.listen('events', () => delivery?.wake());
      }
      if (!watch) return;
      database.notices.listen('cells', watch.wake);
      verification.start();
      // With several processes, a start changes no plans and takes over no cells.
      if (database.engine === 'postgres') return watch.wake();
      // With SQLite, this is the only process, and scenarios may have ended with the previous one.
      watch
        .sweepNow()
        .catch((error: unknown) => log.error({ err: error }, 'the first sweep failed; trying again on the next one'));
    },
    /** Checks the cells of an area, or all, again; resolves when the resulting events are claimed. */
    async sweepNow(area?: Area) {
      await (watch ? watch.sweepNow(area) : watchStore.markDue(clock.now(), area).then(wakeSweepers));
      delivery?.wake();
    },
    /** Whether a moved clock passes through episodes. */
    hasEpisodes: () => hasEpisodes(db),
    /** Ends pending and later waits for events at once, because the process is shutting down. */
    endWaits: feedWaits.close,
    async close(drainMs: number) {
      feedWaits.close();
      await Promise.all([verification.close(), watch?.close(), delivery?.close(drainMs)]);
    },
  };
}

/** A caller on the service's own machine can change its settings. */
function refuseForbidden(problem: string | undefined, address: string): void {
  if (problem === undefined) return;
  const isListable = isLoopback(address) && problem === privateProblem;
  const advice = isListable
    ? 'List it in RAINBELL_CALLBACK_ALLOWLIST'
    : 'Use a URL that this service is allowed to reach';
  throw new ServiceError('invalid_request', `callback_uri is not allowed: its host ${problem}. ${advice}.`);
}
