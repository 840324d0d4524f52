// Counts against a limit that holds for all processes on one PostgreSQL: each takes from a common counter in slices, the next before
// one is used up, and smaller ones near the limit. So a request rarely waits for the database, and all processes together accept at
// most a tenth more than the limit. Without a common counter, this process counts only its own requests.
import type { LimitContext } from './fleet-counters.ts';

export type FleetWindow = {
  /** Whether `count` can decide now; until then, await `take` again and again. */
  isReady(limit: number): boolean;
  take(limit: number): Promise<void>;
  /** Whether there is room for one more. */
  hasRoom(limit: number): boolean;
  count(limit: number): void;
  /** The count in this window, including that of other processes as far as it is known. */
  used(): number;
};

type Options = LimitContext & {
  key: string;
  windowMs: number;
  /** A slice, as a part of the limit. */
  share: number;
};

/** Slices that other processes hold and don't use must not keep a client from its limit, so this much more is given out. */
const spareShare = 0.1;

/** `limit`: 0 means none. */
export function createFleetWindow({ clock, counters, key, windowMs, share }: Options): FleetWindow {
  let number = -1;
  let counted = 0;
  /** What this process has taken, and all together. */
  let taken = 0;
  let takenByAll = 0;
  /** Nothing is left to take. */
  let isSpent = false;
  let taking: Promise<void> | undefined;

  function startWindow(): void {
    const current = Math.floor(clock.now() / windowMs);
    if (current === number) return;
    number = current;
    counted = 0;
    taken = 0;
    takenByAll = 0;
    isSpent = false;
  }

  async function takeSlice(limit: number): Promise<void> {
    if (!counters || isSpent) return;
    const from = number;
    const max = limit + Math.floor(limit * spareShare);
    const slice = Math.max(1, Math.ceil(Math.min(limit * share, (max - takenByAll) / 4)));
    const total = await counters.add(key, slice, (from + 1) * windowMs);
    if (number !== from) return;
    if (total === undefined) {
      // The database does not answer: until the next window, this process goes by its own count.
      taken = limit;
      isSpent = true;
      return;
    }
    takenByAll = total;
    taken += Math.max(0, slice - Math.max(0, total - max));
    isSpent = total >= max;
  }

  function take(limit: number): Promise<void> {
    startWindow();
    taking ??= takeSlice(limit).finally(() => (taking = undefined));
    return taking;
  }

  return {
    isReady(limit) {
      startWindow();
      return !counters || limit === 0 || isSpent || counted < taken || counted >= limit;
    },
    take,
    hasRoom(limit) {
      startWindow();
      return limit === 0 || counted < (counters && isSpent ? Math.min(taken, limit) : limit);
    },
    count(limit) {
      startWindow();
      counted += 1;
      if (counters && limit > 0 && !isSpent && !taking && taken - counted < (limit * share) / 2) void take(limit);
    },
    used() {
      startWindow();
      return counted + Math.max(0, takenByAll - taken);
    },
  };
}
