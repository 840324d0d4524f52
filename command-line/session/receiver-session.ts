// Receives callbacks while a command runs. Only one program may write the store of a data folder: if the app (or another of these
// commands) has it, this follows what that program stores; otherwise it listens as the app would.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, readText } from '@rainbell/shared';
import type { Settings } from '@rainbell/contract/app-rpc';
import {
  type AppDatabase,
  AppFailure,
  createAddressFile,
  createAppSettings,
  createFeedCursors,
  createReceiver,
  createReceiverRulesStore,
  FolderInUse,
  limitsWith,
  openAppDatabase,
  openLog,
  readAddressFile,
  readChoice,
  type Receiver,
} from '@rainbell/core';
import type { Workers } from '../terminal/command.ts';
import { createCallbackStore, openRunningStore, type CallbackStore } from './callback-store.ts';

export type ReceiverSessionOptions = {
  dataFolder: string;
  /** Undefined: the settings' one, or the next free one. A number: that one and no other, 0 for any. */
  port: number | undefined;
  /** Without `port`, only the settings' one will do: it is in the callback addresses of monitors that were made here. */
  isDefaultPortRequired?: boolean;
  clock: Clock;
  workers: Workers;
  /** Called when callbacks may have come; only by a station that listens. */
  onCallbacks: () => void;
  tell: (sentence: string) => void;
};

export type ReceiverSession = {
  readonly kind: 'listening' | 'following';
  readonly store: CallbackStore;
  /** The newest callback at the moment of opening. */
  readonly newestId: number;
  /** Of one that listens. */
  readonly feedStore: FeedStore | undefined;
  close: () => Promise<void>;
};

/** What reading the feed needs of the store. */
export type FeedStore = {
  receiver: Pick<Receiver, 'storeFeed'>;
  cursors: ReturnType<typeof createFeedCursors>;
  isPaused: () => boolean;
};

/** Listens, unless another Rainbell has the folder: then undefined. Throws AppFailure STORAGE, PORT_TAKEN, UNAVAILABLE. */
export async function openListening(options: ReceiverSessionOptions): Promise<ReceiverSession | undefined> {
  const database = openUnlessInUse(options);
  if (!database) return undefined;
  let receiver: Receiver | undefined;
  const addresses = createAddressFile(options.dataFolder, () => {});
  const close = async () => {
    await receiver?.close();
    addresses.remove();
    database.close();
  };
  try {
    const store = createCallbackStore(database.db);
    const newestId = store.newestId();
    for (const notice of database.notices) options.tell(notice);
    receiver = await startReceiver(options, database);
    addresses.write({ service: null, receiver: receiver.state().baseUrl });
    const rules = createReceiverRulesStore(database.db);
    const feedStore = {
      receiver,
      cursors: createFeedCursors(database.db),
      isPaused: () => rules.get().pause !== 'off',
    };
    return { kind: 'listening', store, newestId, feedStore, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Reads along with the Rainbell that has the folder; undefined while its store is not there yet. */
export function openFollowing({ dataFolder }: ReceiverSessionOptions): ReceiverSession | undefined {
  const opened = openRunningStore(storeFile(dataFolder));
  if (!opened) return undefined;
  const { store, close } = opened;
  return { kind: 'following', store, newestId: store.newestId(), feedStore: undefined, close: async () => close() };
}

/** Returns whether another Rainbell, app or command, has the folder now. Throws AppFailure STORAGE if the folder can't be used. */
export function isFolderInUse(options: Pick<ReceiverSessionOptions, 'dataFolder' | 'clock'>): boolean {
  const database = openUnlessInUse(options);
  database?.close();
  return database === undefined;
}

/**
 * Finds the receiver of the Rainbell that has the folder: it is not always on the port in the settings, which may have been in use.
 */
export function findRunningReceiver(options: Pick<ReceiverSessionOptions, 'dataFolder' | 'clock'>): string | undefined {
  const receiver = readAddressFile(options.dataFolder)?.receiver ?? undefined;
  return receiver !== undefined && isFolderInUse(options) ? receiver : undefined;
}

/** Undefined while another Rainbell has the folder. Throws AppFailure STORAGE. */
export function openUnlessInUse({
  dataFolder,
  clock,
}: Pick<ReceiverSessionOptions, 'dataFolder' | 'clock'>): AppDatabase | undefined {
  try {
    return openAppDatabase({ file: storeFile(dataFolder), clock });
  } catch (error) {
    if (error instanceof FolderInUse) return undefined;
    throw error;
  }
}

async function startReceiver(options: ReceiverSessionOptions, database: AppDatabase): Promise<Receiver> {
  const { dataFolder, clock, tell } = options;
  const settings = readSettings(dataFolder);
  const access = readChoice(database.db);
  if (access?.tls || access?.lan)
    tell('The app’s TLS and LAN settings don’t apply here: this command listens only on this computer, without TLS.');
  const rules = createReceiverRulesStore(database.db);
  for (const notice of rules.notices) tell(notice);
  const started = Promise.withResolvers<void>();
  let printed: string | null = null;
  let isOpen = false;
  const receiver = createReceiver({
    workerUrl: options.workers.receiver,
    file: database.file,
    port: options.port ?? settings.receiverPort,
    limits: () => limitsWith(settings.keptLimits),
    rules: rules.get,
    clock,
    log: openLog(join(dataFolder, 'logs', 'command-line.log'), 'command line'),
    onState() {
      started.resolve();
      const { notice } = receiver.state();
      if (isOpen && notice !== printed && notice !== null) tell(notice);
      printed = notice;
    },
    onChanged: options.onCallbacks,
    onOutcomes: options.onCallbacks,
  });
  await started.promise;
  await requireOpen(receiver, options, settings.receiverPort);
  isOpen = true;
  const { baseUrl, notice } = receiver.state();
  if (notice !== null && options.port === undefined) tell(notice);
  tell(`Listening at ${baseUrl} (every path). Callbacks are stored in ${dataFolder} and appear in the app.`);
  return receiver;
}

/** A requested port is part of a callback URL, so another port would not help. */
async function requireOpen(
  receiver: Receiver,
  { port: asked, isDefaultPortRequired }: Pick<ReceiverSessionOptions, 'port' | 'isDefaultPortRequired'>,
  defaultPort: number,
): Promise<void> {
  const port = asked ?? (isDefaultPortRequired ? defaultPort : undefined);
  const { state, notice } = receiver.state();
  const actual = receiver.port();
  if (state === 'listening' && (!port || actual === port)) return;
  await receiver.close();
  if (state !== 'listening') throw new AppFailure('UNAVAILABLE', notice ?? 'The callback receiver cannot listen.');
  const remedy = isDefaultPortRequired
    ? `use --port ${actual} here and for rainbell monitors create, or start rainbell listen first.`
    : `use --port ${actual}, or omit --port.`;
  throw new AppFailure(
    'PORT_TAKEN',
    `Port ${port} is in use by another program, so callbacks sent there don’t reach Rainbell. Port ${actual} is free: ${remedy}`,
  );
}

/** The app's settings, without ever writing them: they are its business. */
export function readSettings(dataFolder: string): Settings {
  const read = (): unknown => {
    try {
      return JSON.parse(readText(readFileSync(join(dataFolder, 'settings.json'))).text);
    } catch {
      return {};
    }
  };
  return createAppSettings({ read, write: () => {}, backUp: () => null }, () => {}).get();
}

/** The app's database in a data folder. */
export function storeFile(dataFolder: string): string {
  return join(dataFolder, 'app.sqlite');
}
