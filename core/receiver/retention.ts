// Drops the oldest callbacks beyond the limits, in slices small enough that a sender never waits for one.
import type { CallbackWriter } from './callback-writer.ts';
import type { ReceiverLimits } from './receiver-limits.ts';

export type Retention = {
  /** Looks whether a limit is passed, and drops slice after slice until it is not. */
  look: () => void;
  /** Drops all callbacks that are there now; those that arrive meanwhile stay. */
  clear: () => Promise<void>;
  cancel: () => void;
};

const sliceRows = 500;

export function createRetention({
  writer,
  limits,
  onDropped,
}: {
  writer: CallbackWriter;
  limits: Pick<ReceiverLimits, 'keptCallbacks' | 'keptBytes'>;
  onDropped: () => void;
}): Retention {
  let isRunning = false;
  let isCancelled = false;

  function excess(): number {
    const { total, bytes } = writer.counters;
    if (bytes > limits.keptBytes) return Math.max(1, Math.min(sliceRows, total - limits.keptCallbacks));
    return Math.min(sliceRows, total - limits.keptCallbacks);
  }

  function dropSlice(): void {
    const count = isCancelled ? 0 : excess();
    if (count <= 0 || writer.dropOldest(count) === 0) {
      isRunning = false;
      return;
    }
    onDropped();
    setImmediate(dropSlice);
  }

  return {
    look() {
      if (isRunning || excess() <= 0) return;
      isRunning = true;
      setImmediate(dropSlice);
    },
    clear() {
      let remaining = writer.counters.total;
      return new Promise((resolve, reject) => {
        function next(): void {
          try {
            const dropped = isCancelled ? 0 : writer.dropOldest(Math.min(sliceRows, remaining));
            remaining -= dropped;
            onDropped();
            if (dropped === 0 || remaining <= 0) resolve();
            else setImmediate(next);
          } catch (error) {
            reject(error);
          }
        }
        if (remaining > 0) next();
        else resolve();
      });
    },
    cancel() {
      isCancelled = true;
    },
  };
}
