// The composition root of the app without a window. It starts although the service is not there (yet), the receiver's
// port is taken or the settings are garbage; `status()` says so in words.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { AppProblem } from '#contract/app-rpc/app-errors.ts';
import type { Clock } from '#shared/time/clock.ts';
import type { AppStatus, Notice } from '#contract/app-rpc/app.ts';
import type { ReceiverRules } from '#contract/app-rpc/rules.ts';
import type { ServiceIntroduction } from '#contract/service-api/sandbox.ts';
import { createCallbackSide } from './callback-side.ts';
import { createAccessSide } from './access-side.ts';
import { createJsonReader } from '#core/connection/json-reader.ts';
import { openAppDatabase } from './open-app-database.ts';
import { createStorageState } from '#core/database/storage-state.ts';
import { createDiagnostics } from '#core/diagnostics/diagnostics.ts';
import { watchSecrets } from '#core/diagnostics/secret-watch.ts';
import type { Host } from '#core/ports/host.ts';
import { createAddressFile } from '#core/hosting/address-file.ts';
import type { Log } from '#core/ports/log.ts';
import { createMonitorSide } from './monitor-side.ts';
import { createNoticeHub } from '#core/ports/notices.ts';
import { createPlaceSearch } from '#core/places/place-search.ts';
import { createReceiverSide } from './receiver-side.ts';
import { createRouter } from './rpc-router.ts';
import { createRpcServing, type RpcServing } from './rpc-serving.ts';
import { createForecastHistory } from '#core/forecast/forecast-history.ts';
import { createForecasts } from '#core/forecast/forecasts.ts';
import { createSandboxControl } from '#core/sandbox/sandbox-control.ts';
import { createSandboxTrust } from '#core/sandbox/sandbox-trust.ts';
import { createAppSettings } from '#core/settings/app-settings.ts';
import {
  createUpdateCheck,
  rainbellReleases,
  type ReleaseSource,
  type UpdateCheck,
} from '#core/updates/update-check.ts';

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
  /** Looks for a newer version of the app; the status then says what was found. */
  checkForUpdates: UpdateCheck['check'];
  /** The service on this machine is ready, for the first time or again. */
  connectSandbox: (introduction: ServiceIntroduction) => void;
  /** The service on this machine could not start, or stopped. */
  sandboxFailed: (problem: AppProblem) => void;
  close: () => Promise<void>;
};

/** Throws AppFailure STORAGE where the data folder cannot be used. */
export async function createCore(options: CoreOptions): Promise<Core> {
  const { dataFolder, clock, log, workers, version } = options;
  const known = watchSecrets(options.host.secrets);
  const host: Host = { ...options.host, secrets: known.port };
  const database = openAppDatabase({ file: join(dataFolder, 'app.sqlite'), clock });
  const { db, file } = database;
  const notices = createNoticeHub();
  const settings = createAppSettings(host.settings, () => {
    host.applySettings?.(settings.get());
    notices.publish({ topic: 'settings' });
    notices.publish({ topic: 'status' });
  });
  host.applySettings?.(settings.get());
  const storage = createStorageState({
    db,
    file,
    clock,
    log,
    onChanged: () => notices.publish({ topic: 'status' }),
    onDamage() {
      void receiver.stopStoring();
      callbacks.forgetResults();
    },
  });
  const json = createJsonReader({ workerUrl: workers.json, clock });
  // A saved connection is in use while the sides are still being made.
  let keepTrust = () => {};
  const access = createAccessSide({
    db,
    host,
    settings,
    notices,
    onConnection: () => keepTrust(),
    json,
    clock,
    log,
  });
  const { connection, connections, session, traffic } = access;
  const addresses = createAddressFile(dataFolder, (error) =>
    log.warn({ err: error }, 'addresses.json could not be written'),
  );
  let serviceAddress: string | null = null;
  const tellAddresses = () => addresses.tell({ service: serviceAddress, receiver: receiver.state().baseUrl });
  const receiving = createReceiverSide({
    db,
    file,
    workerUrl: workers.receiver,
    host,
    settings,
    clock,
    log,
    onState() {
      tellAddresses();
      keepTrust();
      notices.publish({ topic: 'status' });
    },
    onArrived: (newestId) => callbacks.arrived(newestId),
    onDamage: storage.foundDamage,
    isDamaged: storage.isDamaged,
  });
  const { receiver, receiverAccess, rules, documents, pages } = receiving;
  const trust = createSandboxTrust({
    activeConnection: connection,
    authority: () => (receiverAccess.isTls() ? receiverAccess.authorityPem() : undefined),
    log,
  });
  keepTrust = trust.keep;
  const monitorsChanged = () => {
    callbacks.forgetResults();
    notices.publish({ topic: 'monitors' });
  };
  const managing = createMonitorSide({ db, connection, receiver, pages, settings, clock, onChanged: monitorsChanged });
  const dragFolder = join(dataFolder, 'dragged');
  rmSync(dragFolder, { recursive: true, force: true });
  const callbacks = createCallbackSide({
    ...receiving,
    ...managing,
    db,
    host,
    settings,
    connection,
    notices,
    isDamaged: storage.isDamaged,
    serviceAddress: () => serviceAddress,
    version,
    dragFolder,
    clock,
    log,
  });
  const history = createForecastHistory({ db, log });
  const forecasts = createForecasts({
    activeConnection: connection,
    connections,
    connectionDependencies: access.elsewhere,
    history,
    clock,
  });
  const places = createPlaceSearch({ workerUrl: workers.places, log });
  const sandbox = createSandboxControl({
    activeConnection: connection,
    onChanged() {
      notices.publish({ topic: 'sandbox' });
      // Rain or a moved clock changes how deliveries stand.
      monitorsChanged();
    },
  });

  const updates = createUpdateCheck({
    currentVersion: version,
    source: options.releases?.source ?? rainbellReleases,
    json,
    isAutomatic: () => options.releases?.isInstalled === true && settings.get().checksForUpdates,
    onChanged: () => notices.publish({ topic: 'status' }),
    clock,
    log,
  });

  const status = (): AppStatus => ({
    version,
    host: host.kind,
    secretsProtection: host.secrets.protection,
    connection: connection.state(),
    token: connection.tokenState(),
    receiver: receiver.state(),
    callbackCount: pages.counts().total,
    newestCallbackId: pages.counts().newestId,
    notices: [...host.notices(), ...database.remarks, ...settings.notices, ...rules.notices, ...documents.notices],
    update: updates.state(),
    desktop: host.desktop?.() ?? null,
    damage: [...storage.reports()],
    canRestart: host.restart !== undefined,
  });
  const presentNotices = (): Notice[] => [
    { topic: 'status' },
    ...callbacks.presentNotices(),
    { topic: 'monitors' },
    { topic: 'sandbox' },
    { topic: 'settings' },
    ...access.presentNotices(),
  ];
  const mask = known.mask;
  const diagnostics = createDiagnostics({
    dataFolder,
    clock,
    status,
    settings,
    session,
    activeConnection: connection,
    mask,
  });
  const router = createRouter({
    ...access,
    ...receiving,
    ...managing,
    callbacks: callbacks.desk,
    signing: callbacks.signing,
    publicBase: callbacks.publicBase,
    forecasts,
    places,
    sandbox,
    diagnostics,
    settings,
    updates,
    notices,
    status,
    storage,
    restart: host.restart,
    presentNotices,
    clock,
  });
  const serving = createRpcServing(router, log);
  const connectSandbox = (introduction: ServiceIntroduction) => {
    known.note(introduction.clientSecret);
    known.note(introduction.password);
    connections.connectSandbox(introduction);
    serviceAddress = introduction.baseUrl;
    tellAddresses();
    storage.refresh();
  };
  if (options.sandbox) connectSandbox(options.sandbox);
  host.onNotices?.(() => notices.publish({ topic: 'status' }));
  // While the machine slept timers stood still and the token aged: screens look again, and a fresh token is at hand. The same
  // holds after the clock was set; and a host that does not report a sleep sees it as a jump of the clock.
  const lookAgain = () => {
    for (const notice of presentNotices()) notices.publish(notice);
    connection.refresh();
  };
  const cancelResume = host.onResume(lookAgain);
  const cancelOnJump = clock.onJump(lookAgain);

  return {
    ...serving,
    status,
    watch: (signal) => notices.listen({ present: presentNotices(), signal, whenWritable: () => Promise.resolve() }),
    receiverPause: () => rules.get().pause,
    async pauseReceiver(pause) {
      rules.replace({ ...rules.get(), pause });
      await receiver.applyRules();
      notices.publish({ topic: 'status' });
    },
    checkForUpdates: updates.check,
    connectSandbox,
    sandboxFailed(problem) {
      connections.sandboxFailed(problem);
      storage.refresh();
      serviceAddress = null;
      tellAddresses();
    },
    async close() {
      cancelResume();
      cancelOnJump();
      storage.close();
      notices.close();
      await session.close();
      await managing.monitors.flushDeletes();
      // What was deleted is removed by the receiver's thread, so this comes before its end.
      await callbacks.close();
      await Promise.all([connection.close(), receiver.close(), places.close(), updates.close()]);
      addresses.remove();
      traffic.close();
      database.close();
    },
  };
}
