// The clock. Code that needs the time or a timer takes a Clock as a parameter, so that tests and the sandbox can control it.
//
// A machine has two clocks. The wall clock gives timestamps; it can jump (a user or NTP sets it, a virtual machine resumes).
// The monotonic clock gives durations; it never jumps, but on Linux it stops while the machine sleeps. So delays,
// limits and ages inside one process are measured by `elapsed()` and `after()`; `now()` is only for timestamps that leave the
// process or outlive it; and code that waits for such a timestamp plans again in `onJump()`.

declare function setTimeout(run: () => void, delayMs: number): unknown;
declare function clearTimeout(timer: unknown): void;
declare const performance: { now(): number };

/** Cancels a pending call or a subscription. Calling it again, or after the call ran, does nothing. */
export type CancelTimer = () => void;

export type Clock = {
  /** The wall clock: the current time in epoch milliseconds (UTC). Two readings don't give a duration. */
  now(): number;
  /** The monotonic clock, in whole milliseconds from an arbitrary start. Only the difference of two readings has a meaning. */
  elapsed(): number;
  /** Runs `run` once after `delayMs` milliseconds of the monotonic clock. */
  after(delayMs: number, run: () => void): CancelTimer;
  /**
   * Runs `run` after each jump: `now()` moved by more than 2 s against `elapsed()`, also because the machine slept. It is
   * noticed within a second. What was planned by the wall clock has to be planned again.
   */
  onJump(run: () => void): CancelTimer;
};

/** Smaller steps are ordinary corrections by NTP. */
export const jumpMs = 2_000;
const lookEveryMs = 1_000;
/** setTimeout runs at once if the delay exceeds 2^31 - 1 ms (about 24.8 days). */
const maxTimeoutMs = 2 ** 30;

/** The machine's clock. Its timers and jump subscriptions keep the process alive; their owner cancels them in `close()`. */
function createSystemClock(): Clock {
  const listeners = new Set<() => void>();
  let timer: unknown;
  /** Wall clock minus monotonic clock: constant, except for jumps. */
  let offsetMs = 0;
  const readOffset = () => Date.now() - performance.now();

  function look(): void {
    timer = setTimeout(look, lookEveryMs);
    const read = readOffset();
    if (Math.abs(read - offsetMs) <= jumpMs) return;
    offsetMs = read;
    for (const run of listeners) run();
  }

  return {
    now: () => Date.now(),
    elapsed: () => Math.floor(performance.now()),
    after(delayMs, run) {
      const dueAt = performance.now() + delayMs;
      const wait = (leftMs: number) =>
        setTimeout(
          () => {
            const stillMs = dueAt - performance.now();
            if (leftMs > maxTimeoutMs && stillMs > 0) pending = wait(stillMs);
            else run();
          },
          Math.min(leftMs, maxTimeoutMs),
        );
      let pending = wait(delayMs);
      return () => clearTimeout(pending);
    },
    onJump(run) {
      // Wrapped, so that the same function can subscribe twice.
      const listener = () => run();
      if (listeners.size === 0) {
        offsetMs = readOffset();
        timer = setTimeout(look, lookEveryMs);
      }
      listeners.add(listener);
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) clearTimeout(timer);
      };
    },
  };
}

export const systemClock: Clock = createSystemClock();

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
