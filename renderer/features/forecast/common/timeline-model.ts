// Everything that the timeline draws, computed from one forecast and one zone; nothing in it depends on the pixels.
import type { Forecast, ForecastPoint } from '@rainbell/contract/app-rpc';
import { parseHttpDate } from '@rainbell/contract/service-api';
import { hourMs } from '@rainbell/shared';
import {
  type ClockChange,
  clockChanges,
  midnights,
  type ZoneDay,
  type ZonedTimes,
} from '../../../ui/text/zoned-times.ts';
import { type DaySummary, daySummaries } from './amounts.ts';
import { type Night, nights, sunEvents, sunSamples } from './nights.ts';
import { mergeRuns, type Run, type Spell, wetSpells } from './runs.ts';
import { pointAt, type TimedForecast, timedForecast } from './timed-points.ts';

export type TimelineModel = TimedForecast & {
  times: ZonedTimes;
  runs: readonly Run[];
  nights: readonly Night[];
  days: readonly ZoneDay[];
  /** One for the first day and each of `days`. */
  summaries: readonly DaySummary[];
  spells: readonly Spell[];
  clockChanges: readonly ClockChange[];
};

export function timelineModel(forecast: Forecast, times: ZonedTimes): TimelineModel | null {
  const timed = timedForecast(forecast.points);
  if (!timed) return null;
  const sun = sunSamples(timed.points);
  const days = midnights(times, timed.from, timed.to);
  return {
    ...timed,
    times,
    runs: mergeRuns(timed.points),
    nights: nights(sun, timed.to),
    days,
    summaries: daySummaries(
      timed.points,
      [timed.from, ...days.map(({ startsAt }) => startsAt)],
      timed.to,
      sunEvents(sun),
    ),
    spells: wetSpells(timed.points),
    clockChanges: clockChanges(times, timed.from, timed.to),
  };
}

/**
 * The service's current time: the Date of its response, plus the time since the fetch. Without it, or if the first point is later,
 * that point is "now" (docs/interface.md §4.3).
 */
export function serviceNow(forecast: Forecast, machineNow: number): number {
  const first = forecast.points[0]?.at;
  if (first === undefined || first === null) return machineNow;
  const at = Math.max(Date.parse(first), dateOf(forecast.response) ?? -Infinity);
  return at + Math.max(0, machineNow - Date.parse(forecast.fetchedAt));
}

/** Services round their first point to the hour. */
const currentForMs = 1.5 * hourMs;

/** The time of the first point, if that is too long ago to be the weather now; otherwise null. `now` is the service's. */
export function oldSince({ points }: Pick<Forecast, 'points'>, now: number): number | null {
  const first = Date.parse(points[0]?.at ?? '');
  return now - first > currentForMs ? first : null;
}

/** The clocks of ages tick so often; between, parts that appeared at different times must not differ. */
const tickMs = 5000;

/** Since when the data are, and how old that is by the service's clock: the one age that is shown of them. */
export function dataAge(forecast: Forecast, machineNow: number): { since: number; ageMs: number } {
  const since = Date.parse(forecast.points[0]?.at ?? forecast.fetchedAt);
  const now = serviceNow(forecast, machineNow - (machineNow % tickMs));
  return { since, ageMs: Math.max(0, now - since) };
}

export function pointNow(forecast: Forecast, model: TimelineModel | null, now: number): ForecastPoint | undefined {
  const isOld = oldSince(forecast, now) !== null && model !== null;
  return isOld ? model.points[pointAt(model.points, now)]?.point : forecast.points[0];
}

const tolerableSeconds = 60;

/** Seconds that the service's clock is ahead of this computer's; null within a minute, or if the service does not say. */
export function clockSkew({ fetchedAt, response }: Pick<Forecast, 'fetchedAt' | 'response'>): number | null {
  const seconds = Math.round(((dateOf(response) ?? NaN) - Date.parse(fetchedAt)) / 1000);
  return Math.abs(seconds) > tolerableSeconds ? seconds : null;
}

function dateOf({ headers }: Forecast['response']): number | undefined {
  return parseHttpDate(headers.find(([name]) => name.toLowerCase() === 'date')?.[1]);
}
