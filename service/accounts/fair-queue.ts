// A short queue for expensive work that anonymous clients can ask for: few run at once, the others wait in turns by network
// and, within a network, by name. If the queue is full, whoever has most waiting loses its newest entry, so one address
// with hundreds of requests cannot push anyone else out.
import { ServiceError } from '../http/service-error.ts';

/** Whose work it is: `network` as `networkOf` has it, `name` as the account is named. */
export type Requester = { network: string; name: string };

export type FairQueue = {
  /** Throws `temporarily_unavailable` if the queue is full of entries that have a better claim. */
  run<T>(requester: Requester, work: () => Promise<T>): Promise<T>;
};

type Entry = { start: () => void; refuse: (error: ServiceError) => void };
/** In the order of turns: the first key is next, and moves to the end when it had its turn. */
type Names = Map<string, Entry[]>;

export function createFairQueue({ atOnce, waitingLimit }: { atOnce: number; waitingLimit: number }): FairQueue {
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

  /** Refuses the newest entry of whoever has clearly more waiting than the requester; false if no one has. */
  function makeRoom({ network, name }: Requester): boolean {
    const own = networks.get(network);
    const [longest, names] = largest(networks, waitingIn);
    if (names && waitingIn(names) > waitingIn(own) + 1) {
      dropNewest(longest, largest(names, (entries) => entries.length)[0]);
      return true;
    }
    const [longestName, entries = []] = largest(own ?? new Map<string, Entry[]>(), (list) => list.length);
    if (entries.length <= (own?.get(name)?.length ?? 0) + 1) return false;
    dropNewest(network, longestName);
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
    const [network, names] = first(networks);
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
      } else running += 1;
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

function largest<Value>(map: Map<string, Value>, sizeOf: (value: Value) => number): [string, Value | undefined] {
  let found: [string, Value | undefined] = ['', undefined];
  let size = 0;
  for (const [key, value] of map) {
    if (sizeOf(value) <= size) continue;
    found = [key, value];
    size = sizeOf(value);
  }
  return found;
}

function busy(): ServiceError {
  return new ServiceError('temporarily_unavailable', 'Too many sign-ins are waiting; try again in a few seconds.', {
    headers: { 'retry-after': '5' },
  });
}
