// Sandbox scenarios: weather that replaces the provider's near a place, for a time. Kept in memory; a restart clears them.
import type { z } from 'zod';
import {
  distanceKm,
  meltedPerSnow,
  type LatLng,
  type newScenarioSchema,
  type newSeriesSchema,
  type PrecipitationType,
  readRainSeries,
  type Scenario,
  type Status,
  statusPrecipitation,
} from '@rainbell/contract/service-api';
import { formatInstant, minuteMs } from '@rainbell/shared';
import { measuredOf, withoutAmounts } from '../reading/provider-values.ts';
import { kindOfStatus, presentReading, type CellWeather, type RadarMinutes, type Reading } from '../reading/reading.ts';

/** The value in `sources` of a point decided by a scenario. */
export const scenarioSource = 'scenario';

export type PlacedScenario = {
  id: string;
  center: LatLng;
  radiusKm: number;
  status: Status;
  /** The rate of its precipitation; undefined: unknown. */
  mmPerHour?: number | undefined;
  kind?: PrecipitationType | undefined;
  temperature?: number | undefined;
  windSpeed?: number | undefined;
  from: number;
  until: number;
  placedAt: number;
  /** Of a series, one after the other. */
  steps?: readonly PlacedScenario[];
};

export function placeScenario(id: string, wanted: z.output<typeof newScenarioSchema>, now: number): PlacedScenario {
  const from = now + wanted.startsInMinutes * minuteMs;
  const { minutes: _minutes, startsInMinutes: _starts, ...weather } = wanted;
  return { id, ...weather, from, until: from + wanted.minutes * minuteMs, placedAt: now };
}

export function placeSeries(
  id: string,
  { csv, ...where }: z.output<typeof newSeriesSchema>,
  now: number,
): PlacedScenario {
  const read = readRainSeries(csv);
  const steps = (typeof read === 'string' ? [] : read).map(({ minute, untilMinute, ...weather }): PlacedScenario => {
    const [from, until] = [now + minute * minuteMs, now + untilMinute * minuteMs];
    return { id, ...where, ...weather, from, until, placedAt: now };
  });
  const status = steps.find(isWet)?.status ?? 'cloudy';
  return { id, ...where, status, from: now, until: steps.at(-1)?.until ?? now, placedAt: now, steps };
}

/** Moves a scenario's start to now if the machine's clock was set back, so that it still starts and ends. */
export function pullScenarioIn(scenario: PlacedScenario, now: number): PlacedScenario {
  const { steps } = scenario;
  const tooLate = Math.max(0, scenario.placedAt - now);
  return {
    ...scenario,
    from: scenario.from - tooLate,
    until: scenario.until - tooLate,
    placedAt: scenario.placedAt - tooLate,
    ...(steps && { steps: steps.map((step) => pullScenarioIn(step, now)) }),
  };
}

export function describeScenario({
  from,
  until,
  placedAt: _placed,
  steps: _steps,
  ...weather
}: PlacedScenario): Scenario {
  return { ...weather, startsAt: formatInstant(from), endsAt: formatInstant(until) };
}

/** Returns the scenarios that reach a place, the last applied first: it wins if they overlap. */
export function scenariosAt(scenarios: readonly PlacedScenario[], place: LatLng): PlacedScenario[] {
  return scenariosReaching(scenarios, place).toReversed().flatMap(stepsOf);
}

/** Returns the scenarios that reach a place, or some place within a distance of it. */
export function scenariosReaching(scenarios: readonly PlacedScenario[], place: LatLng, withinKm = 0): PlacedScenario[] {
  return scenarios.filter(({ center, radiusKm }) => distanceKm(center, place) <= radiusKm + withinKm);
}

export function stepsOf(scenario: PlacedScenario): readonly PlacedScenario[] {
  return scenario.steps ?? [scenario];
}

/** Returns the scenario active at a time, from its start (inclusive) to its end (exclusive). */
export function scenarioAt(reaching: readonly PlacedScenario[], instant: number): PlacedScenario | undefined {
  return reaching.find(({ from, until }) => instant >= from && instant < until);
}

/** A storm scenario always includes precipitation, so monitors fire. */
export function isWet({ status }: PlacedScenario): boolean {
  return statusPrecipitation(status) === true || status === 'stormy';
}

/** Returns the provider's weather with the scenarios' statuses, without amounts that contradict them. */
export function applyScenarios(weather: CellWeather, reaching: readonly PlacedScenario[], now: number): CellWeather {
  if (reaching.length === 0) return weather;
  const lay = (reading: Reading): Reading => {
    const scenario = scenarioAt(reaching, reading.at);
    return scenario ? overlaid(reading, scenario) : reading;
  };
  // The current reading may be older than a scenario that just started, so use the time of the query.
  const ruling = scenarioAt(reaching, now);
  const present = ruling ? presentReading(weather, now) : undefined;
  const current = ruling && present ? { current: overlaid(present, ruling) } : {};
  return { ...weather, ...current, steps: weather.steps.map(lay) };
}

function overlaid(reading: Reading, scenario: PlacedScenario): Reading {
  const { measured, ...reported } = reading;
  const { mmPerHour, kind = kindOfStatus(scenario.status), temperature, windSpeed } = scenario;
  const isSnow = kind === 'snow';
  const values = measuredOf({
    ...withoutAmounts(measured),
    rainfall: isSnow ? undefined : mmPerHour,
    snowfall: isSnow && mmPerHour !== undefined ? mmPerHour / meltedPerSnow : undefined,
    ...(temperature === undefined ? {} : { temperature }),
    ...(windSpeed === undefined ? {} : { wind_speed: windSpeed }),
  });
  return { ...reported, status: scenario.status, ...values, isScenario: true };
}

/** A five-minute step; `mmPerHour` is null if it precipitates at an unknown rate. */
export type MinuteStep = { from: number; mmPerHour: number | null };

/** Applies scenarios to the radar's steps: a dry one has no rain, and a wet one has no rate unless the radar shows rain. */
export function applyScenariosToMinutes(
  { rainfall }: RadarMinutes,
  reaching: readonly PlacedScenario[],
): readonly MinuteStep[] {
  return rainfall.map(({ from, mmPerHour }) => {
    const scenario = scenarioAt(reaching, from);
    if (!scenario) return { from, mmPerHour };
    if (!isWet(scenario)) return { from, mmPerHour: 0 };
    return { from, mmPerHour: scenario.mmPerHour ?? (mmPerHour > 0 ? mmPerHour : null) };
  });
}
