// A bound for how often something is reported.
import type { Clock } from '@rainbell/shared';

export type BoundedRate = { report: () => void; cancel: () => void };

/** Calls `run` at once, and then at most once per interval, however often it is called. */
export function createBoundedRate(clock: Clock, intervalMs: number, run: () => void): BoundedRate {
  let cancelTimer: (() => void) | undefined;
  let isReported = false;
  function report(): void {
    if (cancelTimer) {
      isReported = true;
      return;
    }
    run();
    cancelTimer = clock.after(intervalMs, () => {
      cancelTimer = undefined;
      if (isReported) {
        isReported = false;
        report();
      }
    });
  }
  return { report, cancel: () => cancelTimer?.() };
}
