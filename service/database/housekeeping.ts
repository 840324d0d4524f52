// Work that runs a minute after the start, because a desktop's service may run for minutes only, and then once an hour: mostly, it deletes
// old data. A wrong clock must not cost data: after a jump it waits for ten minutes, in which a wrongly set clock is usually corrected.
import type { CancelTimer, Clock } from '@rainbell/shared';

export type Housekeeping = ReturnType<typeof createHousekeeping>;

const afterJumpMs = 600_000;

type HousekeepingOptions = {
  clock: Clock;
  work: () => Promise<void>;
  onError: (error: unknown) => void;
  everyMs?: number;
};

export function createHousekeeping({ clock, work, onError, everyMs = 3_600_000 }: HousekeepingOptions) {
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
