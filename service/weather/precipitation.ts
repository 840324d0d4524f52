// Whether it precipitates at a cell now or within the next quarter of an hour: the decision behind every event (§6). Pure.
import { statusPrecipitation } from '#contract/vocabulary.ts';
import type { CellWeather } from './reading.ts';
import { type PlacedScenario, isWet, scenarioAt } from './scenarios.ts';

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
  const isRainComing = reaching.some((coming) => isWet(coming) && coming.from > now && coming.from <= now + aheadMs);
  return isRainComing || (weather !== undefined && isWetByProvider(weather, now));
}

/** An amount decides; where the provider gives none, its word or the status does. */
function isWetByProvider(weather: CellWeather, now: number): boolean {
  if (weather.isPrecipitating === true) return true;
  const near = weather.rainfall.filter(({ from, until }) => until > now && from < now + aheadMs);
  if (near.length > 0) return near.some(({ mmPerHour }) => mmPerHour > leastMmPerHour);
  const present = weather.current ?? weather.steps.findLast(({ at }) => at <= now);
  return present !== undefined && now - present.at < 3_600_000 && statusPrecipitation(present.status) === true;
}
