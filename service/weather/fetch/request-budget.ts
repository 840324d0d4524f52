// Keeps us within a host's limits by counting our requests, of all processes on one PostgreSQL together: waiting is better than a
// rejection.
import type { LimitContext } from '#service/limits/fleet-counters.ts';

/** At most `max` requests in each window of `seconds`. */
export type RequestLimit = { seconds: number; max: number };

export type RequestBudget = {
  /** Counts one request, or one for several places; otherwise returns the seconds until the next is allowed and counts nothing. */
  take(count?: number): Promise<{ waitSeconds: number } | undefined>;
  /** How many requests are left in the present window of each limit. */
  left(): Promise<BudgetLeft[]>;
};

export type BudgetLeft = { name: string; seconds: number; left: number };

type Window = RequestLimit & { number: number; taken: number };

/** `name`: of the host, for the counters that processes share. */
export function createRequestBudget(
  { clock, counters }: LimitContext,
  name: string,
  limits: readonly RequestLimit[],
): RequestBudget {
  const windows: Window[] = limits.map((limit) => ({ ...limit, number: -1, taken: 0 }));

  function refusal(full: readonly Window[], nowSeconds: number): { waitSeconds: number } {
    return { waitSeconds: Math.max(...full.map(({ seconds }) => seconds - (nowSeconds % seconds))) };
  }

  const keyOf = ({ seconds }: RequestLimit) => `requests ${name} ${seconds}`;

  /** Adds to the window's counter of all processes; this process's own count holds if the database does not answer. */
  async function addForAll(window: Window, count: number): Promise<number | undefined> {
    return counters?.add(keyOf(window), count, (window.number + 1) * window.seconds * 1000);
  }

  return {
    async take(count = 1) {
      const nowSeconds = clock.now() / 1000;
      for (const window of windows) {
        const number = Math.floor(nowSeconds / window.seconds);
        // A clock that is set back does not start a new window: the host has counted the sent requests.
        if (number > window.number) window.taken = 0;
        window.number = number;
      }
      const full = windows.filter(({ taken, max }) => taken + count > max);
      if (full.length > 0) return refusal(full, nowSeconds);
      for (const window of windows) window.taken += count;
      if (!counters) return undefined;
      const totals = await Promise.all(windows.map((window) => addForAll(window, count)));
      const fullForAll = windows.filter(({ max }, index) => (totals[index] ?? 0) > max);
      if (fullForAll.length === 0) return undefined;
      await Promise.all(windows.map((window) => addForAll(window, -count)));
      for (const window of windows) window.taken -= count;
      return refusal(fullForAll, nowSeconds);
    },
    left: () =>
      Promise.all(
        windows.map(async (window) => {
          const isPresent = Math.floor(clock.now() / 1000 / window.seconds) <= window.number;
          const forAll = await counters?.read(keyOf(window));
          const used = forAll?.used ?? (isPresent ? window.taken : 0);
          return { name, seconds: window.seconds, left: Math.max(0, window.max - used) };
        }),
      ),
  };
}
