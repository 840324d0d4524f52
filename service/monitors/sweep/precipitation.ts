// Decides whether it precipitates at a place now or within 15 minutes: the decision behind every event (docs/interface.md §6). Pure.
import { type LatLng, type Status, statusPrecipitation } from '@rainbell/contract/service-api';
import { presentReading, type Trigger } from '../../weather/reading/reading.ts';
import { leastMmPerHour } from '../../weather/sources/observations.ts';
import { isWet, scenarioAt, stepsOf } from '../../weather/sources/scenarios.ts';
import { simulationName } from '../../weather/simulation/simulation.ts';
import { type NearbyWeather, type TimelineStep, timelineOf, type WatchedWeather } from '../../weather/timeline.ts';
import { freshUntil } from '../../weather/sources/weather-cache.ts';

/** The step of the finest forecasts, and enough time to act on an event. */
const aheadMs = 15 * 60_000;

/** What a check found: the highest precipitation within 15 minutes, and the location of the data. */
export type SeenWeather = {
  source: string;
  /** Null if the source has no amount. */
  mmPerHour: number | null;
  grid: LatLng;
  /** The source's own word, if that is one of precipitation. */
  status?: Status;
  /** A scenario keeps the place dry until this time. */
  dryScenarioUntil: number | undefined;
};

/** Returns whether it precipitates. A scenario at the place decides while it lasts. */
export function isPrecipitatingNear(nearby: NearbyWeather, now: number): boolean {
  const { ruling, steps } = timelineOf(nearby, now);
  return ruling ?? steps.some((step) => isWetSoon(step, now));
}

/** Returns what an event now is based on; undefined if there is no reason for one. */
export function describeTrigger(nearby: NearbyWeather, now: number): Trigger | undefined {
  const { ruling, steps, grid } = timelineOf(nearby, now);
  const wet = ruling === false ? [] : steps.filter((step) => isWetSoon(step, now));
  const [first] = wet;
  if (!first) return undefined;
  const amounts = wet
    .filter(({ basis }) => basis === first.basis)
    .flatMap(({ from, until, mmPerHour }) => (mmPerHour === null ? [] : [{ from, until, mmPerHour }]));
  return { ...triggerAt(first, grid), ...(amounts.length > 0 ? { amounts } : {}) };
}

/** Returns the trigger of one step. `grid`: its place, if that is its cell. */
export function triggerAt(step: TimelineStep, grid: LatLng | undefined): Trigger {
  const { source, updatedAt: at, basis, kind, from, until, mmPerHour, place, radiusKm } = step;
  const where = place ?? grid;
  return {
    source,
    at,
    ...(basis === 'station' ? { isObserved: true } : {}),
    ...(mmPerHour === null ? {} : { amounts: [{ from, until, mmPerHour }] }),
    basis,
    kind,
    ...(where && { place: where }),
    ...(radiusKm === undefined ? {} : { radiusKm }),
  };
}

/** Returns the basis of the decision, for users; undefined if it was only scenarios. */
export function describePrecipitation({ weather, here }: NearbyWeather, now: number): SeenWeather | undefined {
  if (weather === undefined) return undefined;
  const scenario = scenarioAt(here, now);
  const soon = weather.rainfall.filter(({ from, until }) => until > now && from < now + aheadMs);
  const by = weather.isFallback ? (weather.wetBy ?? weather.rainfallBy ?? weather) : weather;
  const status = presentReading(weather, now)?.status;
  return {
    source: by.source,
    ...(status && statusPrecipitation(status) === true ? { status } : {}),
    mmPerHour: soon.length === 0 ? null : Math.max(...soon.map(({ mmPerHour }) => mmPerHour)),
    grid: weather.grid,
    dryScenarioUntil: scenario && !isWet(scenario) ? scenario.until : undefined,
  };
}

function isWetSoon({ basis, from, until, mmPerHour }: TimelineStep, now: number): boolean {
  const isInTime = until > now && (basis === 'scenario' ? from <= now + aheadMs : from < now + aheadMs);
  return isInTime && (mmPerHour === null || mmPerHour > leastMmPerHour);
}

/** A nearby airport may report at any time. */
const observationsEveryMs = 5 * 60_000;

/**
 * Returns when to check again: the provider has news, forecast rain comes within reach, or a scenario starts or ends. Undefined if
 * unknown: check as often as you like.
 */
export function nextCheckAt({ weather, scenarios }: WatchedWeather, now: number): number | undefined {
  if (weather === undefined || weather.source === simulationName) return undefined;
  const wet = weather.rainfall.filter(({ mmPerHour }) => mmPerHour > leastMmPerHour);
  const rain = wet.map(({ from }) => from - aheadMs);
  const changing = scenarios.flatMap(stepsOf).flatMap(({ from, until }) => [from - aheadMs, from, until]);
  const changes = [...rain, ...changing].filter((instant) => instant > now);
  return Math.min(freshUntil(weather), now + observationsEveryMs, ...changes);
}
