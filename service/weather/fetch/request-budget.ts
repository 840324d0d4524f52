// Keeps us within a host's limits by counting what we send: better to wait than to be refused.
import type { Clock } from '#shared/time/clock.ts';

/** At most `most` requests in each window of so many seconds. */
export type RequestLimit = { seconds: number; most: number };

export type RequestBudget = {
  /** Counts one request; otherwise the seconds until the next may be sent, and nothing is counted. */
  take(): { waitSeconds: number } | undefined;
};

export function createRequestBudget(clock: Clock, limits: readonly RequestLimit[]): RequestBudget {
  const windows = limits.map((limit) => ({ ...limit, number: -1, taken: 0 }));
  return {
    take() {
      const nowSeconds = clock.now() / 1000;
      for (const window of windows) {
        const number = Math.floor(nowSeconds / window.seconds);
        // A clock that is set back does not begin a new window: the host has counted what was sent.
        if (number > window.number) window.taken = 0;
        window.number = number;
      }
      const full = windows.filter(({ taken, most }) => taken >= most);
      if (full.length > 0) {
        return { waitSeconds: Math.max(...full.map(({ seconds }) => seconds - (nowSeconds % seconds))) };
      }
      for (const window of windows) window.taken += 1;
      return undefined;
    },
  };
}
