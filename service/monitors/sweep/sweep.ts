// Checks the weather of every cell with monitors and claims an event if precipitation is near (docs/interface.md §6). Sweeps on
// start, periodically, and at once after the sandbox changes the weather or the clock jumps.
import type { Logger } from 'pino';
import { type CancelTimer, type Clock, jumpMs } from '@rainbell/shared';
import type { LatLng } from '@rainbell/contract/service-api';
import { type Area, holdMs, type WatchedCell, type WatchStore } from './watched-cells.ts';
import type { Evidence, Trigger } from '../../weather/reading/reading.ts';

export type PrecipitationAt = (place: LatLng) => Promise<{
  /** Null: unknown, for this reason. */
  isPrecipitating: boolean | null;
  reason?: string;
  nextUpdateAt?: number | undefined;
  seen?: SeenWeather | undefined;
  trigger?: Trigger | undefined;
  observed?: readonly Evidence[];
}>;

/** The observation of one check. */
export type Sighting = { cell: string; place: LatLng; isPrecipitating: boolean | null; observed: readonly Evidence[] };

/** This process's last check of a cell. */
export type LastCheck = TimedLook & { nextAt: number };

type TimedLook = Look & { at: number };

export type PrecipitationWatch = {
  /** Starts a sweep of due cells soon; returns at once. */
  wake(): void;
  /** Checks the cells of an area, or all, again; resolves when all resulting events are claimed. */
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
  /** Fetches the weather of many places together; those it omits are fetched individually. */
  prepare?: ((places: readonly LatLng[]) => Promise<void>) | undefined;
  intervalMs: number;
  /** Claims an event at a time for every monitor of these cells that is not in cool-down; returns how many. */
  claim: (cells: readonly string[], now: number, triggers: Triggers) => Promise<number>;
  /** Receives the results of checks, after their events are claimed. */
  observe?: ((sightings: readonly Sighting[], now: number) => Promise<void>) | undefined;
};

/** The basis of a cell's events. */
export type Triggers = ReadonlyMap<string, Trigger>;

/** For the start and for slow weather: processes that share the cells share the waiting. */
const fewCells = 500;
/** If weather is fast, larger statements cost less per cell. */
const manyCells = 2_000;
const quickMs = 1_000;
/** If weather is slow, unchecked cells are released after this time, well before other processes consider them lost. */
const lookForMs = holdMs / 2;
/** Events are claimed after this many checks, so that rain doesn't wait for all other cells. */
const cellsPerClaim = 100;
/** A multiple of `cellsPerClaim`; providers make batches of them as large as they take. */
const preparedAtOnce = 1_000;
const looksAtOnce = 8;
/** Evicts the oldest, so that cells without monitors don't stay. */
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
      let max = fewCells;
      while (!isClosed) {
        const startedAt = clock.elapsed();
        // Until no cell is due.
        if (!(await sweepSome(needs, max, () => isClosed, checks))) break;
        max = clock.elapsed() - startedAt < quickMs ? manyCells : fewCells;
      }
    } catch (error) {
      log.error({ err: error }, 'a sweep failed; trying again on the next one');
    }
    if (!isClosed) cancelTimer = clock.after(needs.intervalMs, wake);
  }

  function queue(work: () => Promise<void>): Promise<void> {
    const result = running.then(work);
    // A failure must not prevent all later sweeps.
    running = result.catch(() => {});
    return result;
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
      try {
        await store.markDue(clock.now(), area);
      } finally {
        // Also plans the next sweep.
        await sweepDue();
      }
    });
  }

  // Plans by the clock before its jump may be hours off now, and after sleep all are outdated.
  const cancelOnJump = clock.onJump(() => {
    sweepNow().catch((error: unknown) => log.error({ err: error }, 'the sweep after a clock jump failed'));
  });

  return {
    wake,
    sweepNow,
    lastCheck(cell) {
      const look = checks.get(cell);
      if (!look) return undefined;
      // Computed again, so that a sweep stores only its checks.
      const [next] = decideSweep([look], look.at, needs.intervalMs).nextLooks;
      return next && { ...look, nextAt: next.at };
    },
    async close() {
      isClosed = true;
      cancelOnJump();
      cancelTimer();
      await running;
    },
  };
}

/** Checks one batch of due cells; returns false if none was due. */
async function sweepSome(
  needs: Dependencies,
  max: number,
  isClosed: () => boolean,
  checks: Map<string, TimedLook>,
): Promise<boolean> {
  const takenAt = needs.clock.now();
  const cells = await needs.store.take(takenAt, max);
  if (cells.length === 0) return false;
  await sweepCells(needs, cells, takenAt, isClosed, checks);
  return true;
}

async function sweepCells(
  needs: Dependencies,
  cells: readonly WatchedCell[],
  takenAt: number,
  isClosed: () => boolean,
  checks: Map<string, TimedLook>,
): Promise<void> {
  const { clock, log, store, intervalMs } = needs;
  const startedAt = clock.elapsed();
  const isOver = () => isClosed() || clock.elapsed() >= startedAt + lookForMs;
  /** An unchecked cell stays due. */
  const nextLooks = new Map(cells.map(({ cell }) => [cell, takenAt]));
  try {
    for (let start = 0; start < cells.length && !isOver(); start += cellsPerClaim) {
      if (start % preparedAtOnce === 0) await prepare(needs, cells.slice(start, start + preparedAtOnce));
      const { looks, triggers, sightings } = await lookAt(cells.slice(start, start + cellsPerClaim), needs, isOver);
      const now = clock.now();
      const decision = decideSweep(looks, now, intervalMs);
      for (const look of looks) {
        look.at = now;
        // A key that is set again keeps its position, so it is moved behind those checked earlier.
        checks.delete(look.cell);
        checks.set(look.cell, look);
      }
      forgetOldest(checks);
      const events = await needs.claim(decision.rainingCells, now, triggers);
      for (const { cell, at } of decision.nextLooks) nextLooks.set(cell, at);
      if (events > 0) log.info({ raining: decision.rainingCells.length, events }, 'precipitation near monitors');
      await observe(needs, sightings, now);
    }
  } finally {
    // Also after a failed claim: otherwise its cells would stay leased for `holdMs`.
    await store.plan([...nextLooks].map(([cell, at]) => ({ cell, at })));
  }
}

async function observe({ log, ...needs }: Dependencies, sightings: readonly Sighting[], now: number): Promise<void> {
  try {
    if (sightings.length > 0) await needs.observe?.(sightings, now);
  } catch (error) {
    log.warn({ err: error }, 'evidence was not recorded');
  }
}

async function prepare({ log, ...needs }: Dependencies, cells: readonly WatchedCell[]): Promise<void> {
  try {
    await needs.prepare?.(cells.map(({ latitude, longitude }) => ({ lat: latitude, lng: longitude })));
  } catch (error) {
    log.warn({ err: error }, 'batch weather request failed; requesting each cell separately');
  }
}

/** Stops before the next cell if the watch is closed or the time is up. */
async function lookAt(
  cells: readonly WatchedCell[],
  { precipitationAt, log }: Dependencies,
  isOver: () => boolean,
): Promise<{ looks: TimedLook[]; triggers: Triggers; sightings: readonly Sighting[] }> {
  const looks: TimedLook[] = [];
  const triggers = new Map<string, Trigger>();
  const sightings: Sighting[] = [];
  const remaining = cells.values();
  // A few workers share one iterator, to limit concurrent requests to the provider.
  await Promise.all(
    Array.from({ length: looksAtOnce }, async () => {
      for (const { cell, latitude, longitude } of remaining) {
        if (isOver()) return;
        try {
          const place = { lat: latitude, lng: longitude };
          const { trigger, observed = [], ...found } = await precipitationAt(place);
          const { isPrecipitating } = found;
          looks.push({ cell, ...found, at: 0 });
          if (trigger) triggers.set(cell, trigger);
          if (observed.length > 0) sightings.push({ cell, place, isPrecipitating, observed });
        } catch (error) {
          const reason = error instanceof Error ? error.message : 'unknown';
          log.warn({ cell, reason }, 'no weather for a cell');
          looks.push({ cell, isPrecipitating: null, reason, at: 0 });
        }
      }
    }),
  );
  return { looks, triggers, sightings };
}

function forgetOldest(checks: Map<string, TimedLook>): void {
  let excess = checks.size - keptChecks;
  for (const cell of checks.keys()) {
    if (excess <= 0) return;
    checks.delete(cell);
    excess -= 1;
  }
}

// Decides, without I/O, what a sweep does with its results: which monitors get an event, and when each cell is checked next.

/** Result of a check: the highest precipitation within 15 minutes, and the location of the data. */
export type SeenWeather = {
  source: string;
  /** Null if the source has no amount. */
  mmPerHour: number | null;
  grid: LatLng;
  /** A scenario keeps the place dry until this time. */
  dryScenarioUntil: number | undefined;
};

/** One check of a cell's weather; `isPrecipitating` null: the weather was unavailable. */
export type Look = {
  cell: string;
  isPrecipitating: boolean | null;
  /** When the provider has new data, if it says so. */
  nextUpdateAt?: number | undefined;
  seen?: SeenWeather | undefined;
  /** Why the weather was unavailable. */
  reason?: string;
};

export type SweepDecision = {
  /** Cells whose monitors get an event, unless in cool-down. */
  rainingCells: string[];
  nextLooks: { cell: string; at: number }[];
};

/** Maximum delay of the next check, unless the interval is longer. */
const maxPauseMs = 15 * 60_000;

/**
 * Returns the latest valid plan: a later one was made before the clock was set back, or by a process with a clock that is ahead.
 */
export function latestPlausibleLook(now: number, intervalMs: number): number {
  return now + Math.max(intervalMs, maxPauseMs) + jumpMs;
}

/**
 * Ends the interval at a whole second, slightly early, so that one statement plans all cells checked within one second; but never
 * queries a provider before the time it gave.
 */
export function decideSweep(looks: readonly Look[], now: number, intervalMs: number): SweepDecision {
  const latest = now + Math.max(intervalMs, maxPauseMs);
  const soonest = Math.floor((now + intervalMs) / 1000) * 1000;
  return {
    rainingCells: looks.filter((look) => look.isPrecipitating === true).map((look) => look.cell),
    nextLooks: looks.map((look) => ({
      cell: look.cell,
      at: Math.max(soonest, Math.min(latest, look.isPrecipitating === null ? 0 : (look.nextUpdateAt ?? 0))),
    })),
  };
}
