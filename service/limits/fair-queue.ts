// A queue for expensive work: few tasks run at once, the others wait. The least recently served network or account is next, and
// within it the names take turns. If the queue is full, the network with the most waiting and recent work loses its newest entry, so a
// flood cannot evict anyone else.
import { AsyncLocalStorage } from 'node:async_hooks';
import { createFairTurns } from '#service/http/fair-turns.ts';
import { ServiceError } from '#service/errors/service-error.ts';

/** Who requested the work: `network` as returned by `networkOf`, or an account; `name` of the account signing in. */
export type Requester = { network: string; name?: string };

type Refuse = (error: ServiceError) => void;

export type FairQueue = {
  /**
   * Starts the work now or in its turn, until `end` is called. Without `refuse`, it always waits; otherwise the error is
   * `temporarily_unavailable` if the queue is full and no other network or name has clearly more in it.
   */
  start(requester: Requester, work: () => void, refuse?: Refuse): void;
  end(): void;
  /** Does both for work that returns a promise. */
  run<T>(requester: Requester, work: () => Promise<T>): Promise<T>;
  /** Counts turns for work that was worth more than one. */
  count(network: string, turns: number): void;
};

type Entry = { start: () => void; refuse: Refuse | undefined };
/** The name that has waited longest comes first. */
type Names = Map<string, Entry[]>;

type Options = {
  atOnce: number;
  waitingLimit: number;
  /** What is told to those who are refused. */
  busy: string;
  /** Monotonic milliseconds. */
  now?: () => number;
  /** Calls back for the next start. */
  defer?: (run: () => void) => void;
};

export function createFairQueue(options: Options): FairQueue {
  const { atOnce, waitingLimit, busy, now = () => performance.now(), defer = (run) => run() } = options;
  const turns = createFairTurns(now);
  /** The network that has waited longest comes first. */
  const networks = new Map<string, Names>();
  let running = 0;
  let waiting = 0;
  /** The next start is planned, or one just happened. */
  let isTurnTaken = false;

  function enqueue({ network, name = '' }: Requester, entry: Entry): void {
    if (entry.refuse && waiting >= waitingLimit && !makeRoom(network, name)) {
      entry.refuse(busyError(busy));
      return;
    }
    const names = networks.get(network) ?? new Map<string, Entry[]>();
    networks.set(network, names);
    const entries = names.get(name) ?? [];
    names.set(name, entries);
    entries.push(entry);
    waiting += 1;
  }

  /** Rejects the newest entry of the network or name that clearly uses more than the requester; false if none does. */
  function makeRoom(network: string, name: string): boolean {
    const own = networks.get(network);
    const claimOf = (key: string, names: Names | undefined) => waitingIn(names) + turns.recentTurns(key);
    const [largestNetwork, names] = largest(networks, (value, key) => claimOf(key, value));
    if (names && claimOf(largestNetwork, names) > claimOf(network, own) + 1) {
      return dropNewest(largestNetwork, largest(names, (entries) => entries.length)[0]);
    }
    const [largestName, entries = []] = largest(own ?? new Map<string, Entry[]>(), (list) => list.length);
    if (entries.length <= (own?.get(name)?.length ?? 0) + 1) return false;
    return dropNewest(network, largestName);
  }

  function dropNewest(network: string, name: string): boolean {
    const names = networks.get(network);
    const entries = names?.get(name) ?? [];
    const newest = entries.findLastIndex(({ refuse }) => refuse !== undefined);
    if (newest === -1) return false;
    entries.splice(newest, 1)[0]?.refuse?.(busyError(busy));
    waiting -= 1;
    if (entries.length === 0) names?.delete(name);
    if (names?.size === 0) networks.delete(network);
    return true;
  }

  function takeNext(): Entry | undefined {
    const network = turns.next(networks.keys());
    const names = networks.get(network ?? '');
    const [name, entries] = first(names);
    const entry = entries?.shift();
    if (!entry || !names || !entries || network === undefined || name === undefined) return undefined;
    waiting -= 1;
    names.delete(name);
    if (entries.length > 0) names.set(name, entries);
    networks.delete(network);
    if (names.size > 0) networks.set(network, names);
    return entry;
  }

  function begin(work: () => void): void {
    running += 1;
    isTurnTaken = true;
    work();
    defer(startNext);
  }

  function startNext(): void {
    isTurnTaken = false;
    const entry = running < atOnce ? takeNext() : undefined;
    if (entry) begin(entry.start);
  }

  function start(requester: Requester, work: () => void, refuse?: Refuse): void {
    // A waiting one starts in the turn of another request, with another asynchronous context.
    if (isTurnTaken || running >= atOnce) return enqueue(requester, { start: AsyncLocalStorage.bind(work), refuse });
    turns.add(requester.network);
    begin(work);
  }

  function end(): void {
    running -= 1;
    if (isTurnTaken || waiting === 0) return;
    isTurnTaken = true;
    defer(startNext);
  }

  return {
    start,
    end,
    async run(requester, work) {
      await new Promise<void>((resolve, reject) => start(requester, resolve, reject));
      try {
        return await work();
      } finally {
        end();
      }
    },
    count: turns.add,
  };
}

function waitingIn(names: Names | undefined): number {
  return [...(names?.values() ?? [])].reduce((sum, entries) => sum + entries.length, 0);
}

function first<Value>(map: Map<string, Value> | undefined): [string | undefined, Value | undefined] {
  const [entry] = map ?? [];
  return entry ?? [undefined, undefined];
}

function largest<Value>(
  map: Map<string, Value>,
  sizeOf: (value: Value, key: string) => number,
): [string, Value | undefined] {
  let found: [string, Value | undefined] = ['', undefined];
  let size = 0;
  for (const [key, value] of map) {
    const own = sizeOf(value, key);
    if (own <= size) continue;
    found = [key, value];
    size = own;
  }
  return found;
}

function busyError(description: string): ServiceError {
  return new ServiceError('temporarily_unavailable', description, { headers: { 'retry-after': '5' } });
}
