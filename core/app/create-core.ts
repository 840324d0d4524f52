// The composition root of the app without a window. It also starts if the service is not ready yet, the receiver's
// port is taken, or the settings are invalid; `status()` reports why.
import { join } from 'node:path';
import type { AppProblem, AppStatus, Notice, ReceiverRules } from '@rainbell/contract/app-rpc';
import type { ServiceIntroduction } from '@rainbell/contract/service-api';
import { type Agents, createAgents } from '../agents/create-agents.ts';
import { createBackups } from '../backup/backups.ts';
import { createStoredData } from '../backup/stored-data.ts';
import { createRefreshAhead } from '../connection/refresh-ahead.ts';
import { createStorageState } from '../database/storage-state.ts';
import { createDiagnostics } from '../diagnostics/diagnostics.ts';
import { watchSecrets } from '../diagnostics/secret-watch.ts';
import { createForecastHistory } from '../forecast/forecast-history.ts';
import { createForecasts } from '../forecast/forecasts.ts';
import { createDeliveries } from '../monitors/deliveries.ts';
import { createKnownMonitors } from '../monitors/known-monitors.ts';
import { createPlaceSearch, type PlaceSearch } from '../places/place-search.ts';
import { createEventHub } from '../ports/events.ts';
import type { Host } from '../ports/host.ts';
import type { Log } from '../ports/log.ts';
import { createNoticeHub } from '../ports/notices.ts';
import { createAppSettings } from '../settings/app-settings.ts';
import { createUpdateCheck, rainbellReleases, type ReleaseSource, type UpdateCheck } from '../updates/update-check.ts';
import type { Clock } from '@rainbell/shared';
import { createCommands } from './commands.ts';
import { composeCallbacks } from './compose-callbacks.ts';
import { composeConnections } from './compose-connections.ts';
import { composeFeed } from './compose-feed.ts';
import { composeFronts } from './compose-fronts.ts';
import { composeMonitors } from './compose-monitors.ts';
import { composeNotifications } from './compose-notifications.ts';
import { composeReceiver } from './compose-receiver.ts';
import { openAppDatabase } from './open-app-database.ts';
import { createRouter } from './rpc-router.ts';
import { createRpcServing, type RpcServing } from './rpc-serving.ts';
import { createScreenNotices } from './screen-notices.ts';

/** What this process runs on, by the names that people use. */
const runtimeVersions: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ['Electron', 'electron'],
    ['Chromium', 'chrome'],
    ['Node', 'node'],
    ['V8', 'v8'],
    ['SQLite', 'sqlite'],
    ['OpenSSL', 'openssl'],
  ].flatMap(([name = '', key = '']) => {
    const version = process.versions[key];
    return version === undefined ? [] : [[name, version]];
  }),
);

export type CoreOptions = {
  /** The folder of `app.sqlite`. */
  dataFolder: string;
  clock: Clock;
  log: Log;
  host: Host;
  version: string;
  /** Undefined while the service is starting; then `connectSandbox` or `sandboxFailed` follows. */
  sandbox: ServiceIntroduction | undefined;
  /** Entry points of the threads, which differ in the bundle. */
  workers: { receiver: URL; places: URL; json: URL };
  /** Default: its own, with a thread that ends with it. Tests share one, because loading the places takes 0.4 s of CPU time. */
  places?: PlaceSearch;
  /** Where newer versions are announced, and whether this is an installed app, which looks there once a day. */
  releases?: { source?: ReleaseSource; isInstalled: boolean };
};

export type Core = RpcServing & {
  status: () => AppStatus;
  /** The state at the start, then what changed, for a host's own display; until the signal ends it. */
  watch: (signal: AbortSignal) => AsyncIterable<Notice>;
  /** Whether the receiver stores what arrives, for a host's own switch; `refuse` answers 503, `drop` 200. */
  receiverPause: () => ReceiverRules['pause'];
  pauseReceiver: (pause: ReceiverRules['pause']) => Promise<void>;
  /** The user's settings for the local service, passed at its start. */
  serviceEnvironment: () => Record<string, string>;
  /** Looks for a newer version of the app; the status then says what was found. */
  checkForUpdates: UpdateCheck['check'];
  /** Resolves when the receiver listens, or if it can't. */
  receiverStarted: () => Promise<void>;
  /** The service on this machine is ready, for the first time or again. */
  connectSandbox: (introduction: ServiceIntroduction) => void;
  /** The service on this machine could not start, or stopped. */
  sandboxFailed: (problem: AppProblem) => void;
  close: () => Promise<void>;
};

/** Throws AppFailure STORAGE if the data folder cannot be used. */
export async function createCore(options: CoreOptions): Promise<Core> {
  const { dataFolder, clock, log, workers, version } = options;
  const secretWatch = watchSecrets(options.host.secrets);
  const { mask, port: secrets } = secretWatch;
  const host: Host = { ...options.host, secrets };
  const events = createEventHub();
  const hub = createNoticeHub();
  const database = openAppDatabase({ file: join(dataFolder, 'app.sqlite'), clock });
  const { db, file } = database;

  const settings = createAppSettings(host.settings, () => events.emit('settingsChanged'));
  const applySettings = () => host.applySettings?.(settings.get());
  applySettings();
  events.on('settingsChanged', applySettings);

  const storage = createStorageState({
    db,
    file,
    clock,
    log,
    onChanged: () => events.emit('damageReportsChanged'),
    onDamage: () => events.emit('damageFound'),
  });
  const { json, traffic, connectionDependencies, activeConnection, connections, connectionTransfer, session, replay } =
    composeConnections({ events, db, host, settings, jsonWorker: workers.json, clock, log });

  const { documents, rules, receiverAccess, receiver, pages, addresses } = composeReceiver({
    events,
    db,
    file,
    dataFolder,
    secrets,
    settings,
    storage,
    activeConnection,
    connections,
    receiverWorker: workers.receiver,
    clock,
    log,
  });

  secretWatch.note(receiverAccess.token);
  let agents: Agents | undefined;
  // The monitors and deliveries that the service returned; callbacks are validated with them.
  const knownMonitors = createKnownMonitors(activeConnection);
  const deliveries = createDeliveries({
    activeConnection,
    clock,
    onChanged: () => events.emit('monitorsChanged'),
    onStates: (states) => events.emit('deliveryStatesRead', states),
    onLogRead: () => events.emit('callbacksChanged'),
  });
  const places = options.places ?? createPlaceSearch({ workerUrl: workers.places, log });
  const { fronts, monitorDocuments, monitorNotes } = composeFronts({
    db,
    settings,
    activeConnection,
    knownMonitors,
    places,
    clock,
  });
  const { webhookSecrets, validator, callbacks, endpointCheck, readMarks, publicBase, stopValidating, closeCallbacks } =
    composeCallbacks({
      events,
      db,
      version,
      secrets,
      mask,
      settings,
      activeConnection,
      adminPorts: () => adminPorts(host, connections.sandboxUrl(), agents?.port()),
      knownMonitors,
      deliveries,
      documents,
      receiverAccess,
      receiver,
      pages,
      isQuiet: fronts.isQuiet,
      isDamaged: storage.isDamaged,
      clock,
      log,
    });

  const feed = composeFeed({
    events,
    db,
    settings,
    activeConnection,
    receiver,
    rules,
    forwarder: callbacks.forwarder,
    isDamaged: storage.isDamaged,
    clock,
    log,
  });
  const monitorModules = composeMonitors({
    events,
    db,
    settings,
    activeConnection,
    knownMonitors,
    deliveries,
    validator,
    pages,
    receiver,
    notes: monitorNotes,
    fronts,
    clock,
  });
  const { monitors, bulkRuns, deliveryWatch, callThisApp, sandbox } = monitorModules;
  const { chosenTarget, notifications } = composeNotifications({ events, hub, notify: host.notify, clock });

  const history = createForecastHistory({ db, log });
  const forecasts = createForecasts({ activeConnection, connections, connectionDependencies, history, db, clock, log });
  agents = createAgents({
    dataFolder,
    callbacks,
    monitors,
    deliveries,
    forecasts,
    sandbox,
    activeConnection,
    notify: (notice) => events.emit('userNotice', notice),
    mask,
    onChanged: () => events.emit('consentsChanged'),
    clock,
    log,
  });
  const openAgents = agents;
  const updates = createUpdateCheck({
    currentVersion: version,
    source: options.releases?.source ?? rainbellReleases,
    json,
    isAutomatic: () => options.releases?.isInstalled === true && settings.get().checksForUpdates,
    onChanged: () => events.emit('updateChanged'),
    clock,
    log,
  });

  const refreshAhead = createRefreshAhead({
    activeConnection,
    isInUse: () => hub.hasListeners() || receiver.state().state === 'listening',
    clock,
  });
  events.on('connectionChanged', refreshAhead.plan);

  // What screens and hosts see.
  const status = (): AppStatus => ({
    version,
    versions: runtimeVersions,
    host: host.kind,
    secretsProtection: host.secrets.protection,
    connection: activeConnection.state(),
    token: activeConnection.tokenState(),
    receiver: receiver.state(),
    feed: feed.state(),
    exposure: { tls: receiverAccess.isTls(), lan: receiverAccess.isLan() },
    callbackCount: pages.counts().total,
    newestCallbackId: pages.counts().newestId,
    notices: [
      ...host.notices(),
      ...database.remarks,
      ...settings.notices,
      ...rules.notices,
      ...documents.notices,
      ...monitorDocuments.notices,
    ],
    update: updates.state(),
    desktop: host.desktop?.() ?? null,
    damage: [...storage.reports()],
    canRestart: host.restart !== undefined,
  });
  const notices = createScreenNotices({ events, hub, pages, traffic, chosenTarget, notifications });
  host.onNotices?.(() => events.emit('hostNoticesChanged'));
  const diagnostics = createDiagnostics({ dataFolder, clock, status, settings, session, activeConnection, mask });
  const commands = createCommands({
    events,
    settings,
    connections,
    connectionDependencies,
    webhookSecrets,
    monitors,
    receiver,
    receiverAccess,
    rules,
    clock,
  });
  const backups = createBackups({ file, clock, log, onDamage: storage.foundDamage });
  const storedData = createStoredData({
    db,
    pages,
    receiver,
    traffic,
    settings,
    onMonitorsChanged: () => events.emit('monitorsChanged'),
  });
  const router = createRouter({
    status,
    backups,
    dataFolder,
    storedData,
    notices,
    commands,
    agents: openAgents,
    bulkRuns,
    callbacks,
    callThisApp,
    connections,
    connectionTransfer,
    deliveries,
    diagnostics,
    endpointCheck,
    forecasts,
    fronts,
    monitors,
    monitorDocuments,
    notifications,
    notifyUser: (notice) => events.emit('userNotice', notice),
    places,
    publicBase,
    readMarks,
    receiver,
    receiverAccess,
    replay,
    rules,
    sandbox,
    session,
    settings,
    storage,
    traffic,
    updates,
    webhookSecrets,
    restart: host.restart,
  });

  let isClosed = false;
  const connectSandbox = (introduction: ServiceIntroduction) => {
    // The service may become ready while the app closes, when the database is closed already.
    if (isClosed) return;
    secretWatch.note(introduction.clientSecret);
    secretWatch.note(introduction.password);
    connections.connectSandbox(introduction);
    storage.refresh();
  };
  if (options.sandbox) connectSandbox(options.sandbox);
  // Timers stop while the machine sleeps, and the token ages: screens read everything again, and a fresh token is fetched. The same
  // applies after the clock was set. A host that does not report sleep sees it as a clock jump.
  const lookAgain = () => {
    notices.publishAll();
    activeConnection.refresh();
    refreshAhead.plan();
    feed.resume();
  };
  const cancelResume = host.onResume(lookAgain);
  const cancelOnJump = clock.onJump(lookAgain);

  return {
    ...createRpcServing(router, log, clock),
    status,
    watch: (signal) => notices.listen(signal, () => Promise.resolve()),
    receiverPause: () => rules.get().pause,
    pauseReceiver: commands.pauseReceiver,
    serviceEnvironment() {
      const { providerContact } = settings.get();
      return providerContact === null ? {} : { RAINBELL_MET_NORWAY_CONTACT: providerContact };
    },
    checkForUpdates: updates.check,
    receiverStarted: receiver.started,
    connectSandbox,
    sandboxFailed(problem) {
      if (isClosed) return;
      connections.sandboxFailed(problem);
      storage.refresh();
    },
    async close() {
      isClosed = true;
      stopValidating();
      refreshAhead.close();
      cancelResume();
      cancelOnJump();
      storage.close();
      hub.close();
      await session.close();
      await Promise.all([monitors.flushDeletes(), feed.close()]);
      // The receiver's thread removes what was deleted, so callbacks close before it.
      deliveryWatch.close();
      await Promise.all([openAgents.close(), backups.close()]);
      await closeCallbacks();
      if (!options.places) await places.close();
      await Promise.all([bulkRuns.end(), activeConnection.close(), receiver.close(), updates.close()]);
      monitorModules.flushWrites();
      addresses.remove();
      traffic.close();
      database.close();
    },
  };
}

/** Ports of Rainbell's own servers on this machine: the screens' server, that for agents, and the service that came with the app. */
function adminPorts(host: Host, sandboxUrl: string | null, agentPort: number | undefined): number[] {
  const service = sandboxUrl === null ? [] : [Number(new URL(sandboxUrl).port)];
  return [...(host.adminPorts?.() ?? []), ...service, ...(agentPort === undefined ? [] : [agentPort])];
}
