// Yields callbacks as they arrive, each once and in order, until the command ends. If another process listens for us and ends, this
// one takes over.
import type { Clock } from '@rainbell/shared';
import { AppFailure, readAddressFile, type StoredSummary } from '@rainbell/core';
import { openFollowing, openListening, type ReceiverSession, type ReceiverSessionOptions } from './receiver-session.ts';

export type Arrivals = {
  readonly kind: ReceiverSession['kind'];
  readonly store: ReceiverSession['store'];
  readonly feedStore: ReceiverSession['feedStore'];
  /** The newest callback when it was opened; `until` gives those after it. */
  readonly newestId: number;
  /** Those from the opening on, until the signal; earlier ones are still yielded. */
  until: (signal: AbortSignal) => AsyncGenerator<StoredSummary>;
  /** The same, each when its response was sent or its connection ended; at the signal, those that wait for that, too. */
  settledUntil: (signal: AbortSignal) => AsyncGenerator<StoredSummary>;
  close: () => Promise<void>;
};

/** How often a follower polls the store; a listener is notified at once. */
const lookMs = 100;
/** A follower tries so often whether it has to listen itself. */
const takeOverMs = 1000;
const storeAwaitedMs = 5000;

/** Throws AppFailure STORAGE, PORT_TAKEN, UNAVAILABLE. */
export async function openArrivals(given: Omit<ReceiverSessionOptions, 'onCallbacks'>): Promise<Arrivals> {
  const { clock } = given;
  const alarm = createAlarm(clock);
  const options: ReceiverSessionOptions = { ...given, onCallbacks: alarm.ring };
  let session = await openSession(options, alarm);
  const { newestId } = session;
  let lastId = newestId;
  let triedAt = clock.elapsed();

  async function takeOver(): Promise<void> {
    if (session.kind === 'listening' || clock.elapsed() - triedAt < takeOverMs) return;
    triedAt = clock.elapsed();
    // The other program's port may still be in use, and this command was started without one, so any port will do.
    const next = await openListening({ ...options, isDefaultPortRequired: false });
    if (!next) return;
    await session.close();
    session = next;
    options.tell('The other Rainbell process ended, so this command is listening now.');
  }

  function* takeFresh(): Generator<StoredSummary> {
    for (const callback of session.store.after(lastId)) {
      lastId = callback.id;
      yield callback;
    }
  }

  async function* follow(
    signal: AbortSignal,
    choose: (fresh: Iterable<StoredSummary>, isLastLook: boolean) => Iterable<StoredSummary>,
  ): AsyncGenerator<StoredSummary> {
    const ring = () => alarm.ring();
    signal.addEventListener('abort', ring);
    try {
      for (let isLastLook = false; !isLastLook;) {
        isLastLook = signal.aborted;
        yield* choose(takeFresh(), isLastLook);
        if (isLastLook) break;
        await alarm.wait(lookMs);
        await takeOver();
      }
    } finally {
      signal.removeEventListener('abort', ring);
    }
  }

  return {
    get kind() {
      return session.kind;
    },
    get store() {
      return session.store;
    },
    get feedStore() {
      return session.feedStore;
    },
    newestId,
    until: (signal) => follow(signal, (fresh) => fresh),
    settledUntil(signal) {
      const waiting: Waiting[] = [];
      return follow(signal, (fresh, isLastLook) => {
        waiting.push(...[...fresh].map(({ id }) => ({ id, since: clock.elapsed() })));
        return takeSettled(waiting, session.store, { now: clock.elapsed(), takesAll: isLastLook });
      });
    },
    close: () => session.close(),
  };
}

type Waiting = { id: number; since: number };

/** Later ones follow a callback that takes longer to be responded to, for instance by a rule with a delay. */
const orderingMs = 1000;

function* takeSettled(
  waiting: Waiting[],
  store: ReceiverSession['store'],
  { now, takesAll }: { now: number; takesAll: boolean },
): Generator<StoredSummary> {
  let isBlocked = false;
  for (const entry of waiting.splice(0)) {
    const callback = isBlocked && !takesAll ? undefined : store.get(entry.id);
    if ((isBlocked && !takesAll) || (callback?.outcome.kind === 'waiting' && !takesAll)) {
      waiting.push(entry);
      isBlocked ||= now - entry.since < orderingMs;
    } else if (callback) {
      yield callback;
    }
  }
}

async function openSession(options: ReceiverSessionOptions, alarm: Alarm): Promise<ReceiverSession> {
  const { dataFolder, clock, tell } = options;
  for (const until = clock.elapsed() + storeAwaitedMs; clock.elapsed() < until; await alarm.wait(lookMs)) {
    const listening = await openListening(options);
    if (listening) return listening;
    refuseOwnPort(options);
    const following = openFollowing(options);
    if (!following) continue;
    tell(
      `Rainbell is already running with ${dataFolder} and receiving callbacks, so this command shows the callbacks stored there.`,
    );
    return following;
  }
  throw new AppFailure(
    'STORAGE',
    `Another Rainbell process is using ${dataFolder}, but has no callback database there. Try again, or choose another folder with --data.`,
  );
}

/** A second process can't write the same store, so a port is accepted only if the first one listens there. */
function refuseOwnPort({ port, dataFolder }: ReceiverSessionOptions): void {
  const receiver = readAddressFile(dataFolder)?.receiver;
  if (port === undefined || (receiver && Number(new URL(receiver).port) === port)) return;
  throw new AppFailure(
    'UNAVAILABLE',
    `Rainbell is already running with ${dataFolder} and is listening ${receiver ? `at ${receiver}` : 'on its own port'}. Omit --port to show its callbacks, or choose another folder with --data to listen alongside it.`,
  );
}

type Alarm = { ring: () => void; wait: (maxMs: number) => Promise<void> };

/** Wakes the waiting task; a signal before the wait is not lost. */
function createAlarm(clock: Clock): Alarm {
  let isRung = false;
  let wake: (() => void) | undefined;
  return {
    ring() {
      isRung = true;
      wake?.();
    },
    async wait(maxMs) {
      if (!isRung) {
        await new Promise<void>((resolve) => {
          const cancelTimer = clock.after(maxMs, resolve);
          wake = () => {
            cancelTimer();
            resolve();
          };
        });
      }
      wake = undefined;
      isRung = false;
    },
  };
}
