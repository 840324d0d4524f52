// A clock that stands still until a test moves it.
import type { Clock } from '#contract/clock.ts';

export type ManualClock = Clock & {
  /** Moves on, and runs what came due, in order. */
  advance: (ms: number) => void;
};

export function createManualClock(startsAt = Date.parse('2026-11-21T06:00:00Z')): ManualClock {
  let now = startsAt;
  let timers: { at: number; run: () => void }[] = [];
  return {
    now: () => now,
    after(delayMs, run) {
      const timer = { at: now + delayMs, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    advance(ms) {
      const until = now + ms;
      for (;;) {
        const [next] = timers.filter((timer) => timer.at <= until).toSorted((one, other) => one.at - other.at);
        if (!next) break;
        timers = timers.filter((timer) => timer !== next);
        now = next.at;
        next.run();
      }
      now = until;
    },
  };
}
