// The core that a command calls: of the process that has the data folder, app or command, or one that this command starts in its own
// process and that serves the next command on the folder while it lives.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AppClient } from '@rainbell/contract/app-rpc';
import type { ServiceIntroduction } from '@rainbell/contract/service-api';
import {
  AppFailure,
  type CommandReceiver,
  type Core,
  createCore,
  findRunningApp,
  FolderInUse,
  type Log,
  openLog,
  requireWritableFolder,
} from '@rainbell/core';
import type { CommandContext } from '../terminal/command.ts';
import { createCommandHost, type HostOptions, readRoute } from './command-host.ts';

export type AppSession = { client: AppClient; isOwn: boolean; close: () => Promise<void> };

type CoreContext = Pick<CommandContext, 'version' | 'clock' | 'workers'>;
/** `sandbox`: the service on this machine, if no service is named. */
export type AppOptions = Omit<HostOptions, 'settingsFolder'> & {
  dataFolder: string;
  receiver: CommandReceiver;
  sandbox?: ServiceIntroduction | undefined;
};
type OwnCoreOptions = HostOptions & {
  dataFolder: string;
  receiver: CommandReceiver;
  /** Whether other commands find it, by the data folder. */
  isShared: boolean;
};

const answerAwaitedMs = 5000;
const lookMs = 100;
const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** Throws AppFailure STORAGE; `FolderInUse` if another process has the folder. */
export function startOwnCore(options: OwnCoreOptions, { version, clock, workers }: CoreContext): Promise<Core> {
  const { dataFolder, receiver, isShared } = options;
  requireWritableFolder(dataFolder);
  return createCore({
    dataFolder,
    clock,
    log: isShared ? openLog(join(dataFolder, 'logs', 'command-line.log'), 'command line') : silent,
    host: createCommandHost(options),
    version,
    workers,
    // No command searches for places.
    places: {
      search: async () => [],
      within: async () => [],
      nearest: async (places) => places.map(() => null),
      close: async () => {},
    },
    command: { receiver, isShared, route: readRoute(options.settingsFolder) },
  });
}

/** Opens the data folder's core for its callbacks. Throws AppFailure STORAGE, UNAVAILABLE if the process that has it does not answer. */
export async function openApp(options: AppOptions, context: CoreContext): Promise<AppSession> {
  const { clock } = context;
  const { dataFolder, sandbox } = options;
  for (const until = clock.elapsed() + answerAwaitedMs; clock.elapsed() < until;) {
    // Each step follows the one before.
    try {
      const core = await startOwnCore({ ...options, settingsFolder: dataFolder, isShared: true }, context);
      if (sandbox) core.connectSandbox(sandbox);
      return { client: core.client, isOwn: true, close: core.close };
    } catch (error) {
      if (!(error instanceof FolderInUse)) throw error;
    }
    const running = await findRunningApp(dataFolder, 'command');
    if (running) return { client: running.client, isOwn: false, close: async () => running.close() };
    await new Promise<void>((resolve) => void clock.after(lookMs, resolve));
  }
  throw new AppFailure(
    'UNAVAILABLE',
    `Another Rainbell process is using ${dataFolder}, but does not respond. Try again, or choose another folder with --data.`,
  );
}

/** Runs a task with the stored callbacks. Throws AppFailure STORAGE, even if there are none yet. */
export async function withStored<Result>(
  dataFolder: string,
  context: CoreContext,
  task: (client: AppClient, isOwn: boolean) => Promise<Result>,
): Promise<Result> {
  if (!existsSync(join(dataFolder, 'app.sqlite'))) {
    throw new AppFailure(
      'STORAGE',
      `${dataFolder} has no stored callbacks. Specify the app’s data folder with --data.`,
    );
  }
  const { client, isOwn, close } = await openApp({ dataFolder, receiver: { address: null } }, context);
  try {
    return await task(client, isOwn);
  } finally {
    await close();
  }
}
