// Whether it precipitates at a cell now or within the next quarter of an hour: the decision behind every event
// (docs/interface.md §6). Pure.
import { statusPrecipitation } from '#contract/service-api/vocabulary.ts';
import type { CellWeather, Rainfall } from '#service/weather/reading/reading.ts';
import { type PlacedScenario, isWet, scenarioAt } from './scenarios.ts';
import { simulationName } from '#service/weather/simulation/simulation.ts';
import type { SeenWeather } from '#service/watch/sweep-decision.ts';
import { freshUntil } from './weather-cache.ts';

const aheadMs = 15 * 60_000;
const leastMmPerHour = 0.1;

/** Scenarios rule over the provider where they reach; a dry one keeps monitors quiet. */
export function isPrecipitating(
  weather: CellWeather | undefined,
  reaching: readonly PlacedScenario[],
  now: number,
): boolean {
  const scenario = scenarioAt(reaching, now);
  if (scenario) return isWet(scenario);
  const isRainComing = reaching.some((coming) => isWetSoon(coming, now));
  return isRainComing || (weather !== undefined && isWetByProvider(weather, now));
}

/** What is known around a monitored place. */
export type NearbyWeather = {
  /** Undefined where it could not be had. */
  weather: CellWeather | undefined;
  /** Cells near by of which something is known anyway. */
  neighbours: readonly CellWeather[];
  /** Scenarios that reach the place, and those that come near enough. */
  here: readonly PlacedScenario[];
  near: readonly PlacedScenario[];
};

/** Whether it precipitates within the trigger's radius. What a scenario says of the place itself is the last word. */
export function isPrecipitatingNear({ weather, neighbours, here, near }: NearbyWeather, now: number): boolean {
  if (isPrecipitating(weather, here, now)) return true;
  if (scenarioAt(here, now)) return false;
  return near.some((scenario) => isWetSoon(scenario, now)) || neighbours.some((cell) => isWetByProvider(cell, now));
}

/** What the decision was based on, for people; undefined if nothing but scenarios was. */
export function describePrecipitation({ weather, here }: NearbyWeather, now: number): SeenWeather | undefined {
  if (weather === undefined) return undefined;
  const scenario = scenarioAt(here, now);
  const rates = rainfallSoon(weather, now).map(({ mmPerHour }) => mmPerHour);
  return {
    source: weather.source,
    mmPerHour: rates.length === 0 ? null : Math.max(...rates),
    grid: weather.grid,
    dryScenarioUntil: scenario && !isWet(scenario) ? scenario.until : undefined,
  };
}

function rainfallSoon({ rainfall }: CellWeather, now: number): readonly Rainfall[] {
  return rainfall.filter(({ from, until }) => until > now && from < now + aheadMs);
}

function isWetSoon(scenario: PlacedScenario, now: number): boolean {
  return isWet(scenario) && scenario.from <= now + aheadMs && scenario.until > now;
}

/** An airport near by may report something new at any time. */
const observationsEveryMs = 5 * 60_000;

/**
 * When it is worth looking again: the provider has news, rain that is forecast comes within reach, a scenario begins or ends.
 * Undefined where that cannot be said: look as often as you like.
 */
export function nextLookAt({ weather, near }: NearbyWeather, now: number): number | undefined {
  if (weather === undefined || weather.source === simulationName) return undefined;
  const rain = weather.rainfall.filter(({ mmPerHour }) => mmPerHour > leastMmPerHour).map(({ from }) => from - aheadMs);
  const scenarios = near.flatMap(({ from, until }) => [from - aheadMs, from, until]);
  const changes = [...rain, ...scenarios].filter((instant) => instant > now);
  return Math.min(freshUntil(weather), now + observationsEveryMs, ...changes);
}

/** An amount decides; where the provider gives none, its word or the status does. */
function isWetByProvider(weather: CellWeather, now: number): boolean {
  if (weather.isPrecipitating === true) return true;
  const near = rainfallSoon(weather, now);
  if (near.length > 0) return near.some(({ mmPerHour }) => mmPerHour > leastMmPerHour);
  const present = weather.current ?? weather.steps.findLast(({ at }) => at <= now);
  return present !== undefined && now - present.at < 3_600_000 && statusPrecipitation(present.status) === true;
}
