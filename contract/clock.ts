// The one door for time. Everything that asks "what time is it" or "call me later" takes a Clock, so tests and the
// sandbox decide the time. Instants are epoch milliseconds, UTC.

declare function setTimeout(run: () => void, delayMs: number): unknown;
declare function clearTimeout(timer: unknown): void;

/** Cancels a pending call; calling it twice, or after the call ran, does nothing. */
export type CancelTimer = () => void;

export type Clock = {
  /** The current instant in epoch milliseconds. */
  now(): number;
  /** Runs `run` once, `delayMs` milliseconds of this clock from now. */
  after(delayMs: number, run: () => void): CancelTimer;
};

/** The machine's clock. Its timers keep the process alive; whoever sets one cancels it in `close()`. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};
