// Outcomes that wait to be written, together in a transaction of their own, for which no sender waits.
import type { Clock } from '@rainbell/shared';
import type { BoundedRate } from '../../ports/bounded-rate.ts';
import type { RecordedOutcome } from '../responses/response-outcome.ts';

const maxWaitMs = 50;
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

  function writeAll(): void {
    const batch = waiting;
    waiting = [];
    cancelTimer?.();
    cancelTimer = undefined;
    if (batch.length === 0) return;
    try {
      write(batch);
      onRecorded.report();
    } catch {
      // Reported by the write, and tried again.
      waiting = [...batch, ...waiting].slice(-maxWaiting);
      schedule(retryMs);
    }
  }

  function schedule(delayMs: number): void {
    if (!isClosed) cancelTimer ??= clock.after(delayMs, writeAll);
  }

  return {
    add(outcome: RecordedOutcome) {
      waiting.push(outcome);
      schedule(maxWaitMs);
    },
    /** Rows look different for another reason. */
    changed: onRecorded.report,
    /** Writes what waits. */
    close() {
      isClosed = true;
      writeAll();
      onRecorded.cancel();
    },
  };
}
