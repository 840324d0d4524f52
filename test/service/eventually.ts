import { expect, vi } from 'vitest';

/** Tries until it no longer throws; gives up only after a time that even a crowded machine does not need. */
export function eventually<Result>(check: () => Promise<Result> | Result): Promise<Result> {
  return vi.waitFor(check, { timeout: 45_000, interval: 25 });
}

/** Waits until the count reaches the goal, for as long as it keeps growing: the total time depends on the machine. */
export async function waitForCount(goal: number, count: () => Promise<number> | number, what = ''): Promise<void> {
  let reached = await count();
  while (reached < goal) {
    const before = reached;
    reached = await vi.waitFor(
      async () => {
        const now = await count();
        expect(now, `${what} (waiting for ${goal})`).toBeGreaterThan(before);
        return now;
      },
      { timeout: 45_000, interval: 10 },
    );
  }
}
