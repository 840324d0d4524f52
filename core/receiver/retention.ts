// Drops the oldest callbacks beyond the limits of number, bytes and age, in slices small enough that a sender never waits
// long for one.
import type { Clock } from '#contract/clock.ts';
import type { CallbackWriter } from './callback-writer.ts';
import type { ReceiverLimits } from './receiver-limits.ts';

export type Retention = {
  /** How many were dropped for a limit since the start. */
  readonly dropped: number;
  /** Looks whether a limit is passed, and drops slice after slice until it is not. */
  look: () => void;
  /** Drops all callbacks that are there now; those that arrive meanwhile stay. */
  clear: () => Promise<void>;
  cancel: () => void;
};

type KeptLimits = Pick<ReceiverLimits, 'keptCallbacks' | 'keptBytes' | 'keptAge'>;

const sliceRows = 500;
const ageLookInterval = 60_000;

type Parts = {
  writer: CallbackWriter;
  limits: () => KeptLimits;
  clock: Clock;
  onDropped: () => void;
};

export function createRetention({ writer, limits, clock, onDropped }: Parts): Retention {
  let dropped = 0;
  let isRunning = false;
  let isCancelled = false;
  let cancelTimer = clock.after(ageLookInterval, lookAtAge);

  function lookAtAge(): void {
    begin(sliceByAge() > 0);
    cancelTimer = clock.after(ageLookInterval, lookAtAge);
  }

  /** Rows to drop for their age. A slice can hold younger ones too, so the last rows go one by one. */
  function sliceByAge(): number {
    const { keptAge } = limits();
    const oldest = keptAge === null ? undefined : writer.oldestReceivedAt();
    return keptAge !== null && oldest !== undefined && clock.now() - oldest > keptAge ? 1 : 0;
  }

  function nextSlice(): number {
    return Math.min(sliceRows, Math.max(excessRows(writer.counters, limits()), sliceByAge()));
  }

  function dropSlice(): void {
    const count = isCancelled ? 0 : nextSlice();
    const gone = count > 0 ? writer.dropOldest(count) : 0;
    isRunning = gone > 0;
    if (!isRunning) return;
    dropped += gone;
    onDropped();
    setImmediate(dropSlice);
  }

  function begin(isNeeded: boolean): void {
    if (isRunning || !isNeeded) return;
    isRunning = true;
    setImmediate(dropSlice);
  }

  return {
    get dropped() {
      return dropped;
    },
    look: () => begin(isWellBeyond(writer.counters, limits())),
    clear: () => dropInSlices(writer, () => isCancelled, onDropped),
    cancel() {
      isCancelled = true;
      cancelTimer();
    },
  };
}

/** One percent more is borne, so that a full store is not trimmed after every single callback. */
function isWellBeyond({ total, bytes }: CallbackWriter['counters'], { keptCallbacks, keptBytes }: KeptLimits): boolean {
  return total > keptCallbacks * 1.01 || bytes > keptBytes * 1.01;
}

/** How many rows are too many, by number or by bytes (then estimated by the mean size). */
function excessRows({ total, bytes }: CallbackWriter['counters'], { keptCallbacks, keptBytes }: KeptLimits): number {
  const byBytes = bytes > keptBytes ? Math.ceil((bytes - keptBytes) / (bytes / total)) : 0;
  return Math.max(total - keptCallbacks, byBytes, 0);
}

function dropInSlices(writer: CallbackWriter, isCancelled: () => boolean, onDropped: () => void): Promise<void> {
  let remaining = writer.counters.total;
  return new Promise((resolve, reject) => {
    function next(): void {
      try {
        const gone = isCancelled() || remaining <= 0 ? 0 : writer.dropOldest(Math.min(sliceRows, remaining));
        if (gone === 0) return resolve();
        remaining -= gone;
        onDropped();
        setImmediate(next);
      } catch (error) {
        reject(error);
      }
    }
    next();
  });
}
