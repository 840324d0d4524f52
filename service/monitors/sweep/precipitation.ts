// Decides whether it precipitates in a cell now or within 15 minutes: the decision behind every event (docs/interface.md §6). Pure.
import type { LatLng } from '@rainbell/contract/service-api';
import type { NearbyWeather } from '../../weather/weather.ts';
import type { CellWeather, Rainfall, Trigger } from '../../weather/reading/reading.ts';
import { type PlacedScenario, isWet, scenarioAt } from '../../weather/sources/scenarios.ts';
import { simulationName } from '../../weather/simulation/simulation.ts';
import { triggerOf } from '../../weather/sources/observations.ts';
import { cellSteps, scenarioStep, type TimelineStep, timelineOf } from '../../weather/timeline.ts';
import { freshUntil } from '../../weather/sources/weather-cache.ts';

/** Which precipitation causes an event. Passed in wherever it matters, so that monitors can have policies of their own. */
export type SweepPolicy = Readonly<{
  /** Maximum distance between precipitation and a monitored place. */
  radiusKm: number;
  /** How far ahead forecast precipitation counts. */
  aheadMinutes: number;
  /** Precipitation must exceed this. */
  leastMmPerHour: number;
}>;

export const standardPolicy: SweepPolicy = {
  // About one cell of 0.1° (11 km): forecasts misplace showers by as much.
  radiusKm: 10,
  // The step of the finest forecasts, and enough time to act on an event.
  aheadMinutes: 15,
  // The least amount that providers report; below it are drizzle that no one notices and rounding.
  leastMmPerHour: 0.1,
};

/** What a check found: the highest precipitation within 15 minutes, and the location of the data. */
export type SeenWeather = {
  source: string;
  /** Null if the source has no amount. */
  mmPerHour: number | null;
  grid: LatLng;
  /** A scenario keeps the place dry until this time. */
  dryScenarioUntil: number | undefined;
};

/** The part of a policy that applies after the sources are combined. */
export type PrecipitationPolicy = Pick<SweepPolicy, 'aheadMinutes' | 'leastMmPerHour'>;

/** Returns whether it precipitates within the trigger's radius. A scenario at the place itself decides. */
export function isPrecipitatingNear(
  nearby: NearbyWeather,
  now: number,
  policy: PrecipitationPolicy = standardPolicy,
): boolean {
  const { ruling, steps } = timelineOf(nearby, now);
  return ruling ?? steps.some((step) => isWetSoon(step, now, policy));
}

/** Returns what an event now is based on; undefined if there is no reason for one. */
export function describeTrigger(
  surroundings: NearbyWeather,
  now: number,
  policy: PrecipitationPolicy = standardPolicy,
): Trigger | undefined {
  if (!isPrecipitatingNear(surroundings, now, policy)) return undefined;
  const { weather, neighbours, here, near } = surroundings;
  const wetStepOf = (known: CellWeather | undefined) =>
    known && cellSteps(known, now).find((step) => isWetSoon(step, now, policy));
  const scenario = [...here, ...near].find((reaching) => isWetScenarioSoon(reaching, now, policy));
  if (scenario && (scenarioAt(here, now) !== undefined || !wetStepOf(weather))) {
    return triggerAt(scenarioStep(scenario), scenario.center);
  }
  const cell = [weather, ...neighbours].find(wetStepOf);
  const step = wetStepOf(cell);
  if (!cell || !step) return undefined;
  const place = step.place ?? cell.grid;
  const { basis, kind } = step;
  return { ...triggerOf(cell, rainfallSoon(cell, now, policy), policy.leastMmPerHour), basis, kind, place };
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
export function describePrecipitation(
  { weather, here }: NearbyWeather,
  now: number,
  policy: PrecipitationPolicy = standardPolicy,
): SeenWeather | undefined {
  if (weather === undefined) return undefined;
  const scenario = scenarioAt(here, now);
  const rates = rainfallSoon(weather, now, policy).map(({ mmPerHour }) => mmPerHour);
  const by = weather.isFallback ? (weather.wetBy ?? weather.rainfallBy ?? weather) : weather;
  return {
    source: by.source,
    mmPerHour: rates.length === 0 ? null : Math.max(...rates),
    grid: weather.grid,
    dryScenarioUntil: scenario && !isWet(scenario) ? scenario.until : undefined,
  };
}

function aheadMsOf({ aheadMinutes }: PrecipitationPolicy): number {
  return aheadMinutes * 60_000;
}

/** Without a time ahead, current precipitation still counts. */
function rainfallSoon({ rainfall }: CellWeather, now: number, policy: PrecipitationPolicy): readonly Rainfall[] {
  const reach = now + Math.max(1, aheadMsOf(policy));
  return rainfall.filter(({ from, until }) => until > now && from < reach);
}

function isWetScenarioSoon(scenario: PlacedScenario, now: number, policy: PrecipitationPolicy): boolean {
  return isWet(scenario) && scenario.from <= now + aheadMsOf(policy) && scenario.until > now;
}

function isWetSoon({ basis, from, until, mmPerHour }: TimelineStep, now: number, policy: PrecipitationPolicy): boolean {
  const reach = now + aheadMsOf(policy);
  const isInTime = until > now && (basis === 'scenario' ? from <= reach : from < Math.max(now + 1, reach));
  return isInTime && (mmPerHour === null || mmPerHour > policy.leastMmPerHour);
}

/** A nearby airport may report at any time. */
const observationsEveryMs = 5 * 60_000;

/**
 * Returns when to check again: the provider has news, forecast rain comes within reach, or a scenario starts or ends. Undefined if
 * unknown: check as often as you like.
 */
export function nextCheckAt(
  { weather, near }: NearbyWeather,
  now: number,
  policy: PrecipitationPolicy = standardPolicy,
): number | undefined {
  if (weather === undefined || weather.source === simulationName) return undefined;
  const aheadMs = aheadMsOf(policy);
  const wet = weather.rainfall.filter(({ mmPerHour }) => mmPerHour > policy.leastMmPerHour);
  const rain = wet.map(({ from }) => from - aheadMs);
  const scenarios = near.flatMap(({ from, until }) => [from - aheadMs, from, until]);
  const changes = [...rain, ...scenarios].filter((instant) => instant > now);
  return Math.min(freshUntil(weather), now + observationsEveryMs, ...changes);
}
