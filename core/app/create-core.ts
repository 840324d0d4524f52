// The composition root of the app without a window. It also starts if the service is not ready yet, the receiver's
// port is taken, or the settings are invalid; `status()` reports why.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { AppProblem } from '#contract/app-rpc/app-errors.ts';
import type { Clock } from '#shared/time/clock.ts';
import type { AppStatus, Notice } from '#contract/app-rpc/app.ts';
import type { ReceiverRules } from '#contract/app-rpc/rules.ts';
import type { ServiceIntroduction } from '#contract/service-api/sandbox.ts';
import { plainTransport } from '#core/http/transport.ts';
import { createJsonReader } from '#core/http/json-reader.ts';
import { openAppDatabase } from './open-app-database.ts';
import { createStorageState } from '#core/database/storage-state.ts';
import { createDiagnostics } from '#core/diagnostics/diagnostics.ts';
import { watchSecrets } from '#core/diagnostics/secret-watch.ts';
import type { Host } from '#core/ports/host.ts';
import { createAddressFile } from '#core/hosting/address-file.ts';
import type { Log } from '#core/ports/log.ts';
import { createNoticeHub } from '#core/ports/notices.ts';
import { createPlaceSearch } from '#core/places/place-search.ts';
import { createCallbackNotifier } from '#core/callbacks/callback-notifier.ts';
import { openCallbackDocuments } from '#core/callbacks/callback-documents.ts';
import { createCallbackService } from '#core/callbacks/callback-service.ts';
import { createCallbackValidator } from '#core/callbacks/callback-validator.ts';
import { createDeliveryRecords } from '#core/callbacks/delivery-records.ts';
import { createPublicBase } from '#core/callbacks/public-base.ts';
import { createReadMarks } from '#core/callbacks/read-marks.ts';
import { createSendGuard } from '#core/callbacks/send-guard.ts';
import { createRequestSender } from '#core/callbacks/send-request.ts';
import { createWeatherLookup } from '#core/callbacks/weather-lookup.ts';
import { createWebhookSecrets } from '#core/callbacks/webhook-secrets.ts';
import { createActiveConnection } from '#core/connection/active-connection.ts';
import { createConnectionTransfer } from '#core/connection/connection-transfer.ts';
import type { ConnectionDependencies } from '#core/connection/connection.ts';
import { createRefreshAhead } from '#core/connection/refresh-ahead.ts';
import { createConnections } from '#core/connection/connections.ts';
import { createBulkRuns } from '#core/monitors/bulk-runs.ts';
import { createCallThisApp } from '#core/monitors/call-this-app.ts';
import { createCarryOut } from '#core/monitors/carry-out.ts';
import { createDeliveries } from '#core/monitors/deliveries.ts';
import { createFrontTracker } from '#core/monitors/front-tracker.ts';
import { accountName, createMonitorHistory } from '#core/monitors/monitor-history.ts';
import { createHeldDeletes } from '#core/monitors/held-deletes.ts';
import { openMonitorDocuments } from '#core/monitors/monitor-documents.ts';
import { createMonitorNotes } from '#core/monitors/monitor-notes.ts';
import { createMonitors } from '#core/monitors/monitors.ts';
import { createChosenTarget } from '#core/notifications/chosen-target.ts';
import { createNotificationQueue } from '#core/notifications/notification-queue.ts';
import { mayNotify } from '#core/notifications/quiet-hours.ts';
import { createDeliveryWatch } from '#core/monitors/delivery-watch.ts';
import { createEventHub } from '#core/ports/events.ts';
import { createCallbackPages } from '#core/receiver/callback-pages.ts';
import { createReceiverAccess } from '#core/receiver/receiver-access.ts';
import { limitsWith } from '#core/receiver/receiver-limits.ts';
import { createReceiverRulesStore } from '#core/receiver/receiver-rules.ts';
import { createReceiver } from '#core/receiver/receiver.ts';
import { createSession } from '#core/session/session.ts';
import { createReplay } from '#core/traffic/replay.ts';
import { createTrafficLog } from '#core/traffic/traffic-log.ts';
import { createCommands } from './commands.ts';
import { createScreenNotices } from './screen-notices.ts';
import { createRouter } from './rpc-router.ts';
import { createRpcServing, type RpcServing } from './rpc-serving.ts';
import { createForecastHistory } from '#core/forecast/forecast-history.ts';
import { createForecasts } from '#core/forecast/forecasts.ts';
import { createSandboxControl } from '#core/sandbox/sandbox-control.ts';
import { createSandboxTrust } from '#core/sandbox/sandbox-trust.ts';
import { createBackups } from '#core/backup/backups.ts';
import { createStoredData } from '#core/backup/stored-data.ts';
import { createSettingsTransfer } from '#core/settings/settings-transfer.ts';
import { appMigrations } from './migrations.ts';
import { createAppSettings } from '#core/settings/app-settings.ts';
import {
  createUpdateCheck,
  rainbellReleases,
  type ReleaseSource,
  type UpdateCheck,
} from '#core/updates/update-check.ts';

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
  /** What the user's settings say to the service beside the app, at its start. */
  serviceEnvironment: () => Record<string, string>;
  /** Looks for a newer version of the app; the status then says what was found. */
  checkForUpdates: UpdateCheck['check'];
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
  const { isDamaged } = storage;

  // Connections, tokens, sign-in, and the requests to services.
  const json = createJsonReader({ workerUrl: workers.json, clock });
  const traffic = createTrafficLog({
    db,
    clock,
    log,
    onChanged: (newestId) => events.emit('trafficChanged', newestId),
  });
  /** For a connection that is not the active one: one of a comparison, or one that is only tested. */
  const connectionDependencies: ConnectionDependencies = {
    clock,
    secrets,
    json,
    observe: traffic.record,
    onState: () => {},
  };
  const connectionChanged = () => events.emit('connectionChanged');
  const connectionsChanged = () => events.emit('connectionsChanged');
  const activeConnection = createActiveConnection({ clock, onState: connectionChanged });
  const connections = createConnections({
    settings,
    secrets,
    activeConnection,
    connectionDependencies: { ...connectionDependencies, onState: connectionChanged },
    forgetBrowserSession: async (id) => host.forgetBrowserSession?.(id),
    onChanged: connectionsChanged,
  });
  secrets.onReadable?.(() => connections.reopen());
  const connectionTransfer = createConnectionTransfer({ settings, secrets, clock, onChanged: connectionsChanged });
  const session = createSession({
    activeConnection,
    host,
    settings,
    clock,
    onChanged: () => events.emit('sessionChanged'),
  });
  const replay = createReplay({ traffic, activeConnection, connections, connectionDependencies });

  // The receiver: its thread, the user's choices for it, and the pages that are read from its store.
  const documents = openCallbackDocuments(db);
  const monitorDocuments = openMonitorDocuments(db);
  const rules = createReceiverRulesStore(db);
  const receiverAccess = createReceiverAccess({ db, secrets, clock });
  const receiver = createReceiver({
    workerUrl: workers.receiver,
    file,
    port: settings.get().receiverPort,
    limits: () => limitsWith(settings.get().keptLimits),
    rules: rules.get,
    endpoints: documents.endpoints.get,
    access: receiverAccess.forListening,
    clock,
    log,
    onState: () => events.emit('receiverChanged'),
    onChanged: ({ newestId }) => events.emit('callbacksArrived', newestId),
    onOutcomes: () => events.emit('outcomesRecorded'),
    onDamage: storage.foundDamage,
    isDamaged,
  });
  secrets.onReadable?.(() => {
    receiverAccess
      .readAgain()
      .then((isOther) => (isOther ? receiver.reopen() : undefined))
      .catch((error: unknown) => log.error({ err: error }, 'the stored certificate authority could not be used'));
  });
  events.on('damageFound', () => void receiver.stopStoring());
  const pages = createCallbackPages(db);

  const addresses = createAddressFile(dataFolder, (error) =>
    log.warn({ err: error }, 'addresses.json could not be written'),
  );
  const writeAddresses = () =>
    addresses.tell({ service: connections.sandboxUrl(), receiver: receiver.state().baseUrl });
  events.on('receiverChanged', writeAddresses);
  events.on('connectionsChanged', writeAddresses);

  const trust = createSandboxTrust({
    activeConnection,
    authority: () => (receiverAccess.isTls() ? receiverAccess.authorityPem() : undefined),
    log,
  });
  events.on('connectionChanged', trust.keep);
  events.on('receiverChanged', trust.keep);

  // Monitors of the active connection, and the sandbox whose weather makes them fire.
  const monitorsChanged = () => events.emit('monitorsChanged');
  const monitorNotes = createMonitorNotes(db);
  const monitors = createMonitors({
    activeConnection,
    receiver,
    publicBase: () => settings.get().publicBase,
    callbacks: { newestOf: (monitorId) => validator.newestOf(monitorId) },
    notes: monitorNotes,
    heldDeletes: createHeldDeletes(db),
    isOwnService: (connection) => connection.isSandbox || deliveries.isKnownToTell(),
    history: createMonitorHistory({ db, clock, account: accountName() }),
    clock,
    onChanged: monitorsChanged,
    onListed: () => events.emit('callbacksChanged'),
  });
  const deliveries = createDeliveries({
    activeConnection,
    clock,
    onChanged: monitorsChanged,
    onStates(states) {
      fronts.note(states);
      deliveryWatch.look(states);
    },
    onLogRead: () => events.emit('callbacksChanged'),
  });
  const canAskService = () => activeConnection.present()?.canReadMonitors() === true;
  const bulkRuns = createBulkRuns({
    activeConnection,
    carryOut: createCarryOut({ monitors, deliveries, notes: monitorNotes }),
    onEnd: monitorsChanged,
  });
  const fronts = createFrontTracker({
    clock,
    connectionId: () => settings.get().selectedConnection,
    monitorOf: (id) => monitors.known(id),
    nearest: (locations) => places.nearest(locations),
    silences: monitorDocuments.silences,
    acknowledged: monitorDocuments.acknowledged,
  });
  const deliveryWatch = createDeliveryWatch({
    tell: fronts.tell,
    readStates: () => deliveries.states(),
    canLook: canAskService,
    connectionId: () => settings.get().selectedConnection,
    mayNotify: () => mayNotify(settings.get().notifications, clock.now()),
    notify: (notice) => events.emit('userNotice', notice),
    clock,
  });
  const callThisApp = createCallThisApp({ monitors, deliveries, callbacks: pages, clock });
  const sandbox = createSandboxControl({ activeConnection, onChanged: () => events.emit('sandboxChanged') });
  // Rain or a moved clock changes the status of deliveries.
  events.on('sandboxChanged', monitorsChanged);

  // Stored callbacks: validation, requests made from them, and notifications.
  const callbacksChanged = () => events.emit('callbacksChanged');
  const webhookSecrets = createWebhookSecrets({ activeConnection, secrets, clock, log, onChanged: callbacksChanged });
  const validator = createCallbackValidator({
    pages,
    monitors: monitors.knownUrls,
    ownOrigins: () => [receiver.state().baseUrl, settings.get().publicBase].filter((origin) => origin !== null),
    deliveryLog: deliveries.knownLog,
    signing: () => ({ ...webhookSecrets.facts(), hasDeliveryLog: deliveries.isKnownToTell() }),
    isDamaged,
  });
  let isClosing = false;
  let judgedFor = activeConnection.present()?.profile.id;
  events.on('connectionChanged', () => {
    const id = activeConnection.present()?.profile.id;
    // A service can come or go after the store was closed.
    if (isClosing || id === judgedFor) return;
    judgedFor = id;
    callbacksChanged();
  });
  const guard = createSendGuard({ adminPorts: () => adminPorts(host, connections.sandboxUrl()) });
  const sender = createRequestSender({
    clock,
    guard,
    authority: receiverAccess.authorityPem,
    transport: () => activeConnection.present()?.profile ?? plainTransport,
  });
  const dragFolder = join(dataFolder, 'dragged');
  rmSync(dragFolder, { recursive: true, force: true });
  const deliveryRecords = createDeliveryRecords({
    db,
    pages,
    deliveries,
    canAsk: () => canAskService() && !isDamaged(),
    connectionId: () => settings.get().selectedConnection,
    clock,
    onStored: callbacksChanged,
  });
  const callbacks = createCallbackService({
    db,
    pages,
    validator,
    documents,
    receiver,
    sender,
    deliveryRecords,
    version,
    dragFolder,
    clock,
    log,
    isDamaged,
    onChanged: callbacksChanged,
  });
  const forgetVerdicts = () => {
    validator.forget();
    callbacks.forgetVerdicts();
  };
  for (const name of ['callbacksChanged', 'monitorsChanged', 'receiverChanged', 'damageFound'] as const)
    events.on(name, forgetVerdicts);
  const readMarks = createReadMarks({ db, pages, log, onChanged: () => events.emit('callbacksRead') });
  const publicBase = createPublicBase({ sender, pages, receiver, settings, onChanged: callbacksChanged });
  const notifier = createCallbackNotifier({
    choice: () => settings.get().notifications,
    pages,
    validator,
    weatherAt: createWeatherLookup(activeConnection, clock),
    notify: (notice) => events.emit('userNotice', notice),
    clock,
  });
  events.on('callbacksArrived', callbacks.forwarder.arrived);
  events.on('callbacksArrived', notifier.arrived);
  events.on('callbacksArrived', deliveryRecords.arrived);

  // The desktop app shows notifications itself; otherwise they wait for a browser tab.
  const chosenTarget = createChosenTarget(hub, clock);
  const notifications = createNotificationQueue(hub, clock);
  events.on('userNotice', (notice) => {
    const { title, body, target } = notice;
    if (host.notify) host.notify({ title, body, ...(target && { onClick: () => chosenTarget.choose(target) }) });
    else notifications.offer(notice);
  });

  const history = createForecastHistory({ db, log });
  const forecasts = createForecasts({ activeConnection, connections, connectionDependencies, history, db, clock, log });
  const places = createPlaceSearch({ workerUrl: workers.places, log });
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
  const settingsTransfer = createSettingsTransfer(settings, clock);
  const commands = createCommands({
    events,
    settings,
    settingsTransfer,
    connections,
    connectionDependencies,
    monitors,
    receiver,
    receiverAccess,
    rules,
    clock,
  });
  const backups = createBackups({ dataFolder, appVersion: version, schemaVersion: appMigrations.length, clock });
  const storedData = createStoredData({ db, pages, receiver, traffic, settings, onMonitorsChanged: monitorsChanged });
  const router = createRouter({
    status,
    backups,
    dataFolder,
    storedData,
    settingsTransfer,
    notices,
    commands,
    activeConnection,
    bulkRuns,
    callbacks,
    callThisApp,
    connections,
    connectionTransfer,
    deliveries,
    diagnostics,
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

  const connectSandbox = (introduction: ServiceIntroduction) => {
    secretWatch.note(introduction.clientSecret);
    secretWatch.note(introduction.password);
    connections.connectSandbox(introduction);
    storage.refresh();
  };
  if (options.sandbox) connectSandbox(options.sandbox);
  // Timers stop while the machine sleeps, and the token ages: screens read everything again, and a fresh token is fetched. The same
  // applies after the clock was set. A host that does not report sleep sees it as a jump of the clock.
  const lookAgain = () => {
    notices.publishAll();
    activeConnection.refresh();
    refreshAhead.plan();
  };
  const cancelResume = host.onResume(lookAgain);
  const cancelOnJump = clock.onJump(lookAgain);

  return {
    ...createRpcServing(router, log),
    status,
    watch: (signal) => notices.listen(signal, () => Promise.resolve()),
    receiverPause: () => rules.get().pause,
    pauseReceiver: commands.pauseReceiver,
    serviceEnvironment() {
      const { providerContact } = settings.get();
      return providerContact === null ? {} : { RAINBELL_MET_NORWAY_CONTACT: providerContact };
    },
    checkForUpdates: updates.check,
    connectSandbox,
    sandboxFailed(problem) {
      connections.sandboxFailed(problem);
      storage.refresh();
    },
    async close() {
      isClosing = true;
      refreshAhead.close();
      cancelResume();
      cancelOnJump();
      storage.close();
      hub.close();
      await session.close();
      await monitors.flushDeletes();
      // The receiver's thread removes what was deleted, so callbacks close before it.
      notifier.close();
      deliveryWatch.close();
      deliveryRecords.close();
      await callbacks.close();
      await Promise.all([activeConnection.close(), receiver.close(), places.close(), updates.close()]);
      addresses.remove();
      traffic.close();
      database.close();
    },
  };
}

/** Ports of Rainbell's own servers on this machine: the screens' server, and the service that came with the app. */
function adminPorts(host: Host, sandboxUrl: string | null): number[] {
  const service = sandboxUrl === null ? [] : [Number(new URL(sandboxUrl).port)];
  return [...(host.adminPorts?.() ?? []), ...service];
}
