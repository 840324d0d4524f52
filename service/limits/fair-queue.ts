// A queue for expensive work: few tasks run at once, the others wait. The least recently served network or account is next, and
// within it the names take turns. If the queue is full, the network with the most waiting and recent work loses its newest entry, so a
// flood cannot evict anyone else.
import { AsyncLocalStorage } from 'node:async_hooks';
import { createCache } from '../cache/create-cache.ts';
import { ServiceError } from '../errors/service-error.ts';

/** Who requested the work: `network` as returned by `networkOf`, or an account; `name` of the account signing in. */
export type Requester = { network: string; name?: string };

type Refuse = (error: ServiceError) => void;

export type FairQueue = ReturnType<typeof createFairQueue>;

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
  defer?: (run: () => void) => void;
};

const halfLifeMs = 10_000;
const rememberedNames = 20_000;
/** Every Nth turn goes to the one that has waited longest, so that no one waits forever. */
const turnsUntilLongest = 4;

export function createFairQueue(options: Options) {
  const { atOnce, waitingLimit, busy, now = () => performance.now(), defer = (run) => run() } = options;
  const turns = createFairTurns(now);
  const refusal = () => new ServiceError('temporarily_unavailable', busy, { retryAfter: 5 });
  /** The network that has waited longest comes first. */
  const networks = new Map<string, Names>();
  let running = 0;
  let waiting = 0;
  /** The next start is planned, or one just happened. */
  let isTurnTaken = false;

  function enqueue({ network, name = '' }: Requester, entry: Entry): void {
    if (entry.refuse && waiting >= waitingLimit && !makeRoom(network, name)) {
      return entry.refuse(refusal());
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
    entries.splice(newest, 1)[0]?.refuse?.(refusal());
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
    /**
     * Starts the work now or in its turn, until `end` is called. Without `refuse`, it always waits; otherwise the error is
     * `temporarily_unavailable` if the queue is full and no other network or name has clearly more in it.
     */
    start,
    end,
    async run<T>(requester: Requester, work: () => Promise<T>): Promise<T> {
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

/** Chooses whose turn is next: the one with the fewest recent turns, so a flood waits behind everyone else. */
function createFairTurns(now: () => number) {
  // All counts halve together, so their order is stable until one has a turn: stores log2 of the count, as of time 0.
  const ranks = createCache<string, number>(rememberedNames);
  let turns = 0;
  const halvings = () => now() / halfLifeMs;
  const rankOf = (name: string) => ranks.get(name) ?? -Infinity;
  /** Halves every 10 s; 0 for a new one. */
  const recentTurns = (name: string) => 2 ** (rankOf(name) - halvings());
  const add = (name: string, count = 1) => void ranks.set(name, Math.log2(recentTurns(name) + count) + halvings());

  /** `waiting`: in the order of arrival. */
  function next(waiting: Iterable<string>): string | undefined {
    turns += 1;
    let chosen: string | undefined;
    let min = Infinity;
    for (const name of waiting) {
      const rank = rankOf(name);
      if (rank >= min) continue;
      chosen = name;
      min = rank;
      if (turns % turnsUntilLongest === 0 || rank === -Infinity) break;
    }
    if (chosen !== undefined) add(chosen);
    return chosen;
  }

  return { next, add, recentTurns };
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
