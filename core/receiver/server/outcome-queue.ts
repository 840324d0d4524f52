// Outcomes that wait to be written: many with a batch of callbacks, few in a transaction of their own, for which no sender waits.
import type { Clock } from '@rainbell/shared';
import type { BoundedRate } from '../../ports/bounded-rate.ts';
import type { RecordedOutcome } from '../responses/response-outcome.ts';

const maxWaitMs = 50;
/** Fewer are not worth another page in the commit that a sender waits for. */
const minWithCallbacks = 64;
const retryMs = 1000;
/** While the disk is full, the oldest are lost. */
const maxWaiting = 20_000;

type OutcomeQueueDependencies = {
  clock: Clock;
  write: (outcomes: readonly RecordedOutcome[]) => void;
  onRecorded: BoundedRate;
};

export function createOutcomeQueue({ clock, write, onRecorded }: OutcomeQueueDependencies) {
  let waiting: RecordedOutcome[] = [];
  let cancelTimer: (() => void) | undefined;
  let isClosed = false;

  function writeAll<Result>(writeNow: (outcomes: readonly RecordedOutcome[]) => Result): Result {
    const batch = waiting;
    waiting = [];
    // Under load, batches of callbacks take them along before the timer ends.
    cancelTimer?.();
    cancelTimer = undefined;
    try {
      const result = writeNow(batch);
      onRecorded.report();
      return result;
    } catch (error) {
      waiting = [...batch, ...waiting].slice(-maxWaiting);
      schedule(retryMs);
      throw error;
    }
  }

  function writeAlone(): void {
    if (waiting.length === 0) return;
    try {
      writeAll(write);
    } catch {
      // Reported by the write, and tried again.
    }
  }

  function schedule(delayMs: number): void {
    if (!isClosed) cancelTimer ??= clock.after(delayMs, writeAlone);
  }

  return {
    add(outcome: RecordedOutcome) {
      waiting.push(outcome);
      schedule(maxWaitMs);
    },
    /** Passes what waits to a write of callbacks if it is many, otherwise nothing. If the write throws, they wait for the next one. */
    writeWith: <Result>(writeNow: (outcomes: readonly RecordedOutcome[]) => Result): Result =>
      waiting.length >= minWithCallbacks ? writeAll(writeNow) : writeNow([]),
    /** Rows look different for another reason. */
    changed: onRecorded.report,
    /** Writes what waits. */
    close() {
      isClosed = true;
      writeAlone();
      onRecorded.cancel();
    },
  };
}
