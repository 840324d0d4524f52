// A bound for how often something is reported.
import type { Clock } from '#shared/time/clock.ts';

export type BoundedRate = { tell: () => void; cancel: () => void };

/** Calls `run` at once, and then at most once per interval, however often it is called. */
export function createBoundedRate(clock: Clock, intervalMs: number, run: () => void): BoundedRate {
  let cancelTimer: (() => void) | undefined;
  let isTold = false;
  function tell(): void {
    if (cancelTimer) {
      isTold = true;
      return;
    }
    run();
    cancelTimer = clock.after(intervalMs, () => {
      cancelTimer = undefined;
      if (isTold) {
        isTold = false;
        tell();
      }
    });
  }
  return { tell, cancel: () => cancelTimer?.() };
}
