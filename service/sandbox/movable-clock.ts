// A clock that can be moved while it ticks, for `--clock` and the sandbox. Timers wait for instants of this clock: moving
// it forward fires those that became due, in order; moving it back keeps what each still had to wait.
import type { CancelTimer, Clock } from '#contract/clock.ts';

export type MovableClock = Clock & {
  /** How far this clock is ahead of the machine's, in milliseconds. */
  aheadMs(): number;
  /** Moves by so many milliseconds; negative goes back. */
  moveBy(milliseconds: number): void;
  moveTo(instant: number): void;
};

type Waiting = { dueAt: number; run: () => void; cancel: CancelTimer };

/** Timers of the machine overflow past about 24 days; longer waits are cut into pieces. */
const longestWaitMs = 2 ** 30;

export function createMovableClock(base: Clock, startsAt: number | undefined): MovableClock {
  let aheadMs = startsAt === undefined ? 0 : startsAt - base.now();
  const waiting = new Set<Waiting>();
  const now = () => base.now() + aheadMs;

  function arm(entry: Waiting): void {
    const delayMs = Math.min(Math.max(0, entry.dueAt - now()), longestWaitMs);
    entry.cancel = base.after(delayMs, () => {
      if (entry.dueAt > now()) {
        arm(entry);
        return;
      }
      waiting.delete(entry);
      entry.run();
    });
  }

  function moveBy(milliseconds: number): void {
    aheadMs += milliseconds;
    const entries = [...waiting].sort((one, other) => one.dueAt - other.dueAt);
    for (const entry of entries) {
      entry.cancel();
      if (milliseconds < 0) entry.dueAt += milliseconds;
      arm(entry);
    }
  }

  return {
    now,
    aheadMs: () => aheadMs,
    moveBy,
    moveTo: (instant) => moveBy(instant - now()),
    after(delayMs, run) {
      const entry: Waiting = { dueAt: now() + delayMs, run, cancel: () => {} };
      waiting.add(entry);
      arm(entry);
      return () => {
        waiting.delete(entry);
        entry.cancel();
      };
    },
  };
}
