// A short queue for expensive work that anonymous clients can request: few tasks run at once, the others wait. The least recently
// served network is next, and within a network the names take turns. If the queue is full, the network with the most waiting and
// recent work loses its newest entry, so a flood cannot evict anyone else.
import { createFairTurns } from '#service/http/fair-turns.ts';
import { ServiceError } from '#service/errors/service-error.ts';

/** Who requested the work: `network` as returned by `networkOf`, `name` of the account. */
export type Requester = { network: string; name: string };

export type FairQueue = {
  /** Throws `temporarily_unavailable` if the queue is full and no other network or name has clearly more in it. */
  run<T>(requester: Requester, work: () => Promise<T>): Promise<T>;
};

type Entry = { start: () => void; refuse: (error: ServiceError) => void };
/** The name that has waited longest comes first. */
type Names = Map<string, Entry[]>;

type Options = { atOnce: number; waitingLimit: number; /** Monotonic milliseconds. */ now?: () => number };

export function createFairQueue({ atOnce, waitingLimit, now = () => performance.now() }: Options): FairQueue {
  const turns = createFairTurns(now);
  /** The network that has waited longest comes first. */
  const networks = new Map<string, Names>();
  let running = 0;
  let waiting = 0;

  function enqueue({ network, name }: Requester, entry: Entry): void {
    if (waiting >= waitingLimit && !makeRoom({ network, name })) {
      entry.refuse(busy());
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
  function makeRoom({ network, name }: Requester): boolean {
    const own = networks.get(network);
    const claimOf = (key: string, names: Names | undefined) => waitingIn(names) + turns.recentTurns(key);
    const [largestNetwork, names] = largest(networks, (value, key) => claimOf(key, value));
    if (names && claimOf(largestNetwork, names) > claimOf(network, own) + 1) {
      dropNewest(largestNetwork, largest(names, (entries) => entries.length)[0]);
      return true;
    }
    const [largestName, entries = []] = largest(own ?? new Map<string, Entry[]>(), (list) => list.length);
    if (entries.length <= (own?.get(name)?.length ?? 0) + 1) return false;
    dropNewest(network, largestName);
    return true;
  }

  function dropNewest(network: string, name: string): void {
    const names = networks.get(network);
    const entries = names?.get(name);
    entries?.pop()?.refuse(busy());
    waiting -= 1;
    if (entries?.length === 0) names?.delete(name);
    if (names?.size === 0) networks.delete(network);
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

  return {
    async run(requester, work) {
      if (running >= atOnce) {
        await new Promise<void>((start, refuse) => enqueue(requester, { start, refuse }));
      } else {
        running += 1;
        turns.add(requester.network);
      }
      try {
        return await work();
      } finally {
        const next = takeNext();
        if (next) next.start();
        else running -= 1;
      }
    },
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

function busy(): ServiceError {
  return new ServiceError('temporarily_unavailable', 'Too many sign-ins are waiting; try again in a few seconds.', {
    headers: { 'retry-after': '5' },
  });
}
