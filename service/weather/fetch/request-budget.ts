// Keeps us within a host's limits by counting our requests, of all processes on one PostgreSQL together: waiting is better than a
// rejection. Windows start with a request, not with the host's minute, which is as good.
import { createLimiter, type Fleet } from '../../limits/limiter.ts';

export type BudgetLeft = { name: string; seconds: number; left: number };

/** `name`: of the host. `limits`: the shortest first, so that a full minute costs the hour nothing. */
export function createRequestBudget(fleet: Fleet, name: string, limits: readonly { seconds: number; max: number }[]) {
  const limiters = limits.map(({ seconds, max }) => ({
    seconds,
    limiter: createLimiter({ name: `requests ${seconds}`, max, windowSeconds: seconds }, fleet),
  }));
  return {
    /** Counts one request, or one for several places, and returns 0; otherwise the seconds until the next is allowed. */
    async take(count = 1): Promise<number> {
      for (const { limiter } of limiters) {
        const waitSeconds = await limiter.take(name, count);
        if (waitSeconds > 0) return waitSeconds;
      }
      return 0;
    },
    left: () =>
      Promise.all(
        limiters.map(async ({ seconds, limiter }) => ({ name, seconds, left: (await limiter.left(name)).count })),
      ),
  };
}
