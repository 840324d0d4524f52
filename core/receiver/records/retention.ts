// Deletes the oldest callbacks beyond the limits of number, bytes, and age, of the whole store and of each named endpoint, in
// slices small enough that a sender never waits long for one. Number and bytes apply at once. Age applies only while the wall
// clock can be trusted: a clock that is wrong for a few minutes must not delete anything.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, jumpMs, storageCauseOf } from '@rainbell/shared';
import type { Endpoint } from '@rainbell/contract/app-rpc';
import type { CallbackWriter } from './callback-writer.ts';
import { keptLimits, type ReceiverLimits } from '../access/receiver-limits.ts';

type RetentionLimits = Pick<ReceiverLimits, 'keptCallbacks' | 'maxBytes' | 'maxAgeMs'>;

const sliceRows = 500;
const ageLookInterval = 60_000;
/** Time after a clock jump in which nothing is deleted for its age: a wrong clock is usually corrected by then. */
const restAfterJump = 600_000;
/** At the start, a clock that dates the newest callback further back than this counts as one that has just jumped. */
const maxPauseMs = 86_400_000;

type RetentionDependencies = {
  writer: CallbackWriter;
  limits: () => RetentionLimits;
  /** Their limits apply in addition to those of the whole store. */
  endpoints: () => readonly Endpoint[];
  clock: Clock;
  onDropped: () => void;
};

type Scope = { endpointId?: string; held: { total: number; bytes: number }; limits: RetentionLimits };

export function createRetention({ writer, limits, endpoints, clock, onDropped }: RetentionDependencies) {
  let dropped = 0;
  let running: Promise<void> | undefined;
  let isCancelled = false;
  let cancelTimer = clock.after(ageLookInterval, lookEachInterval);
  let offset = readOffset();
  let steadySince = isPlausible() ? clock.elapsed() - restAfterJump : clock.elapsed();
  // A jump that is undone before the next look is one, too.
  const cancelOnJump = clock.onJump(isSteady);

  function readOffset(): number {
    return clock.now() - clock.elapsed();
  }

  /** A machine that starts with a wrong clock shows no jump, but the pause since the newest callback looks long. */
  function isPlausible(): boolean {
    const newest = tryStorage(() => writer.newestReceivedAt(), -Infinity);
    return newest === undefined || (newest <= clock.now() && clock.now() - newest <= maxPauseMs);
  }

  /** Also looks for a jump at each use, because the clock reports one up to a second late. */
  function isSteady(): boolean {
    const read = readOffset();
    if (Math.abs(read - offset) > jumpMs) steadySince = clock.elapsed();
    offset = read;
    return clock.elapsed() - steadySince >= restAfterJump;
  }

  function lookEachInterval(): void {
    start();
    cancelTimer = clock.after(ageLookInterval, lookEachInterval);
  }

  async function dropSlices(dropSlice: () => number): Promise<void> {
    while (dropSlice() > 0) {
      onDropped();
      await nextTurn();
    }
  }

  /** The whole store, then each endpoint with a limit. */
  function scopes(): Scope[] {
    const limited = endpoints().filter((one) => (one.keptCallbacks ?? one.keptDays ?? one.keptMegabytes) !== null);
    const ofEndpoints = limited.map((one) => {
      return { endpointId: one.id, held: writer.endpointCounters(one.id), limits: keptLimits(one) };
    });
    return [{ held: writer.counters, limits: limits() }, ...ofEndpoints];
  }

  function dropFrom(scope: Scope): number {
    const { endpointId, limits: kept } = scope;
    const excess = excessRows(scope);
    if (excess > 0) return writer.dropOldest(Math.min(sliceRows, excess), endpointId);
    // Read before the check, so that a jump between the two is seen.
    const now = clock.now();
    if (!isSteady() || kept.maxAgeMs === null) return 0;
    return writer.dropOlder(now - kept.maxAgeMs, now, sliceRows, endpointId);
  }

  function tryDrop(): number {
    return tryStorage(() => {
      for (const scope of isCancelled ? [] : scopes()) {
        const deleted = dropFrom(scope);
        dropped += deleted;
        if (deleted > 0) return deleted;
      }
      return 0;
    }, 0);
  }

  /** A store that cannot be used now, or is damaged, keeps its callbacks; the app tries again at the next commit or minute. */
  function tryStorage<Result>(work: () => Result, otherwise: Result): Result {
    try {
      return work();
    } catch (error) {
      if (storageCauseOf(error) === undefined && !isCancelled) throw error;
      return otherwise;
    }
  }

  function start(): void {
    running ??= nextTurn()
      .then(() => dropSlices(tryDrop))
      .finally(() => (running = undefined));
  }

  return {
    /** How many were deleted for a limit since the start. */
    get dropped(): number {
      return dropped;
    },
    /** Checks number and bytes, and deletes slice after slice until both fit. Cheap enough for every commit. */
    look() {
      // One percent more is allowed, so that a full store is not trimmed after each callback.
      if (scopes().some((scope) => excessRows(scope, 1.01) > 0)) start();
    },
    /** Checks every limit, age too, with no margin: for changed limits. */
    lookAtAll: start,
    /** Deletes all callbacks that are stored now; those that arrive in the meantime stay. */
    async clear(): Promise<void> {
      let remaining = writer.counters.total;
      await dropSlices(() => {
        const deleted = isCancelled ? 0 : writer.dropOldest(Math.min(sliceRows, remaining));
        remaining -= deleted;
        return deleted;
      });
    },
    cancel() {
      isCancelled = true;
      cancelTimer();
      cancelOnJump();
    },
  };
}

/** How many rows are too many, by number or by bytes (then estimated by the mean size), if the limit is exceeded by this factor. */
function excessRows({ held: { total, bytes }, limits: { keptCallbacks, maxBytes } }: Scope, factor = 1): number {
  const byNumber = total > keptCallbacks * factor ? total - keptCallbacks : 0;
  const byBytes = bytes > maxBytes * factor ? Math.ceil((bytes - maxBytes) / (bytes / total)) : 0;
  return Math.max(byNumber, byBytes);
}
