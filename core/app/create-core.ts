// Starts the app without a window. It also starts if the service is not ready yet, the receiver's port is taken, or the settings are
// invalid; `status()` reports why.
import type { AppClient, AppProblem, AppStatus, Notice } from '@rainbell/contract/app-rpc';
import type { ServiceIntroduction } from '@rainbell/contract/service-api';
import { AppFailure } from '../errors/app-failure.ts';
import { documentRemarks } from '../database/stored-document.ts';
import type { CoreOptions } from './base.ts';
import { openCommandServer } from './command-server.ts';
import type { Parts } from './feature.ts';
import type { Handlers } from './handlers.ts';
import * as features from './features.ts';
import { openParts } from './parts.ts';
import { createOwnClient, createRpcServing, routerOf } from './rpc-serving.ts';

const runtimes = {
  Electron: 'electron',
  Chromium: 'chrome',
  Node: 'node',
  V8: 'v8',
  SQLite: 'sqlite',
  OpenSSL: 'openssl',
};
const runtimeVersions: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(runtimes).flatMap(([name, key]) => {
    const version = process.versions[key];
    return version === undefined ? [] : [[name, version]];
  }),
);

export type Core = ReturnType<typeof createRpcServing> & {
  client: AppClient;
  status: () => AppStatus;
  /** The state at the start, then what changed, for a host's own display; until the signal ends it. */
  watch: (signal: AbortSignal) => AsyncIterable<Notice>;
  /** Whether the receiver stores nothing, for a host's own display. */
  isReceiverPaused: () => boolean;
  /** The user's settings for the local service, passed at its start. */
  serviceEnvironment: () => Record<string, string>;
  /** Looks for a newer version of the app; the status then says what was found. */
  checkForUpdates: () => void;
  /** Resolves when the receiver listens, or if it can't. */
  receiverStarted: () => Promise<void>;
  /** The service on this machine is ready, for the first time or again. */
  connectSandbox: (introduction: ServiceIntroduction) => void;
  /** The service on this machine could not start, or stopped. */
  sandboxFailed: (problem: AppProblem) => void;
  close: () => Promise<void>;
};

type PartsOf<Started> = Started extends { handlers: infer Handled } ? keyof Handled : never;
type Handled = PartsOf<ReturnType<(typeof features)[keyof typeof features]>>;

/** Throws AppFailure STORAGE if the data folder cannot be used. */
export async function createCore(options: CoreOptions): Promise<Core> {
  const parts = openParts(options);
  const { host, settings, storage, screens, receiver, rules, connections, clock, log } = parts;
  const status = (): AppStatus => ({
    // Each feature reports what it is responsible for.
    ...(Object.assign({}, ...started.map((feature) => feature.status?.())) as AppStatus),
    version: parts.version,
    versions: runtimeVersions,
    host: host.kind,
    secretsProtection: host.secrets.protection,
    notices: [...host.notices(), ...parts.databaseRemarks, ...documentRemarks(parts.db), ...settings.notices],
    desktop: host.desktop?.() ?? null,
    damage: [...storage.reports()],
    canRestart: host.restart !== undefined,
  });
  const started = Object.values(features).map((start) => start({ ...parts, status }));
  const present = (): Notice[] => [{ topic: 'status' }, ...started.flatMap(({ notices }) => notices?.() ?? [])];
  const listen = (signal: AbortSignal, whenWritable: () => Promise<void>) =>
    screens.listen(present(), signal, whenWritable);
  host.onNotices?.(() => screens.publish({ topic: 'status' }));

  let isClosed = false;
  const connectSandbox = (introduction: ServiceIntroduction) => {
    // The service may become ready while the app closes, when the database is closed already.
    if (isClosed) return;
    parts.noteSecret(introduction.clientSecret);
    parts.noteSecret(introduction.password);
    connections.connectSandbox(introduction);
    storage.refresh();
  };
  // Timers stop while the machine sleeps, and the token ages: screens read everything again, and a fresh token is fetched. The same
  // applies after the clock was set. A host that does not report sleep sees it as a clock jump.
  const resync = () => {
    for (const notice of present()) screens.publish(notice);
    for (const { resume } of started) resume?.();
  };
  const cancelResume = host.onResume(resync);
  const cancelOnJump = clock.onJump(resync);

  const handlers = Object.assign({}, ...started.map((feature) => feature.handlers)) as Handlers<Handled>;
  const router = routerOf({ ...handlers, app: appHandlers({ ...parts, status }, listen) });
  const commandServer = options.command?.isShared === false ? undefined : await openCommandServer({ ...parts, router });
  if (commandServer) parts.adminPorts.push(commandServer.ports);
  return {
    client: createOwnClient(router, log, clock),
    ...createRpcServing(router, log, clock),
    status,
    watch: (signal) => listen(signal, () => Promise.resolve()),
    isReceiverPaused: () => rules.get().pause !== 'off',
    serviceEnvironment() {
      const { providerContact } = settings.get();
      return providerContact === null ? {} : { RAINBELL_MET_NORWAY_CONTACT: providerContact };
    },
    checkForUpdates: () => void parts.events.emit('updateCheckWanted'),
    receiverStarted: receiver.started,
    connectSandbox,
    sandboxFailed(problem) {
      if (isClosed) return;
      connections.sandboxFailed(problem);
      storage.refresh();
    },
    async close() {
      isClosed = true;
      parts.stopValidating();
      cancelResume();
      cancelOnJump();
      storage.close();
      screens.close();
      await commandServer?.close(options.command !== undefined);
      await Promise.all(started.map(async ({ close }) => close?.()));
      await parts.closeParts();
    },
  };
}

/** Procedures of the app itself, and of parts that no feature owns. */
function appHandlers(
  { status, host, storage, settings, receiver, receiverAccess, changePublicBase }: Parts,
  listen: (signal: AbortSignal, whenWritable: () => Promise<void>) => AsyncGenerator<Notice>,
): Handlers<'app'>['app'] {
  return {
    status,
    notices: ({ signal, context }) => listen(signal ?? new AbortController().signal, context.whenWritable),
    acknowledgeDamage: ({ input }) => storage.acknowledge(input.id),
    newAddress({ input }) {
      if (host.newAddress) return { url: host.newAddress(input.hash) };
      throw new AppFailure('UNAVAILABLE', 'The desktop app has no URL for a browser. Use its window.');
    },
    restart() {
      if (host.restart) return host.restart();
      throw new AppFailure(
        'UNAVAILABLE',
        'Only the desktop app can restart itself. Stop Rainbell in its terminal and start it again.',
      );
    },
    async moveReceiver({ input }) {
      await receiver.move(input.port);
      settings.update({ receiverPort: input.port });
    },
    receiverAccess: () => receiverAccess.describe(receiver.port()),
    async changeReceiverAccess({ input }) {
      receiverAccess.choose(input);
      await receiver.reopen();
      return receiverAccess.describe(receiver.port());
    },
    changePublicBase: ({ input, signal }) => changePublicBase(input.base, signal),
  };
}
