// The composition root of the app without a window. It starts although the service is not there (yet), the receiver's
// port is taken or the settings are garbage; `status()` says so in words.
import { join } from 'node:path';
import type { AppProblem } from '#contract/app-errors.ts';
import type { Clock } from '#contract/clock.ts';
import type { AppStatus, Notice } from '#contract/procedures/app.ts';
import type { ReceiverRules } from '#contract/procedures/rules.ts';
import type { ServiceIntroduction } from '#contract/sandbox.ts';
import { openCallbackDocuments } from './callbacks/callback-documents.ts';
import { createCallbackSide } from './callbacks/callback-side.ts';
import { createConnectionHolder } from './connection/connection-holder.ts';
import { createConnectionTransfer } from './connection/connection-transfer.ts';
import { createConnections } from './connection/connections.ts';
import { openAppDatabase } from './database/app-database.ts';
import { createDiagnostics } from './diagnostics/diagnostics.ts';
import { watchSecrets } from './diagnostics/secret-watch.ts';
import type { Host } from './host.ts';
import { createAddressFile } from './hosting/address-file.ts';
import type { Log } from './log.ts';
import { createCallThisApp } from './monitors/call-this-app.ts';
import { createDeliveries } from './monitors/deliveries.ts';
import { accountName, createMonitorHistory } from './monitors/monitor-history.ts';
import { createMonitorNotes } from './monitors/monitor-notes.ts';
import { createMonitors } from './monitors/monitors.ts';
import { createNoticeHub } from './notices.ts';
import { createPlaceSearch } from './places/place-search.ts';
import { createCallbackPages } from './receiver/callback-pages.ts';
import { createReceiver } from './receiver/receiver.ts';
import { createReceiverAccess } from './receiver/receiver-access.ts';
import { limitsWith } from './receiver/receiver-limits.ts';
import { createReceiverRulesStore } from './receiver/receiver-rules.ts';
import { createRouter } from './rpc-router.ts';
import { createRpcServing, type RpcServing } from './rpc-serving.ts';
import { createForecastHistory } from './forecast/forecast-history.ts';
import { createForecasts } from './forecast/forecasts.ts';
import { createSandboxControl } from './sandbox/sandbox-control.ts';
import { createSession } from './session/session.ts';
import { createAppSettings } from './settings/app-settings.ts';
import { createReplay } from './traffic/replay.ts';
import { createTrafficLog } from './traffic/traffic-log.ts';

export type CoreOptions = {
  /** `app.sqlite` lies here. */
  dataFolder: string;
  clock: Clock;
  log: Log;
  host: Host;
  version: string;
  /** Undefined while the service is starting; then `connectSandbox` or `sandboxFailed` follows. */
  sandbox: ServiceIntroduction | undefined;
  /** Entries of the threads; they lie elsewhere when bundled. */
  workers: { receiver: URL; places: URL };
};

export type Core = RpcServing & {
  status: () => AppStatus;
  /** The state at the start, then what changed, for a host's own display; until the signal ends it. */
  watch: (signal: AbortSignal) => AsyncIterable<Notice>;
  /** Whether the receiver stores what arrives, for a host's own switch; `refuse` answers 503, `drop` 200. */
  receiverPause: () => ReceiverRules['pause'];
  pauseReceiver: (pause: ReceiverRules['pause']) => Promise<void>;
  /** The service on this machine is ready, for the first time or again. */
  connectSandbox: (introduction: ServiceIntroduction) => void;
  /** The service on this machine could not start, or stopped. */
  sandboxFailed: (problem: AppProblem) => void;
  close: () => Promise<void>;
};

/** Throws AppFailure STORAGE where the data folder cannot be used. */
export async function createCore(options: CoreOptions): Promise<Core> {
  const { dataFolder, clock, log, workers } = options;
  const known = watchSecrets(options.host.secrets);
  const host: Host = { ...options.host, secrets: known.port };
  const database = openAppDatabase({ file: join(dataFolder, 'app.sqlite'), clock });
  const notices = createNoticeHub();
  const statusChanged = () => notices.publish({ topic: 'status' });
  const settings = createAppSettings(host.settings, () => notices.publish({ topic: 'settings' }));
  const pages = createCallbackPages(database.db);
  const documents = openCallbackDocuments(database.db);
  const rules = createReceiverRulesStore(database.db);
  const traffic = createTrafficLog({
    db: database.db,
    clock,
    log,
    onChanged: (newest) => notices.publish({ topic: 'traffic', newestId: newest }),
  });
  const tokensChanged = () => {
    statusChanged();
    notices.publish({ topic: 'session' });
  };
  const connection = createConnectionHolder({ clock, onState: tokensChanged });
  const surroundings = { clock, secrets: host.secrets, observe: traffic.record };
  const connectionsChanged = () => notices.publish({ topic: 'connections' });
  const connections = createConnections({
    settings,
    secrets: host.secrets,
    holder: connection,
    surroundings: { ...surroundings, onState: tokensChanged },
    forgetBrowserSession: async (id) => host.forgetBrowserSession?.(id),
    onChanged: connectionsChanged,
  });
  const transfer = createConnectionTransfer({
    settings,
    secrets: host.secrets,
    clock,
    onChanged: connectionsChanged,
  });
  const session = createSession({
    holder: connection,
    host,
    settings,
    clock,
    onChanged: () => notices.publish({ topic: 'session' }),
  });
  const receiverAccess = createReceiverAccess({ db: database.db, secrets: host.secrets, clock });
  const addresses = createAddressFile(dataFolder, (error) =>
    log.warn({ err: error }, 'addresses.json could not be written'),
  );
  let serviceAddress: string | null = null;
  const tellAddresses = () => addresses.tell({ service: serviceAddress, receiver: receiver.state().baseUrl });
  const receiver = createReceiver({
    workerUrl: workers.receiver,
    file: database.file,
    port: settings.get().receiverPort,
    limits: () => limitsWith(settings.get().keptLimits),
    rules: rules.get,
    endpoints: documents.endpoints.get,
    access: receiverAccess.forListening,
    clock,
    log,
    onState() {
      tellAddresses();
      statusChanged();
    },
    onChanged: ({ newestId }) => callbacks.arrived(newestId),
  });
  const places = createPlaceSearch({ workerUrl: workers.places, log });
  const monitorsChanged = () => {
    callbacks.forgetJudgements();
    notices.publish({ topic: 'monitors' });
  };
  const monitors = createMonitors({
    connection,
    receiver,
    callbacks: pages,
    notes: createMonitorNotes(database.db),
    history: createMonitorHistory({ db: database.db, clock, account: accountName() }),
    clock,
    onChanged: monitorsChanged,
  });
  const deliveries = createDeliveries({ connection, clock, onChanged: monitorsChanged });
  const callThisApp = createCallThisApp({ monitors, deliveries, callbacks: pages, clock });
  const callbacks = createCallbackSide({
    db: database.db,
    pages,
    documents,
    receiver,
    receiverAccess,
    host,
    settings,
    connection,
    monitors,
    deliveries,
    notices,
    serviceAddress: () => serviceAddress,
    version: options.version,
    clock,
    log,
  });
  const forecasts = createForecasts({
    holder: connection,
    connections,
    surroundings: { ...surroundings, onState: () => {} },
    history: createForecastHistory({ db: database.db, log }),
    clock,
  });
  const sandbox = createSandboxControl({
    connection,
    onChanged() {
      notices.publish({ topic: 'sandbox' });
      // Rain or a moved clock changes how deliveries stand.
      monitorsChanged();
    },
  });

  const status = (): AppStatus => ({
    version: options.version,
    host: host.kind,
    secretsProtection: host.secrets.protection,
    connection: connection.state(),
    token: connection.tokenState(),
    receiver: receiver.state(),
    callbackCount: pages.counts().total,
    newestCallbackId: pages.counts().newestId,
    notices: [...host.notices, ...database.notices, ...settings.notices, ...rules.notices, ...documents.notices],
  });
  const presentNotices = (): Notice[] => [
    { topic: 'status' },
    ...callbacks.presentNotices(),
    { topic: 'monitors' },
    { topic: 'sandbox' },
    { topic: 'settings' },
    { topic: 'connections' },
    { topic: 'session' },
    { topic: 'traffic', newestId: traffic.newestId() },
  ];
  const diagnostics = createDiagnostics({
    dataFolder,
    clock,
    status,
    settings,
    session,
    holder: connection,
    mask: known.mask,
  });
  const access = {
    connections,
    transfer,
    session,
    diagnostics,
    traffic,
    replay: createReplay({
      traffic,
      holder: connection,
      connections,
      surroundings: { ...surroundings, onState: () => {} },
    }),
    testing: { ...surroundings, onState: () => {} },
  };
  const subjects = {
    ...access,
    clock,
    connection,
    monitors,
    deliveries,
    callThisApp,
    receiver,
    receiverAccess,
    callbacks: callbacks.desk,
    documents,
    signing: callbacks.signing,
    rules,
    places,
    sandbox,
    forecasts,
    settings,
    notices,
  };
  const router = createRouter({ ...subjects, status, presentNotices, callbackCounts: pages.counts });
  const serving = createRpcServing(router, log);
  const connectSandbox = (introduction: ServiceIntroduction) => {
    known.note(introduction.clientSecret);
    known.note(introduction.password);
    connections.connectSandbox(introduction);
    serviceAddress = introduction.baseUrl;
    tellAddresses();
  };
  if (options.sandbox) connectSandbox(options.sandbox);
  // While the machine slept timers stood still and the token aged: screens look again, and a fresh token is at hand.
  const cancelResume = host.onResume(() => {
    for (const notice of presentNotices()) notices.publish(notice);
    connection.refresh();
  });

  return {
    ...serving,
    status,
    watch: (signal) => notices.listen({ present: presentNotices(), signal, whenWritable: () => Promise.resolve() }),
    receiverPause: () => rules.get().pause,
    async pauseReceiver(pause) {
      rules.replace({ ...rules.get(), pause });
      await receiver.applyRules();
      statusChanged();
    },
    connectSandbox,
    sandboxFailed(problem) {
      connections.sandboxFailed(problem);
      serviceAddress = null;
      tellAddresses();
    },
    async close() {
      cancelResume();
      notices.close();
      await session.close();
      await monitors.flushDeletes();
      // What was deleted is removed by the receiver's thread, so this comes before its end.
      await callbacks.close();
      await Promise.all([connection.close(), receiver.close(), places.close()]);
      addresses.remove();
      traffic.close();
      database.close();
    },
  };
}
