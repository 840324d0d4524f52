// A clock that can be moved while it runs, for `--clock` and the sandbox. Moving it forward counts as elapsed time: its timers
// become due and `elapsed()` grows. Moving it back is a jump: it changes only `now()`, and no timer waits longer.
import type { CancelTimer, Clock } from '@rainbell/shared';

export type MovableClock = Clock & {
  /** Returns how far this clock is ahead of the machine's, in milliseconds. */
  aheadMs(): number;
  /** Moves by this many milliseconds; a negative value moves back. */
  moveBy(milliseconds: number): void;
};

/** `dueAt`: by `elapsed()` of the movable clock. */
type Waiting = { dueAt: number; run: () => void; cancel: CancelTimer };

export function createMovableClock(base: Clock, startsAt: number | undefined): MovableClock {
  let aheadMs = startsAt === undefined ? 0 : startsAt - base.now();
  /** Sum of all moves forward. */
  let skippedMs = 0;
  const waiting = new Set<Waiting>();
  const listeners = new Set<() => void>();
  const now = () => base.now() + aheadMs;
  const elapsed = () => base.elapsed() + skippedMs;

  function arm(entry: Waiting): void {
    entry.cancel = base.after(Math.max(0, entry.dueAt - elapsed()), () => {
      waiting.delete(entry);
      entry.run();
    });
  }

  function moveBy(milliseconds: number): void {
    aheadMs += milliseconds;
    if (milliseconds < 0) {
      for (const run of listeners) run();
      return;
    }
    skippedMs += milliseconds;
    const entries = [...waiting].sort((one, other) => one.dueAt - other.dueAt);
    for (const entry of entries) {
      entry.cancel();
      arm(entry);
    }
  }

  return {
    now,
    elapsed,
    aheadMs: () => aheadMs,
    moveBy,
    after(delayMs, run) {
      const entry: Waiting = { dueAt: elapsed() + delayMs, run, cancel: () => {} };
      waiting.add(entry);
      arm(entry);
      return () => {
        waiting.delete(entry);
        entry.cancel();
      };
    },
    onJump(run) {
      const listener = () => run();
      listeners.add(listener);
      const cancelOfBase = base.onJump(listener);
      return () => {
        listeners.delete(listener);
        cancelOfBase();
      };
    },
  };
}
