// Replays recorded weather: the service's decision (service/weather/sources, service/watch/sweep-decision.ts) and the cool-down at
// each check, then each event's outcome by later airport observations. Pure, but yields to other work.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { distanceKm, type LatLng } from '#contract/service-api/geo.ts';
import { eventIntervalSeconds } from '#contract/service-api/monitor.ts';
import { decideSweep } from '#service/watch/sweep-decision.ts';
import type { SweepPolicy } from '#service/watch/policy.ts';
import { chooseObservation } from '#service/weather/metar/choose-observation.ts';
import { cellOf, cellsAround } from '#service/weather/reading/cells.ts';
import type { CellWeather } from '#service/weather/reading/reading.ts';
import { combineSources } from '#service/weather/sources/combine-sources.ts';
import { isPrecipitatingNear, nextLookAt } from '#service/weather/sources/precipitation.ts';
import { freshUntil } from '#service/weather/sources/weather-cache.ts';
import { dayOf, type RecordedForecast, type RecordedObservation, type RecordedRadar } from './archive-format.ts';
import type { Archive } from './archive-reader.ts';
import type { ContingencyTable } from './contingency.ts';

export type ReplayRules = {
  /** How long after an event an observation counts. */
  windowMs: number;
  /** Maximum distance to the place. */
  distanceKm: number;
  /** Interval between two checks of a sweep. */
  intervalMs: number;
};

/** As in the settings of verification. */
export const defaultRules: ReplayRules = { windowMs: 60 * 60_000, distanceKm: 16, intervalMs: 60_000 };

export type ReplayedEvent = {
  at: number;
  /** Undefined if there was no observation nearby in the window. */
  isConfirmed: boolean | undefined;
  /** From the event to the first precipitation observed after it; 0 if it was observed before. */
  leadMinutes: number | undefined;
};

/** What a policy did at one place; `looks` are counted by day. */
export type ReplayedPlace = {
  cell: string;
  events: readonly ReplayedEvent[];
  /** Times of observed precipitation without an event. */
  misses: readonly number[];
  looks: ReadonlyMap<string, number>;
  /** The nearest station with reports within the distance. */
  station: { name: string; distanceKm: number } | undefined;
};

const gateMs = eventIntervalSeconds * 1000;
const hourMs = 3_600_000;
/** How long after an observation an event is late instead of missed. */
const graceMs = 15 * 60_000;
/** A gap this long without news means that no data was fetched: the service or all providers were down. */
const silentAfterMs = 30 * 60_000;
const maxStationKm = 50;
const oldestReportMs = 2 * hourMs;
const looksPerTurn = 500;

/** Replays all cells of an archive, or only the named ones. */
export async function replay(
  archive: Archive,
  policy: SweepPolicy,
  rules: ReplayRules = defaultRules,
  cells: Iterable<string> = archive.forecasts.keys(),
): Promise<ReplayedPlace[]> {
  const places: ReplayedPlace[] = [];
  for (const cell of cells) places.push(await replayPlace(archive, cell, policy, rules));
  return places;
}

async function replayPlace(
  archive: Archive,
  cell: string,
  policy: SweepPolicy,
  rules: ReplayRules,
): Promise<ReplayedPlace> {
  const place = centerOf(cell);
  const around = archive.observations.filter(({ observation }) => distanceKm(place, observation.place) <= maxStationKm);
  const near = around.filter(({ observation }) => distanceKm(place, observation.place) <= rules.distanceKm);
  const { events, looks } = await decide(archive, { cell, place, around, policy, rules });
  const reports = near
    .filter(({ observation: { isPrecipitating, status } }) => isPrecipitating || status !== 'unknown')
    .map(({ observation }) => ({ at: observation.at, isWet: observation.isPrecipitating }))
    .toSorted((a, b) => a.at - b.at);
  return {
    cell,
    events: events.map((at) => outcomeOf(at, reports, rules)),
    misses: missesOf(reports, events, looks),
    looks: countByDay(looks),
    station: nearestStation(near, place),
  };
}

type ReplayContext = {
  cell: string;
  place: LatLng;
  around: readonly RecordedObservation[];
  policy: SweepPolicy;
  rules: ReplayRules;
};

/** Returns when events are due, and the times of checks. */
async function decide(archive: Archive, { cell, place, around, policy, rules }: ReplayContext) {
  const own = createCursor<RecordedForecast>(archive.forecasts.get(cell) ?? []);
  const radar = createCursor<RecordedRadar>(archive.radars.get(cell) ?? []);
  const isForecastBelieved = policy.neighbors && policy.sources.includes('forecast');
  const neighbors = (isForecastBelieved ? cellsAround(place, policy.radiusKm) : []).flatMap((center) => {
    const records = archive.forecasts.get(cellOf(center));
    return records ? [createCursor<RecordedForecast>(records)] : [];
  });
  const reports = createWindow(around);
  const events: number[] = [];
  const looks: number[] = [];
  let gateOpensAt = -Infinity;
  // New data arrives between two sweeps.
  const firstLook = () => {
    const at = own.nextAt();
    return at === undefined ? undefined : at + rules.intervalMs / 2;
  };
  let now = firstLook();
  while (now !== undefined) {
    const known = own.until(now);
    const forecast = known?.weather;
    if (!forecast || now >= freshUntil(forecast) + silentAfterMs) {
      now = firstLook();
      continue;
    }
    looks.push(now);
    const weather = combineSources(
      {
        forecast,
        nowcast: radar.until(now)?.nowcast,
        observation: chooseObservation(reports.until(now), place, now),
      },
      policy,
      now,
    );
    const neighbours = neighbors.flatMap((cursor) => freshAt(cursor.until(now ?? 0)?.weather, now ?? 0));
    const nearby = { weather, neighbours, here: [], near: [] };
    const look = {
      cell,
      isPrecipitating: isPrecipitatingNear(nearby, now, policy),
      nextUpdateAt: nextLookAt(nearby, now, policy),
    };
    const decision = decideSweep([look], now, rules.intervalMs);
    if (decision.rainingCells.length > 0 && now >= gateOpensAt) {
      events.push(now);
      gateOpensAt = now + gateMs;
    }
    // The first sweep at or after the planned time, because sweeps run at fixed intervals.
    const planned = Math.max(now, decision.nextLooks[0]?.at ?? now);
    now += rules.intervalMs * Math.max(1, Math.ceil((planned - now) / rules.intervalMs));
    if (looks.length % looksPerTurn === 0) await nextTurn();
  }
  return { events, looks };
}

function freshAt(weather: CellWeather | undefined, now: number): CellWeather[] {
  return weather !== undefined && now < freshUntil(weather) ? [weather] : [];
}

type Report = { at: number; isWet: boolean };

function outcomeOf(at: number, reports: readonly Report[], { windowMs }: ReplayRules): ReplayedEvent {
  // A report at the event's own time may have caused it, so it confirms nothing.
  const later = reports.filter((report) => report.at > at && report.at <= at + windowMs);
  const wet = later.find(({ isWet }) => isWet);
  if (!wet) return { at, isConfirmed: later.length > 0 ? false : undefined, leadMinutes: undefined };
  const wasWet = reports.some((report) => report.isWet && report.at <= at && report.at > at - hourMs);
  return { at, isConfirmed: true, leadMinutes: wasWet ? 0 : (wet.at - at) / 60_000 };
}

/** Counts at most one miss an hour, and only while weather was checked. */
function missesOf(reports: readonly Report[], events: readonly number[], looks: readonly number[]): number[] {
  const misses: number[] = [];
  for (const { at, isWet } of reports) {
    if (!isWet || at < (misses.at(-1) ?? -Infinity) + gateMs) continue;
    if (events.some((event) => event > at - gateMs && event <= at + graceMs)) continue;
    if (hasBetween(looks, at - graceMs, at + graceMs)) misses.push(at);
  }
  return misses;
}

/** `looks` is long and in ascending order. */
function hasBetween(looks: readonly number[], from: number, until: number): boolean {
  let [low, high] = [0, looks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((looks[middle] ?? Infinity) < from) low = middle + 1;
    else high = middle;
  }
  return (looks[low] ?? Infinity) <= until;
}

function countByDay(looks: readonly number[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const at of looks) {
    const day = dayOf(at);
    counts.set(day, (counts.get(day) ?? 0) + 1);
  }
  return counts;
}

function nearestStation(near: readonly RecordedObservation[], place: LatLng): ReplayedPlace['station'] {
  const stations = near.map(({ observation }) => ({
    name: observation.station,
    distanceKm: distanceKm(place, observation.place),
  }));
  return stations.toSorted((a, b) => a.distanceKm - b.distanceKm)[0];
}

function centerOf(cell: string): LatLng {
  const [lat = 0, lng = 0] = cell.split(',').map(Number);
  return { lat, lng };
}

/** Iterates over records in order of time. */
function createCursor<Entry extends { at: number }>(entries: readonly Entry[]) {
  let next = 0;
  return {
    /** Returns the last entry known at a time; times must ascend. */
    until(now: number): Entry | undefined {
      while ((entries[next]?.at ?? Infinity) <= now) next += 1;
      return entries[next - 1];
    },
    nextAt: () => entries[next]?.at,
  };
}

/** Returns the reports known at a time and not too old; times must ascend. */
function createWindow(entries: readonly RecordedObservation[]) {
  let [first, next] = [0, 0];
  return {
    until(now: number) {
      while ((entries[next]?.at ?? Infinity) <= now) next += 1;
      while (first < next && (entries[first]?.at ?? Infinity) < now - oldestReportMs) first += 1;
      return entries.slice(first, next).map(({ observation }) => observation);
    },
  };
}

/** Returns events and misses as a table, without events that lack evidence. */
export function tableOf(places: readonly ReplayedPlace[]): ContingencyTable {
  const events = places.flatMap((place) => place.events);
  return {
    hits: events.filter(({ isConfirmed }) => isConfirmed === true).length,
    falseAlarms: events.filter(({ isConfirmed }) => isConfirmed === false).length,
    misses: places.reduce((sum, { misses }) => sum + misses.length, 0),
  };
}

/** Returns lead times of confirmed events in minutes. */
export function leadsOf(places: readonly ReplayedPlace[]): number[] {
  return places.flatMap(({ events }) => events.flatMap(({ leadMinutes }) => leadMinutes ?? []));
}
