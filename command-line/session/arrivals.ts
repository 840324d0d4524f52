// Callbacks as they arrive, each once and in order. If another process that listens for us ends, this one takes over.
import type { AppClient, CallbackSummary, ReceiverState } from '@rainbell/contract/app-rpc';
import { type Clock, parseTimestamp, within } from '@rainbell/shared';
import { AppFailure, AppLost } from '@rainbell/core';
import type { CommandContext } from '../terminal/command.ts';
import { type AppOptions, type AppSession, openApp } from './app-session.ts';
import { readSettings } from './command-host.ts';

export type ArrivalsOptions = {
  dataFolder: string;
  /** Undefined: the settings' one, or the next free one. A number: that one and no other, 0 for any. */
  port: number | undefined;
  /** Without `port`, only the settings' one will do: it is in the callback URLs of monitors that were made here. */
  isDefaultPortRequired?: boolean;
  context: Pick<CommandContext, 'version' | 'clock' | 'workers'>;
  tell: (sentence: string) => void;
  feed?: Pick<AppOptions, 'service' | 'userTokens' | 'sandbox' | 'readsFeed'> | undefined;
};

type Read = <Result>(task: (client: AppClient) => Promise<Result>) => Promise<Result>;

export type Arrivals = {
  client: () => AppClient;
  /** Reads with the core in use, and again with the next one if it was lost. */
  read: Read;
  /** Matching callbacks that were received since a time (epoch milliseconds) and before the opening, oldest first. */
  since: (instant: number, query: string) => Promise<AsyncGenerator<CallbackSummary>>;
  /** Those from the opening on that match, until the signal; earlier ones are still yielded. */
  until: (signal: AbortSignal, query: string) => AsyncGenerator<CallbackSummary>;
  /** The same, each when its response was sent or its connection ended; at the signal, those that wait for that, too. */
  settledUntil: (signal: AbortSignal, query: string) => AsyncGenerator<CallbackSummary>;
  close: () => Promise<void>;
};

/** IDs to read per request, so that a list of any length needs little memory. */
const windowIds = 500;
/** Later ones follow a callback that takes longer to be responded to, for instance by a rule with a delay. */
const orderingMs = 1000;
const readerAwaitedMs = 5000;

/** Throws AppFailure STORAGE, PORT_TAKEN, UNAVAILABLE. */
export async function openArrivals(options: ArrivalsOptions): Promise<Arrivals> {
  const { clock } = options.context;
  const alarm = createAlarm(clock);
  const opened = await openSession(options);
  const { newestId } = opened;
  let { session } = opened;
  let following = follow(session, alarm.ring, options.tell);
  let lastId = newestId;
  let takingOver: Promise<void> | undefined;

  async function reopen(): Promise<void> {
    await session.close();
    // The other program's port may still be in use, and this command was started without one, so any port will do.
    ({ session } = await openSession({ ...options, isDefaultPortRequired: false, isTakingOver: true }));
    following = follow(session, alarm.ring, options.tell);
  }

  function takeOver(): Promise<void> {
    takingOver ??= reopen().finally(() => (takingOver = undefined));
    return takingOver;
  }

  async function read<Result>(task: (client: AppClient) => Promise<Result>): Promise<Result> {
    try {
      return await task(session.client);
    } catch (error) {
      if (!(error instanceof AppLost)) throw error;
      await takeOver();
      // The next one may be ending, too.
      return read(task);
    }
  }

  async function* takeFresh(query: string): AsyncGenerator<CallbackSummary> {
    if (following.hasEnded()) await takeOver();
    const through = (await read(({ app }) => app.status())).newestCallbackId;
    for await (const callback of after(read, lastId, query, through)) {
      lastId = callback.id;
      yield callback;
    }
    lastId = Math.max(lastId, through);
  }

  async function* look(
    signal: AbortSignal,
    query: string,
    choose: (fresh: AsyncIterable<CallbackSummary>, isLastLook: boolean) => AsyncIterable<CallbackSummary>,
  ): AsyncGenerator<CallbackSummary> {
    signal.addEventListener('abort', alarm.ring);
    try {
      for (let isLastLook = false; !isLastLook;) {
        isLastLook = signal.aborted;
        yield* choose(takeFresh(query), isLastLook);
        // Each look follows the one before.
        if (!isLastLook) await alarm.wait(orderingMs);
      }
    } finally {
      signal.removeEventListener('abort', alarm.ring);
    }
  }

  return {
    client: () => session.client,
    read,
    since: async (instant, query) => after(read, await firstSince(read, instant), query, newestId),
    until: (signal, query) => look(signal, query, (fresh) => fresh),
    settledUntil(signal, query) {
      const waiting: Waiting[] = [];
      return look(signal, query, async function* (fresh, isLastLook) {
        for await (const callback of fresh) waiting.push({ callback, since: clock.elapsed() });
        yield* takeSettled(waiting, read, { now: clock.elapsed(), takesAll: isLastLook });
      });
    },
    async close() {
      following.end();
      await session.close();
    },
  };
}

/** Fires when callbacks may have arrived, or the process of the core has ended. */
function follow({ client, isOwn }: AppSession, ring: () => void, tell: ArrivalsOptions['tell']) {
  const ending = new AbortController();
  let hasEnded = false;
  let told: string | null | undefined;
  const listen = async () => {
    for await (const { topic } of await client.app.notices(undefined, { signal: ending.signal })) {
      if (topic === 'callbacks' || topic === 'callback-outcomes') ring();
      if (topic !== 'status' || !isOwn) continue;
      const { notice } = (await client.app.status()).receiver;
      // The first was printed at the start.
      if (told !== undefined && notice !== told && notice !== null) tell(notice);
      told = notice;
    }
  };
  void listen()
    .catch(() => {})
    .finally(() => {
      hasEnded = true;
      ring();
    });
  return { hasEnded: () => hasEnded, end: () => ending.abort() };
}

async function* after(read: Read, id: number, query: string, through: number): AsyncGenerator<CallbackSummary> {
  // Ids grow by one, and those that were dropped leave windows with nothing in them.
  for (let from = id; from < through; from += windowIds) {
    const newestFirst: CallbackSummary[] = [];
    const end = Math.min(from + windowIds, through) + 1;
    for (let beforeId: number | null = end; beforeId !== null;) {
      const before: number = beforeId;
      // Each page continues the one before.
      const page = await read(({ callbacks }) =>
        callbacks.search({ query, beforeId: before, afterId: from, limit: windowIds }),
      );
      newestFirst.push(...page.items);
      beforeId = page.nextBeforeId;
    }
    yield* newestFirst.toReversed();
  }
}

/** The ID after which all callbacks were received since a time (epoch milliseconds). */
async function firstSince(read: Read, instant: number): Promise<number> {
  // From the newest back: clocks can jump, so the first older one ends the search.
  for (let beforeId: number | undefined; ;) {
    const before = beforeId;
    const { items } = await read(({ callbacks }) => callbacks.list({ beforeId: before, limit: windowIds }));
    for (const { id, receivedAt } of items) {
      if ((parseTimestamp(receivedAt) ?? 0) < instant) return id;
      beforeId = id;
    }
    if (items.length < windowIds) return 0;
  }
}

type Waiting = { callback: CallbackSummary; since: number };

async function* takeSettled(
  waiting: Waiting[],
  read: Read,
  { now, takesAll }: { now: number; takesAll: boolean },
): AsyncGenerator<CallbackSummary> {
  let isBlocked = false;
  for (const entry of waiting.splice(0)) {
    const isOpen = entry.callback.outcome.kind === 'waiting';
    const { id } = entry.callback;
    // If it was deleted in the meantime, as it was.
    const current =
      isOpen && !isBlocked ? read(({ callbacks }) => callbacks.get({ id })).catch(() => undefined) : undefined;
    // Each follows the one before.
    const callback = (await current) ?? entry.callback;
    if (takesAll || (!isBlocked && callback.outcome.kind !== 'waiting')) {
      yield callback;
    } else {
      waiting.push({ callback, since: entry.since });
      isBlocked ||= now - entry.since < orderingMs;
    }
  }
}

type Opened = { session: AppSession; newestId: number };
type OpenOptions = ArrivalsOptions & { isTakingOver?: boolean };

/** The process that it finds may be ending. */
async function openSession(options: OpenOptions): Promise<Opened> {
  try {
    return await openOnce(options);
  } catch (error) {
    if (error instanceof AppLost) return openSession(options);
    throw error;
  }
}

async function openOnce(options: OpenOptions): Promise<Opened> {
  const { dataFolder, port, context, tell, feed } = options;
  const session = await openReceiving({ dataFolder, receiver: { port }, ...feed }, context);
  try {
    // Before a word of it: a script may send a callback then.
    const { receiver, notices, newestCallbackId: newestId } = await session.client.app.status();
    if (!session.isOwn) {
      refuseOwnPort(options, receiver);
      if (!options.isTakingOver)
        tell(
          `Rainbell is already running with ${dataFolder} and receiving callbacks, so this command shows the callbacks stored there.`,
        );
      return { session, newestId };
    }
    for (const notice of notices) tell(notice);
    await requireOpen(session.client, options);
    if (options.isTakingOver) tell('The other Rainbell process ended, so this command is listening now.');
    return { session, newestId };
  } catch (error) {
    await session.close();
    throw error;
  }
}

/** A command that only reads has the folder for a moment; then this one can listen. */
async function openReceiving(options: AppOptions, context: ArrivalsOptions['context']): Promise<AppSession> {
  const { clock } = context;
  for (const until = clock.elapsed() + readerAwaitedMs; ;) {
    // Each step follows the one before.
    const session = await openApp(options, context);
    const status = session.isOwn ? undefined : await session.client.app.status().catch(() => undefined);
    if (session.isOwn || status?.receiver.baseUrl || clock.elapsed() > until) return session;
    await session.close();
    await new Promise<void>((resolve) => void clock.after(100, resolve));
  }
}

/** A second process can't write the same store, so a port is accepted only if the first one listens there. */
function refuseOwnPort({ port, dataFolder }: ArrivalsOptions, { baseUrl }: ReceiverState): void {
  if (port === undefined || (baseUrl !== null && Number(new URL(baseUrl).port) === port)) return;
  throw new AppFailure(
    'UNAVAILABLE',
    `Rainbell is already running with ${dataFolder} and is listening ${baseUrl === null ? 'on its own port' : `at ${baseUrl}`}. Omit --port to show its callbacks, or choose another folder with --data to listen alongside it.`,
  );
}

/** A requested port is part of a callback URL, so another port would not help. */
async function requireOpen(
  client: AppClient,
  { port: asked, isDefaultPortRequired, dataFolder, tell }: ArrivalsOptions,
): Promise<void> {
  const { receiver, exposure } = await started(client);
  if (exposure.tls || exposure.lan)
    tell('The app’s TLS and LAN settings don’t apply here: this command listens only on this computer, without TLS.');
  const port = asked ?? (isDefaultPortRequired ? readSettings(dataFolder).receiverPort : undefined);
  const { state, baseUrl, notice } = receiver;
  if (state !== 'listening' || baseUrl === null)
    throw new AppFailure('UNAVAILABLE', notice ?? 'The callback receiver cannot listen.');
  const actual = Number(new URL(baseUrl).port);
  if (port && actual !== port) {
    const remedy = isDefaultPortRequired
      ? `use --port ${actual} here and for rainbell monitors create, or start rainbell listen first.`
      : `use --port ${actual}, or omit --port.`;
    throw new AppFailure(
      'PORT_TAKEN',
      `Port ${port} is in use by another program, so callbacks sent there don’t reach Rainbell. Port ${actual} is free: ${remedy}`,
    );
  }
  if (notice !== null && asked === undefined) tell(notice);
  tell(`Listening at ${baseUrl} (every path). Callbacks are stored in ${dataFolder} and appear in the app.`);
}

/** The status once the receiver listens, or can't. */
async function started(client: AppClient) {
  for await (const { topic } of await client.app.notices()) {
    if (topic !== 'status') continue;
    const status = await client.app.status();
    if (status.receiver.state !== 'starting') return status;
  }
  return client.app.status();
}

/** Wakes the waiting task; a signal before the wait is not lost. */
function createAlarm(clock: Clock) {
  let rung = Promise.withResolvers<void>();
  return {
    ring: () => rung.resolve(),
    async wait(maxMs: number) {
      await within(clock, maxMs, rung.promise);
      rung = Promise.withResolvers();
    },
  };
}
