import { vi } from 'vitest';

/** Tries until it no longer throws; gives up only after a time that even a crowded machine does not need. */
export function eventually<Result>(check: () => Promise<Result> | Result): Promise<Result> {
  return vi.waitFor(check, { timeout: 45_000, interval: 25 });
}
