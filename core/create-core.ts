// The composition root of the app without a window. It starts although the service is not there (yet), the receiver's
// port is taken or the settings are garbage; `status()` says so in words.
import { join } from 'node:path';
import type { AppProblem } from '#contract/app-errors.ts';
import type { Clock } from '#contract/clock.ts';
import type { AppStatus, Notice } from '#contract/procedures/app.ts';
import type { ServiceIntroduction } from '#contract/sandbox.ts';
import { createConnectionHolder, type ConnectionHolder } from './connection/connection-holder.ts';
import { createSandboxConnection } from './connection/connection.ts';
import { openAppDatabase } from './database/app-database.ts';
import type { Host } from './host.ts';
import type { Log } from './log.ts';
import { createMonitors } from './monitors/monitors.ts';
import { createNoticeHub } from './notices.ts';
import { createPlaceSearch } from './places/place-search.ts';
import { createCallbackPages } from './receiver/callback-pages.ts';
import { readCounters } from './receiver/callback-writer.ts';
import { createReceiver } from './receiver/receiver.ts';
import { limitsWith } from './receiver/receiver-limits.ts';
import { createReceiverRulesStore } from './receiver/receiver-rules.ts';
import { createRouter } from './rpc-router.ts';
import { createRpcServing, type RpcServing } from './rpc-serving.ts';
import { createSandboxControl } from './sandbox/sandbox-control.ts';
import { createAppSettings } from './settings/app-settings.ts';

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
  /** The service on this machine is ready, for the first time or again. */
  connectSandbox: (introduction: ServiceIntroduction) => void;
  /** The service on this machine could not start, or stopped. */
  sandboxFailed: (problem: AppProblem) => void;
  close: () => Promise<void>;
};

/** Throws AppFailure STORAGE where the data folder cannot be used. */
export async function createCore(options: CoreOptions): Promise<Core> {
  const { dataFolder, clock, log, host, workers } = options;
  const database = openAppDatabase({ file: join(dataFolder, 'app.sqlite'), clock });
  const notices = createNoticeHub();
  const statusChanged = () => notices.publish({ topic: 'status' });
  const settings = createAppSettings(host.settings, () => notices.publish({ topic: 'settings' }));
  const { newestId, total } = readCounters(database.db);
  let callbackCounts = { newestId, total };
  const callbacks = createCallbackPages(database.db);
  const rules = createReceiverRulesStore(database.db);
  const connection = createConnectionHolder({ clock, onState: statusChanged });
  const receiver = createReceiver({
    workerUrl: workers.receiver,
    file: database.file,
    port: settings.get().receiverPort,
    limits: () => limitsWith(settings.get().keptLimits),
    rules: rules.get,
    clock,
    log,
    onState: statusChanged,
    onChanged(counts) {
      callbackCounts = counts;
      notices.publish({ topic: 'callbacks', ...counts });
    },
  });
  const places = createPlaceSearch({ workerUrl: workers.places, log });
  const monitorsChanged = () => notices.publish({ topic: 'monitors' });
  const monitors = createMonitors({ connection, receiver, callbacks, clock, onChanged: monitorsChanged });
  const sandbox = createSandboxControl({ connection, onChanged: () => notices.publish({ topic: 'sandbox' }) });

  const status = (): AppStatus => ({
    version: options.version,
    host: host.kind,
    secretsProtection: host.secrets.protection,
    connection: connection.state(),
    token: connection.tokenState(),
    receiver: receiver.state(),
    callbackCount: callbackCounts.total,
    newestCallbackId: callbackCounts.newestId,
    notices: [...host.notices, ...database.notices, ...settings.notices, ...rules.notices],
  });
  const presentNotices = (): Notice[] => [
    { topic: 'status' },
    { topic: 'callbacks', ...callbackCounts },
    { topic: 'monitors' },
    { topic: 'sandbox' },
    { topic: 'settings' },
  ];
  const subjects = { clock, connection, monitors, receiver, callbacks, rules, places, sandbox, settings, notices };
  const router = createRouter({ ...subjects, status, presentNotices, callbackCounts: () => callbackCounts });
  const serving = createRpcServing(router, log);
  const connectSandbox = (introduction: ServiceIntroduction) =>
    connectTo(introduction, { clock, host, connection, statusChanged });
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
    connectSandbox,
    sandboxFailed: connection.fail,
    async close() {
      cancelResume();
      notices.close();
      await Promise.all([connection.close(), receiver.close(), places.close()]);
      database.close();
    },
  };
}

function connectTo(
  introduction: ServiceIntroduction,
  parts: { clock: Clock; host: Host; connection: ConnectionHolder; statusChanged: () => void },
): void {
  const { clock, host, connection, statusChanged } = parts;
  const next = createSandboxConnection({ introduction, clock, secrets: host.secrets, onState: statusChanged });
  connection.use(next);
  // The first token comes before the first screen asks for anything.
  connection.refresh();
}
