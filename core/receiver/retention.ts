// Drops the oldest callbacks beyond the limits of number, bytes and age, of the whole store and of each named endpoint, in slices small enough that a sender never waits
// long for one.
import type { Clock } from '#contract/clock.ts';
import type { Endpoint } from '#contract/procedures/callbacks.ts';
import { storageCauseOf } from '#contract/storage-error.ts';
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
/** After a jump nothing goes for its age: a clock that was set wrongly is usually set right within this time. */
const restAfterJump = 600_000;

type Parts = {
  writer: CallbackWriter;
  limits: () => KeptLimits;
  /** Their limits hold besides those of the whole store. */
  endpoints?: () => readonly Endpoint[];
  clock: Clock;
  onDropped: () => void;
};

type Slice = { count: number; endpointId?: string };

export function createRetention({ writer, limits, endpoints = () => [], clock, onDropped }: Parts): Retention {
  let dropped = 0;
  let isRunning = false;
  let isCancelled = false;
  let cancelTimer = clock.after(ageLookInterval, lookAtAge);
  let jumpedAt: number | undefined;
  const cancelOnJump = clock.onJump(() => {
    jumpedAt = clock.elapsed();
  });

  function lookAtAge(): void {
    begin(nextSlice() !== undefined);
    cancelTimer = clock.after(ageLookInterval, lookAtAge);
  }

  /** A slice can hold younger ones too, so rows that go for their age go one by one. */
  function isTooOld(keptAge: number | null, endpointId?: string): boolean {
    if (keptAge === null || (jumpedAt !== undefined && clock.elapsed() - jumpedAt < restAfterJump)) return false;
    const oldest = writer.oldestReceivedAt(clock.now(), endpointId);
    return oldest !== undefined && clock.now() - oldest > keptAge;
  }

  function nextSlice(): Slice | undefined {
    const { keptAge } = limits();
    const count = Math.max(excessRows(writer.counters, limits()), isTooOld(keptAge) ? 1 : 0);
    if (count > 0) return { count: Math.min(sliceRows, count) };
    for (const endpoint of endpoints()) {
      const kept = keptOf(endpoint);
      const excess = excessRows(writer.endpointCounters(endpoint.id), kept);
      const wanted = Math.max(excess, isTooOld(kept.keptAge, endpoint.id) ? 1 : 0);
      if (wanted > 0) return { count: Math.min(sliceRows, wanted), endpointId: endpoint.id };
    }
    return undefined;
  }

  function dropSlice(): void {
    const gone = tryDrop();
    isRunning = gone > 0;
    if (!isRunning) return;
    dropped += gone;
    onDropped();
    setImmediate(dropSlice);
  }

  /** A store that cannot be written now, or is damaged, keeps its callbacks; the next commit or minute tries again. */
  function tryDrop(): number {
    try {
      const slice = isCancelled ? undefined : nextSlice();
      return slice ? writer.dropOldest(slice.count, slice.endpointId) : 0;
    } catch (error) {
      if (storageCauseOf(error) === undefined && !isCancelled) throw error;
      return 0;
    }
  }

  function isBeyond(): boolean {
    if (isWellBeyond(writer.counters, limits())) return true;
    return endpoints().some((endpoint) => {
      const kept = keptOf(endpoint);
      const isLimited = kept.keptCallbacks !== Infinity || kept.keptBytes !== Infinity;
      return isLimited && isWellBeyond(writer.endpointCounters(endpoint.id), kept);
    });
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
    look: () => begin(isBeyond()),
    clear: () => dropInSlices(writer, () => isCancelled, onDropped),
    cancel() {
      isCancelled = true;
      cancelTimer();
      cancelOnJump();
    },
  };
}

type Held = { total: number; bytes: number };

function keptOf({ keptCallbacks, keptDays, keptMegabytes }: Endpoint): KeptLimits {
  return {
    keptCallbacks: keptCallbacks ?? Infinity,
    keptBytes: keptMegabytes === null ? Infinity : keptMegabytes * 1024 * 1024,
    keptAge: keptDays === null ? null : keptDays * 86_400_000,
  };
}

/** One percent more is borne, so that a full store is not trimmed after every single callback. */
function isWellBeyond({ total, bytes }: Held, { keptCallbacks, keptBytes }: KeptLimits): boolean {
  return total > keptCallbacks * 1.01 || bytes > keptBytes * 1.01;
}

/** How many rows are too many, by number or by bytes (then estimated by the mean size). */
function excessRows({ total, bytes }: Held, { keptCallbacks, keptBytes }: KeptLimits): number {
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
