// Looks at the weather of every cell that has monitors and claims an event where precipitation is near
// (docs/interface.md §6). It sweeps on start, every so often, and at once after the sandbox changed the weather or the
// clock jumped.
import type { Logger } from 'pino';
import type { CancelTimer, Clock } from '#shared/time/clock.ts';
import type { LatLng } from '#contract/service-api/geo.ts';
import type { Area } from './area.ts';
import { decideSweep, latestPlausibleLook, type Look, type SeenWeather } from './sweep-decision.ts';
import { holdMs, type WatchedCell, type WatchStore } from './watch-store.ts';

export type PrecipitationAt = (
  place: LatLng,
) => Promise<{ isPrecipitating: boolean; nextUpdateAt?: number | undefined; seen?: SeenWeather | undefined }>;

/** This process's last check of a cell. */
export type LastCheck = TimedLook & { nextAt: number };

type TimedLook = Look & { at: number };

export type PrecipitationWatch = {
  /** Sweeps what is due, soon; returns at once. */
  wake(): void;
  /** Looks anew at the cells of an area, or at all; resolves when all events that follow from it are claimed. */
  sweepNow(area?: Area): Promise<void>;
  /** Undefined if this process has not checked the cell since it started. */
  lastCheck(cell: string): LastCheck | undefined;
  close(): Promise<void>;
};

type Dependencies = {
  clock: Clock;
  log: Logger;
  store: WatchStore;
  precipitationAt: PrecipitationAt;
  intervalMs: number;
  /** Claims an event at an instant for every monitor of these cells whose gate is open; returns how many. */
  claim: (cells: readonly string[], now: number) => Promise<number>;
};

/** At first, and where weather is slow: processes that share the cells share the waiting. */
const fewCells = 500;
/** Where weather is quick, a statement for more cells costs less for each. */
const manyCells = 2_000;
const quickMs = 1_000;
/** Where weather is slow, the cells that were not looked at by then are given back, well before others take them for lost. */
const lookForMs = holdMs / 2;
/** After so many looks the events that follow from them are claimed, so that rain need not wait for all other cells. */
const cellsPerClaim = 100;
const looksAtOnce = 8;
/** The oldest go first, so that cells without monitors do not stay. */
const keptChecks = 100_000;

export function createPrecipitationWatch(needs: Dependencies): PrecipitationWatch {
  const checks = new Map<string, TimedLook>();
  const { clock, log, store } = needs;
  let isClosed = false;
  let running: Promise<void> = Promise.resolve();
  let isQueued = false;
  let cancelTimer: CancelTimer = () => {};

  async function sweepDue(): Promise<void> {
    cancelTimer();
    try {
      const now = clock.now();
      await store.distrust(now, latestPlausibleLook(now, needs.intervalMs));
      let most = fewCells;
      while (!isClosed) {
        const startedAt = clock.elapsed();
        // Until no cell is due.
        if (!(await sweepSome(needs, most, () => isClosed, checks))) break;
        most = clock.elapsed() - startedAt < quickMs ? manyCells : fewCells;
      }
    } catch (error) {
      log.error({ err: error }, 'a sweep failed; the next one tries again');
    }
    if (!isClosed) cancelTimer = clock.after(needs.intervalMs, wake);
  }

  function queue(work: () => Promise<void>): Promise<void> {
    running = running.then(work);
    return running;
  }

  function wake(): void {
    if (isClosed || isQueued) return;
    isQueued = true;
    void queue(async () => {
      isQueued = false;
      await sweepDue();
    });
  }

  function sweepNow(area?: Area): Promise<void> {
    return queue(async () => {
      if (isClosed) return;
      await store.markDue(clock.now(), area);
      await sweepDue();
    });
  }

  // What was planned by the clock before its jump may be hours away now, and after a sleep all of it is old.
  const cancelOnJump = clock.onJump(() => {
    sweepNow().catch((error: unknown) => log.error({ err: error }, 'the sweep after a jump of the clock failed'));
  });

  return {
    wake,
    sweepNow,
    lastCheck(cell) {
      const look = checks.get(cell);
      // Worked out again, so that a sweep keeps nothing but its looks.
      const nextAt = look && decideSweep([look], look.at, needs.intervalMs).nextLooks[0]?.at;
      return look && nextAt !== undefined ? { ...look, nextAt } : undefined;
    },
    async close() {
      isClosed = true;
      cancelOnJump();
      cancelTimer();
      await running;
      cancelTimer();
    },
  };
}

/** One batch of due cells; false where none was due. */
async function sweepSome(
  needs: Dependencies,
  most: number,
  isClosed: () => boolean,
  checks: Map<string, TimedLook>,
): Promise<boolean> {
  const { clock, log, store, intervalMs } = needs;
  const takenAt = clock.now();
  const cells = await store.take(takenAt, most);
  if (cells.length === 0) return false;
  const startedAt = clock.elapsed();
  const isOver = () => isClosed() || clock.elapsed() >= startedAt + lookForMs;
  /** A cell that nobody looked at stays due. */
  const nextLooks = new Map(cells.map(({ cell }) => [cell, takenAt]));
  for (let start = 0; start < cells.length && !isOver(); start += cellsPerClaim) {
    const looks = await lookAt(cells.slice(start, start + cellsPerClaim), needs, isOver);
    const now = clock.now();
    const decision = decideSweep(looks, now, intervalMs);
    for (const { cell, at } of decision.nextLooks) nextLooks.set(cell, at);
    for (const look of looks) {
      look.at = now;
      checks.set(look.cell, look);
    }
    forgetOldest(checks);
    const events = await needs.claim(decision.rainingCells, now);
    if (events > 0) log.info({ raining: decision.rainingCells.length, events }, 'precipitation near monitors');
  }
  await store.plan([...nextLooks].map(([cell, at]) => ({ cell, at })));
  return true;
}

/** Stops before the next cell where the watch is closed or its time is over. */
async function lookAt(
  cells: readonly WatchedCell[],
  { precipitationAt, log }: Dependencies,
  isOver: () => boolean,
): Promise<TimedLook[]> {
  const looks: TimedLook[] = [];
  const remaining = cells.values();
  // A few workers share one iterator, so that a sweep does not flood the provider.
  await Promise.all(
    Array.from({ length: looksAtOnce }, async () => {
      for (const { cell, latitude, longitude } of remaining) {
        if (isOver()) return;
        try {
          const { isPrecipitating, nextUpdateAt, seen } = await precipitationAt({ lat: latitude, lng: longitude });
          looks.push({ cell, isPrecipitating, nextUpdateAt, seen, at: 0 });
        } catch (error) {
          const reason = error instanceof Error ? error.message : 'unknown';
          log.warn({ cell, reason }, 'no weather for a cell');
          looks.push({ cell, isPrecipitating: null, reason, at: 0 });
        }
      }
    }),
  );
  return looks;
}

function forgetOldest(checks: Map<string, TimedLook>): void {
  let excess = checks.size - keptChecks;
  for (const cell of checks.keys()) {
    if (excess <= 0) return;
    checks.delete(cell);
    excess -= 1;
  }
}
