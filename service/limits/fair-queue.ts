// A queue for expensive work: few tasks run at once, the others wait. The least recently served network or account is next. If the
// queue is full, the network with the most waiting and recent work loses its newest entry, so a flood cannot evict anyone else.
import { AsyncLocalStorage } from 'node:async_hooks';
import { createCache } from '../cache/create-cache.ts';
import { ServiceError } from '../errors/service-error.ts';

type Refuse = (error: ServiceError) => void;

export type FairQueue = ReturnType<typeof createFairQueue>;

type Entry = { start: () => void; refuse: Refuse | undefined };

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
  const networks = new Map<string, Entry[]>();
  let running = 0;
  let waiting = 0;
  /** The next start is planned, or one just happened. */
  let isTurnTaken = false;

  function enqueue(network: string, entry: Entry): void {
    if (entry.refuse && waiting >= waitingLimit && !makeRoom(network)) return entry.refuse(refusal());
    const entries = networks.get(network) ?? [];
    networks.set(network, entries);
    entries.push(entry);
    waiting += 1;
  }

  /** Rejects the newest entry of the network that clearly uses more than the requester's; false if none does. */
  function makeRoom(requester: string): boolean {
    const claimOf = (network: string) => (networks.get(network)?.length ?? 0) + turns.recentTurns(network);
    let largest = requester;
    for (const network of networks.keys()) if (claimOf(network) > claimOf(largest)) largest = network;
    const entries = networks.get(largest) ?? [];
    const newest = entries.findLastIndex(({ refuse }) => refuse !== undefined);
    if (claimOf(largest) <= claimOf(requester) + 1 || newest === -1) return false;
    entries.splice(newest, 1)[0]?.refuse?.(refusal());
    waiting -= 1;
    if (entries.length === 0) networks.delete(largest);
    return true;
  }

  function takeNext(): Entry | undefined {
    const network = turns.next(networks.keys()) ?? '';
    const entries = networks.get(network);
    const entry = entries?.shift();
    if (!entries || !entry) return undefined;
    waiting -= 1;
    networks.delete(network);
    if (entries.length > 0) networks.set(network, entries);
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

  function start(network: string, work: () => void, refuse?: Refuse): void {
    // A waiting one starts in the turn of another request, with another asynchronous context.
    if (isTurnTaken || running >= atOnce) return enqueue(network, { start: AsyncLocalStorage.bind(work), refuse });
    turns.add(network);
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
     * Starts the work now or in its turn, until `end` is called. `network`: as returned by `networkOf`, or an account. Without
     * `refuse`, it always waits; otherwise the error is `temporarily_unavailable` if the queue is full and no other network has clearly
     * more in it.
     */
    start,
    end,
    async run<T>(network: string, work: () => Promise<T>): Promise<T> {
      await new Promise<void>((resolve, reject) => start(network, resolve, reject));
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
