// A clock that only moves when a test moves it.
import type { Clock } from '#shared/time/clock.ts';

export type ManualClock = Clock & {
  /** Lets time pass, and runs the due callbacks, in order. */
  advance: (ms: number) => void;
  /** Sets the wall clock forward, or back if negative; no time passes. */
  jump: (ms: number) => void;
  /** How many timers are set: they would keep the process alive. */
  timers: () => number;
};

export function createManualClock(startsAt = Date.parse('2026-11-21T06:00:00Z')): ManualClock {
  let passed = 0;
  let offset = startsAt;
  let timers: { at: number; run: () => void }[] = [];
  const listeners = new Set<() => void>();
  return {
    now: () => offset + passed,
    elapsed: () => passed,
    after(delayMs, run) {
      const timer = { at: passed + delayMs, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    onJump(run) {
      const listener = () => run();
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    advance(ms) {
      const until = passed + ms;
      for (;;) {
        const [next] = timers.filter((timer) => timer.at <= until).toSorted((one, other) => one.at - other.at);
        if (!next) break;
        timers = timers.filter((timer) => timer !== next);
        passed = Math.max(passed, next.at);
        next.run();
      }
      passed = until;
    },
    timers: () => timers.length,
    jump(ms) {
      offset += ms;
      for (const run of listeners) run();
    },
  };
}
