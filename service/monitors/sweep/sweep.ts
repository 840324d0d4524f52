// An hour's rain (docs/interface.md §6): which cells with monitors are due, what the weather there says, and which monitors get an event.
// Sweeps on start, periodically, and at once after the sandbox changes the weather or the clock jumps. The cells are in
// watched-cells.ts, what counts as rain in precipitation.ts.
import type { Logger } from 'pino';
import { type CancelTimer, type Clock, jumpMs } from '@rainbell/shared';
import { distanceKm, type LatLng } from '@rainbell/contract/service-api';
import type { Area } from '../../database/area.ts';
import { cellCentre, cellRadiusKm } from '../../weather/reading/cells.ts';
import type { Evidence, Trigger } from '../../weather/reading/reading.ts';
import { nearbyAt, type Timeline, timelineOf, type WatchedWeather } from '../../weather/timeline.ts';
import type { Weather } from '../../weather/weather.ts';
import type { Triggers } from '../delivery/events.ts';
import type { Timelines } from './episodes.ts';
import {
  describePrecipitation,
  describeTrigger,
  isPrecipitatingNear,
  nextCheckAt,
  type SeenWeather,
} from './precipitation.ts';
import { holdMs, type WatchedCell, type WatchedCells } from './watched-cells.ts';

/** What a check finds at one place. */
export type Finding = {
  /** Null: the weather was unavailable, for this reason. */
  isPrecipitating: boolean | null;
  reason?: string | undefined;
  seen?: SeenWeather | undefined;
  trigger?: Trigger | undefined;
};

export type Check = Finding & {
  cell: string;
  place: LatLng;
  /** When the provider has new data, if it says so. */
  nextUpdateAt?: number | undefined;
  /** Only if the places of the cell differ: a station or a scenario is near some of them. */
  within?: ((place: LatLng) => Finding) | undefined;
  observed?: readonly Evidence[];
  timeline?: (place: LatLng) => Timeline;
};

export type PrecipitationAt = (place: LatLng) => Promise<Omit<Check, 'cell' | 'place'>>;

type Dependencies = {
  clock: Clock;
  log: Logger;
  store: WatchedCells;
  precipitationAt: PrecipitationAt;
  /** Fetches the weather of many places together; those it omits are fetched individually. */
  prepare?: ((places: readonly LatLng[]) => Promise<void>) | undefined;
  intervalMs: number;
  /** Claims an event at a time for every monitor of these cells that is not in cool-down, or for some of them; returns how many. */
  claim: (cells: readonly string[], now: number, triggers: Triggers, monitors?: readonly string[]) => Promise<number>;
  /** Decides the episodes of monitors in these cells; returns how many events it wrote. */
  watchEpisodes?: ((timelines: Timelines, now: number) => Promise<number>) | undefined;
  /** Receives the checks that observed something, after their events are claimed. */
  observe?: ((checks: readonly Check[], now: number) => Promise<void>) | undefined;
};

/** For the start and for slow weather: processes that share the cells share the waiting. */
const fewCells = 500;
/** If weather is fast, larger statements cost less per cell. */
const manyCells = 2_000;
const quickMs = 1_000;
/** If weather is slow, unchecked cells are released after this time, well before other processes consider them lost. */
const maxBatchMs = holdMs / 2;
/** Events are claimed after this many checks, so that rain doesn't wait for all other cells. */
const cellsPerClaim = 100;
/** A multiple of `cellsPerClaim`; providers make batches of them as large as they take. */
const preparedAtOnce = 1_000;
const checksAtOnce = 8;
/** Maximum delay of the next check, unless the interval is longer. */
const maxPauseMs = 15 * 60_000;

export class Sweeper {
  readonly #needs: Dependencies;
  readonly #cancelOnJump: CancelTimer;
  #cancelTimer: CancelTimer = () => {};
  #running: Promise<void> = Promise.resolve();
  #isQueued = false;
  #isClosed = false;

  constructor(needs: Dependencies) {
    this.#needs = needs;
    // Plans by the clock before its jump may be hours off now, and after sleep all are outdated.
    this.#cancelOnJump = needs.clock.onJump(() => {
      this.sweepNow().catch((error: unknown) => needs.log.error({ err: error }, 'the sweep after a clock jump failed'));
    });
  }

  /** Starts a sweep of due cells soon; returns at once. */
  readonly wake = (): void => {
    if (this.#isClosed || this.#isQueued) return;
    this.#isQueued = true;
    void this.#queue(async () => {
      this.#isQueued = false;
      await this.#sweepDue();
    });
  };

  /** Checks the cells of an area, or all, again; resolves when all resulting events are claimed. */
  sweepNow(area?: Area): Promise<void> {
    return this.#queue(async () => {
      if (this.#isClosed) return;
      try {
        await this.#needs.store.markDue(this.#needs.clock.now(), area);
      } finally {
        // Also plans the next sweep.
        await this.#sweepDue();
      }
    });
  }

  #queue(work: () => Promise<void>): Promise<void> {
    const result = this.#running.then(work);
    // A failure must not prevent all later sweeps.
    this.#running = result.catch(() => {});
    return result;
  }

  /** Checks batches of due cells until none is due, and plans the next sweep. */
  async #sweepDue(): Promise<void> {
    const { clock, log, store, intervalMs } = this.#needs;
    this.#cancelTimer();
    try {
      const now = clock.now();
      await store.resetAfter(latestPlausibleCheck(now, intervalMs), now);
      let max = fewCells;
      while (!this.#isClosed) {
        const startedAt = clock.elapsed();
        const takenAt = clock.now();
        const cells = await store.take(takenAt, max);
        if (cells.length === 0) break;
        await this.#sweepCells(cells, takenAt);
        max = clock.elapsed() - startedAt < quickMs ? manyCells : fewCells;
      }
    } catch (error) {
      log.error({ err: error }, 'a sweep failed; trying again on the next one');
    }
    if (!this.#isClosed) this.#cancelTimer = clock.after(intervalMs, this.wake);
  }

  /** Checks cells, claims events where it rains, and plans each cell's next check; stops if it is closed or the time is up. */
  async #sweepCells(cells: readonly WatchedCell[], takenAt: number): Promise<void> {
    const { clock, log, store, intervalMs } = this.#needs;
    const startedAt = clock.elapsed();
    const isOver = () => this.#isClosed || clock.elapsed() >= startedAt + maxBatchMs;
    /** An unchecked cell stays due. */
    const nextChecks = new Map(cells.map(({ cell }) => [cell, takenAt]));
    try {
      for (let start = 0; start < cells.length && !isOver(); start += cellsPerClaim) {
        if (start % preparedAtOnce === 0) {
          const preparing = this.#needs.prepare?.(cells.slice(start, start + preparedAtOnce).map(placeOfCell));
          await this.#tolerate(preparing, 'batch weather request failed; requesting each cell separately');
        }
        const checks = await this.#check(cells.slice(start, start + cellsPerClaim), isOver);
        const now = clock.now();
        const raining = checks
          .filter((check) => check.isPrecipitating === true && !check.within)
          .map(({ cell }) => cell);
        const triggers = new Map(checks.flatMap(({ cell, trigger }) => (trigger ? [[cell, trigger]] : [])));
        const events = (await this.#needs.claim(raining, now, triggers)) + (await this.#claimWithin(checks, now));
        const timelines = new Map(checks.map(({ cell, timeline }) => [cell, timeline]));
        const episodeEvents = (await this.#needs.watchEpisodes?.(timelines, now)) ?? 0;
        for (const check of checks) nextChecks.set(check.cell, planCheck(check, now, intervalMs));
        if (episodeEvents > 0) log.info({ events: episodeEvents }, 'episodes of precipitation started or ended');
        if (events > 0) log.info({ raining: raining.length, events }, 'precipitation near monitors');
        const sightings = checks.filter(({ observed = [] }) => observed.length > 0);
        if (sightings.length > 0)
          await this.#tolerate(this.#needs.observe?.(sightings, now), 'evidence was not recorded');
      }
    } finally {
      // Also after a failed claim: otherwise its cells would stay leased for `holdMs`.
      await store.plan([...nextChecks].map(([cell, at]) => ({ cell, at })));
    }
  }

  /** Claims events in the cells where they depend on the monitor's place. */
  async #claimWithin(checks: readonly Check[], now: number): Promise<number> {
    const byCell = new Map(checks.flatMap(({ cell, within }) => (within ? [[cell, within]] : [])));
    if (byCell.size === 0) return 0;
    const triggers = new Map<string, Trigger>();
    const cells = new Set<string>();
    for (const { id, cell, place } of await this.#needs.store.openMonitors([...byCell.keys()], now)) {
      const { isPrecipitating, trigger } = byCell.get(cell)?.(place) ?? {};
      if (isPrecipitating !== true || !trigger) continue;
      triggers.set(id, trigger);
      cells.add(cell);
    }
    return triggers.size === 0 ? 0 : this.#needs.claim([...cells], now, triggers, [...triggers.keys()]);
  }

  async #check(cells: readonly WatchedCell[], isOver: () => boolean): Promise<Check[]> {
    const checks: Check[] = [];
    const remaining = cells.values();
    // A few workers share one iterator, to limit concurrent requests to the provider.
    await Promise.all(
      Array.from({ length: checksAtOnce }, async () => {
        for (const watched of remaining) {
          if (isOver()) return;
          const { cell } = watched;
          const place = placeOfCell(watched);
          try {
            checks.push({ cell, place, ...(await this.#needs.precipitationAt(place)) });
          } catch (error) {
            const reason = error instanceof Error ? error.message : 'unknown';
            this.#needs.log.warn({ cell, reason }, 'no weather for a cell');
            checks.push({ cell, place, isPrecipitating: null });
          }
        }
      }),
    );
    return checks;
  }

  /** Logs a failure that must not keep cells from being checked. */
  async #tolerate(work: Promise<void> | undefined, problem: string): Promise<void> {
    await work?.catch((error: unknown) => this.#needs.log.warn({ err: error }, problem));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelOnJump();
    this.#cancelTimer();
    await this.#running;
  }
}

const placeOfCell = ({ latitude, longitude }: WatchedCell): LatLng => ({ lat: latitude, lng: longitude });

/**
 * Returns a function that finds out whether it precipitates in a cell, including scenarios, and when that may change. Null with a reason if
 * no provider, radar, station, or scenario has weather. It throws a ServiceError if none is available.
 */
export function createPrecipitationAt(source: Pick<Weather, 'watchedAt'>, clock: Clock): PrecipitationAt {
  return async (place) => {
    const watched = await source.watchedAt(place);
    const now = clock.now();
    const within = (there: LatLng) => findingAt(watched, there, now);
    return {
      ...within(place),
      nextUpdateAt: nextCheckAt(watched, now),
      observed: watched.weather?.observed ?? [],
      timeline: (there) => timelineOf(nearbyAt(watched, there, now), now),
      within: isSameEverywhere(watched, cellCentre(place), now) ? undefined : within,
    };
  };
}

function findingAt(watched: WatchedWeather, place: LatLng, now: number): Finding {
  const nearby = nearbyAt(watched, place, now);
  const { weather, here } = nearby;
  const isWet = isPrecipitatingNear(nearby, now);
  const isUnknown = !isWet && here.length === 0 && (!weather || (weather.isFallback && !weather.rainfallBy));
  if (isUnknown) return { isPrecipitating: null, reason: watched.failure ?? 'no weather provider responded' };
  return {
    isPrecipitating: isWet,
    seen: describePrecipitation(nearby, now),
    trigger: describeTrigger(nearby, now),
  };
}

/** Whether all places of a cell are found alike, whichever of its stations and scenarios they have near. */
function isSameEverywhere(watched: WatchedWeather, center: LatLng, now: number): boolean {
  const { weather, scenarios } = watched;
  const isWhole = ({ center: middle, radiusKm }: WatchedWeather['scenarios'][number]) =>
    distanceKm(middle, center) + cellRadiusKm <= radiusKm;
  if (!scenarios.every(isWhole)) return false;
  const { stations = [] } = weather ?? {};
  if (!weather || stations.length === 0) return true;
  const findings = [[], ...stations.map((station) => [station])].map((some) => {
    const nearest = { ...watched, weather: { ...weather, stations: some } };
    const { isPrecipitating, trigger } = findingAt(nearest, some[0]?.place ?? center, now);
    return `${isPrecipitating} ${trigger?.source}`;
  });
  return new Set(findings).size === 1;
}

/**
 * Returns when a cell is checked next. Ends the interval at a whole second, slightly early, so that one statement plans all cells
 * checked within one second; but never queries a provider before the time it gave.
 */
export function planCheck(
  { isPrecipitating, nextUpdateAt = 0 }: Pick<Check, 'isPrecipitating' | 'nextUpdateAt'>,
  now: number,
  intervalMs: number,
): number {
  const latest = now + Math.max(intervalMs, maxPauseMs);
  const soonest = Math.floor((now + intervalMs) / 1000) * 1000;
  return Math.max(soonest, Math.min(latest, isPrecipitating === null ? 0 : nextUpdateAt));
}

/** Returns the latest valid plan: a later one was made before the clock was set back, or by a process with a clock that is ahead. */
export function latestPlausibleCheck(now: number, intervalMs: number): number {
  return now + Math.max(intervalMs, maxPauseMs) + jumpMs;
}
