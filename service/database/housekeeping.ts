// Work that runs a minute after the start, because a desktop's service may run for minutes only, and then once an hour if nothing else
// is given: mostly, it deletes old data. A wrong clock must not cost data: after a jump it waits for ten minutes by default, in which a
// wrongly set clock is usually corrected.
import type { CancelTimer, Clock } from '@rainbell/shared';

type HousekeepingOptions = {
  clock: Clock;
  work: () => Promise<void>;
  onError: (error: unknown) => void;
  everyMs?: number;
  afterJumpMs?: number;
};

export function createHousekeeping(options: HousekeepingOptions) {
  const { clock, work, onError, everyMs = 3_600_000, afterJumpMs = 600_000 } = options;
  let cancelTimer: CancelTimer = () => {};
  let cancelOnJump: CancelTimer = () => {};
  let running = Promise.resolve();

  function runAfter(delayMs: number): void {
    cancelTimer();
    cancelTimer = clock.after(delayMs, () => {
      runAfter(everyMs);
      running = work().catch(onError);
    });
  }

  return {
    start() {
      runAfter(60_000);
      cancelOnJump = clock.onJump(() => runAfter(afterJumpMs));
    },
    async close() {
      cancelTimer();
      cancelOnJump();
      await running;
    },
  };
}
