import { vi } from 'vitest';

/** Tries until it no longer throws; gives up only after so long that not even a crowded machine needs it. */
export function eventually<Result>(check: () => Promise<Result> | Result): Promise<Result> {
  return vi.waitFor(check, { timeout: 15_000, interval: 25 });
}
