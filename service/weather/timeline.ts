// What the weather of a place says about precipitation, from when until when: how much, which kind, how we know, and how far away. The
// decision behind every event derives from it (service/monitors/sweep/precipitation.ts, decide-episode.ts), and the word for now. Pure.
import { hourMs, minuteMs } from '@rainbell/shared';
import {
  distanceKm,
  type EventBasis,
  type LatLng,
  type PrecipitationType,
  statusOfKind,
  statusPrecipitation,
} from '@rainbell/contract/service-api';
import { measuredOf, withoutAmounts } from './reading/provider-values.ts';
import { type CellWeather, kindOfStatus, presentReading } from './reading/reading.ts';
import { leastMmPerHour, weatherAt } from './sources/observations.ts';
import { isWet, type PlacedScenario, scenarioAt, scenariosAt, scenarioSource } from './sources/scenarios.ts';

/** The weather of a place: of its cell, with the station near it. */
export type NearbyWeather = {
  weather: CellWeather | undefined;
  here: readonly PlacedScenario[];
};

/** The weather of a watched cell, without stations, and the scenarios that reach into it. `failure`: why it could not be loaded. */
export type WatchedWeather = {
  weather: CellWeather | undefined;
  scenarios: readonly PlacedScenario[];
  failure?: string | undefined;
};

export function nearbyAt({ weather, scenarios }: WatchedWeather, place: LatLng, now: number): NearbyWeather {
  return { weather: weather && weatherAt(weather, place, now), here: scenariosAt(scenarios, place) };
}

export type TimelineStep = {
  from: number;
  until: number;
  /** Null: it precipitates at an unknown rate; 0: dry. */
  mmPerHour: number | null;
  kind: PrecipitationType;
  basis: EventBasis;
  source: string;
  /** When the source made or sent it. */
  updatedAt: number;
  /** Null: the own cell, whose grid point stands for all of it. */
  place: LatLng | null;
  /** Of a scenario's circle around its place. */
  radiusKm?: number;
  /** The uncertainty of `from` and `until`. */
  slackMs: number;
};

export type Timeline = {
  steps: readonly TimelineStep[];
  /** Whether it is wet by a scenario at the place, which overrides everything else now. */
  ruling: boolean | undefined;
  /** Whether any current weather is known, except from the substitute for an unreachable provider. */
  isKnown: boolean;
  /** Changes with each update of the place's weather. */
  updatedAt: number;
  grid?: LatLng | undefined;
};

const radarStepMs = 5 * minuteMs;
const quarterMs = 15 * minuteMs;
/** Older data of a provider that doesn't respond is only shown. Its quota may allow one request an hour. */
const currentForMs = 75 * minuteMs;

export function covers({ from, until }: Pick<TimelineStep, 'from' | 'until'>, instant: number): boolean {
  return from <= instant && until > instant;
}

/** Scenarios at the place override everything else while they last. */
export function timelineOf({ weather, here }: NearbyWeather, now: number): Timeline {
  const ruling = scenarioAt(here, now);
  const scenarios = here.filter((each) => each !== ruling && isWet(each));
  const own = weather ? cellSteps(weather, now) : [];
  const others = [...own, ...scenarios.map(scenarioStep)];
  const rest = ruling ? others.flatMap((step) => after(step, ruling.until)) : others;
  const isCurrent = weather !== undefined && (weather.isStored !== true || now - weather.fetchedAt <= currentForMs);
  return {
    steps: ruling ? [scenarioStep(ruling), ...rest] : rest,
    ruling: ruling && isWet(ruling),
    isKnown:
      ruling !== undefined ||
      own.some((step) => covers(step, now) && (isCurrent || step.basis === 'station' || step.basis === 'radar')),
    updatedAt: ruling ? now : Math.max(0, ...own.map(({ updatedAt }) => updatedAt)),
    grid: weather?.grid,
  };
}

function after(step: TimelineStep, instant: number): TimelineStep[] {
  return step.until <= instant ? [] : [{ ...step, from: Math.max(step.from, instant) }];
}

export function kmTo({ place: there, radiusKm = 0 }: TimelineStep, place: LatLng): number {
  return there ? Math.round(Math.max(0, distanceKm(place, there) - radiusKm) * 10) / 10 : 0;
}

function scenarioStep(scenario: PlacedScenario): TimelineStep {
  const { from, until, center, radiusKm, placedAt, status, mmPerHour = null } = scenario;
  return {
    from,
    until,
    mmPerHour: isWet(scenario) ? mmPerHour : 0,
    kind: scenario.kind ?? kindOfStatus(status),
    basis: 'scenario',
    source: scenarioSource,
    updatedAt: placedAt,
    place: center,
    radiusKm,
    slackMs: 0,
  };
}

/**
 * The steps without scenarios: rain at a station, amounts, and without an amount for now, the present status. The substitute for an
 * unreachable provider has only what radar and stations report.
 */
function cellSteps(weather: CellWeather, now: number): TimelineStep[] {
  const { rainfall, rainfallBy, wetBy, source, grid, fetchedAt } = weather;
  const of = rainfallBy ?? { source, at: fetchedAt };
  const steps = rainfall.map((step): TimelineStep => {
    const { from, until, mmPerHour, kind = 'unknown' } = step;
    const isRadar = rainfallBy !== undefined;
    return {
      from,
      until,
      mmPerHour,
      kind,
      source: of.source,
      updatedAt: of.at,
      place: null,
      basis: isRadar ? 'radar' : 'forecast',
      slackMs: isRadar ? radarStepMs : hasQuarters(grid) ? Math.max(quarterMs, until - from) : hourMs,
    };
  });
  const present = { from: now, until: now + minuteMs, source, updatedAt: fetchedAt, place: null };
  if (wetBy) {
    const { source: by, at: updatedAt, place = null, kind = 'unknown' } = wetBy;
    const seen = { source: by, updatedAt, place, kind };
    return [{ ...present, ...seen, mmPerHour: null, basis: 'station', slackMs: hourMs }, ...steps];
  }
  if (weather.isFallback || steps.some((step) => covers(step, now))) return steps;
  const reading = presentReading(weather, now);
  if (reading === undefined || now - reading.at >= hourMs) return steps;
  const isWetNow = statusPrecipitation(reading.status);
  // Only thunder: neither wet nor dry.
  if (typeof isWetNow !== 'boolean') return steps;
  const by = reading.sources?.[0] ?? source;
  const basis = by.startsWith('metar:') ? 'station' : 'forecast';
  const said = { source: by, kind: kindOfStatus(reading.status), mmPerHour: isWetNow ? null : 0 };
  return [{ ...present, ...said, basis, slackMs: hourMs }, ...steps];
}

/**
 * Returns the weather with the word of what falls now, so that who polls it sees the rain that causes events: a code of rain without an
 * amount, for example, is none. Users' reports and scenarios come on top.
 */
export function withPresentWord(weather: CellWeather, now: number): CellWeather {
  const present = presentReading(weather, now);
  const steps = cellSteps(weather, now).filter((step) => covers(step, now));
  const wet = steps.find(({ mmPerHour }) => mmPerHour === null || mmPerHour > leastMmPerHour);
  const isSaid = statusPrecipitation(present?.status ?? '');
  // A storm may be dry.
  if (!present || steps.length === 0 || isSaid === 'by amount' || (isSaid === true) === (wet !== undefined))
    return weather;
  const { measured, sources = [weather.source], ...rest } = present;
  const by = wet && !sources.includes(wet.source) ? [wet.source, ...sources] : sources;
  const status = wet ? statusOfKind(wet.kind) : 'cloudy';
  return { ...weather, current: { ...rest, status, ...measuredOf(withoutAmounts(measured)), sources: by } };
}

/** Models with steps of 15 minutes cover Central Europe and North America; elsewhere Open-Meteo interpolates hours. */
function hasQuarters({ lat, lng }: LatLng): boolean {
  const isEurope = lat >= 43.2 && lat <= 58.1 && lng >= -3.9 && lng <= 20.3;
  return isEurope || (lat >= 21 && lat <= 53 && lng >= -135 && lng <= -60);
}
