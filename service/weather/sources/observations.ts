// What observations change in a cell's weather, and what they prove: radar, an airport, and users' reports decide the present, in this
// order; each is evidence for the verdict on an event (docs/verification.md), and the basis of an event. Pure.
import { isKnownStatus, type LatLng, type Status, statusPrecipitation } from '@rainbell/contract/service-api';
import type { NearObservation } from '../metar/metar.ts';
import { kindOfReport } from '../metar/metar-status.ts';
import { withOtherValues } from '../reading/provider-values.ts';
import {
  type CellWeather,
  type Evidence,
  type Nowcast,
  presentReading,
  type Reading,
  type Trigger,
} from '../reading/reading.ts';
import { simulationName } from '../simulation/simulation.ts';

/** A higher rate is precipitation; up to it may be noise. Independent of any policy's threshold. */
export const leastMmPerHour = 0.1;
/** A report about the past hour says that it rained then: counts as half an hour ago. */
const recentMs = 30 * 60_000;
/** A provider's current value is a forecast if it was made longer ago than this. */
const oldestPresentMs = 30 * 60_000;

/** Returns undefined if the report does not mention precipitation at the station. */
export function stationEvidence(observation: NearObservation | undefined): Evidence | undefined {
  if (observation?.precipitation === undefined) return undefined;
  const { precipitation, station, place, at, groups = '' } = observation;
  return {
    kind: 'station',
    source: stationSource(station),
    place,
    at,
    countsAt: precipitation === 'recent' ? at - recentMs : at,
    isWet: precipitation !== 'none',
    text: groups === '' ? (precipitation === 'recent' ? 'precipitation in the last hour' : 'no precipitation') : groups,
  };
}

/** Uses only the step of the radar image itself; all others are forecasts. */
export function radarEvidence(nowcast: Nowcast | undefined, cell: LatLng): Evidence | undefined {
  if (nowcast?.updatedAt === undefined) return undefined;
  const at = nowcast.updatedAt;
  const step = nowcast.rainfall.find(({ from, until }) => from <= at && until > at);
  if (!step) return undefined;
  const { mmPerHour } = step;
  return { kind: 'radar', source: nowcast.source, place: cell, at, countsAt: at, ...amountOf(mmPerHour), mmPerHour };
}

/** Returns the provider's own current value, after the fact: an analysis, and the weakest evidence. */
export function analysisEvidence(weather: CellWeather, now: number): Evidence | undefined {
  const { current, source, grid, fetchedAt } = weather;
  if (!current || current.at > now || Math.abs(fetchedAt - current.at) > oldestPresentMs) return undefined;
  const common = { kind: 'analysis', source, place: grid, at: current.at, countsAt: current.at } as const;
  const amount = weather.rainfall.find(({ from, until }) => from <= current.at && until > current.at);
  if (amount) return { ...common, ...amountOf(amount.mmPerHour), mmPerHour: amount.mmPerHour };
  const isWet = statusPrecipitation(current.status);
  return typeof isWet === 'boolean' ? { ...common, isWet, text: current.status } : undefined;
}

function amountOf(mmPerHour: number): Pick<Evidence, 'isWet' | 'text'> {
  return { isWet: mmPerHour > leastMmPerHour, text: `${Math.round(mmPerHour * 10) / 10} mm/h` };
}

/** Returns why a cell counts as wet by its own sources: `rain` has the amounts of the next minutes; those above `min` count. */
export function triggerOf(weather: CellWeather, rain: CellWeather['rainfall'], min: number): Trigger {
  if (weather.isPrecipitating === true && weather.wetBy) return weather.wetBy;
  const wet = rain.filter(({ mmPerHour }) => mmPerHour > min);
  const amounts = wet.map(({ from, until, mmPerHour }) => ({ from, until, mmPerHour }));
  const by = weather.rainfallBy ?? { source: weather.source, at: weather.fetchedAt };
  return amounts.length === 0 ? { source: weather.source, at: weather.fetchedAt } : { ...by, amounts };
}

// Applies user reports (metags, scope `post_metag`) to current weather: within 5 km and for half an hour they determine the first
// point, which lists them in `sources` (docs/interface.md §2.3, crowdsourced data). They never fire monitors, which need an amount
// or an airport observation, so no one can fire other users' monitors. Pure.

/** The value in `sources` of a point decided by users' reports. */
export const reportSource = 'metag';

/** `reports` are valid at the place now, newest first. */
export function withReports(weather: CellWeather, reports: readonly { status: string }[], now: number): CellWeather {
  const status = prevailing(reports);
  const present = status === undefined ? undefined : presentReading(weather, now);
  if (status === undefined || present === undefined) return weather;
  const { measured: known, sources = [weather.source], ...rest } = present;
  const { rainfall: _rain, snowfall: _snow, ...other } = known ?? {};
  // The hour's amounts belong to the status they came with.
  const measured = status === present.status ? known : Object.keys(other).length === 0 ? undefined : other;
  const current = { ...rest, status, ...(measured ? { measured } : {}), sources: [reportSource, ...sources] };
  return { ...weather, current };
}

/** Returns the most frequent status; in a tie, the latest. */
function prevailing(reports: readonly { status: string }[]): Status | undefined {
  const counts = new Map<Status, number>();
  for (const { status } of reports) if (isKnownStatus(status)) counts.set(status, (counts.get(status) ?? 0) + 1);
  const max = Math.max(0, ...counts.values());
  return [...counts].find(([, count]) => count === max)?.[0];
}

/** A radar's estimate of the current weather counts for three of its steps. */
const currentForMs = 15 * 60_000;

/** Applies the radar to a cell's weather. Pure. */
export function withNowcast(weather: CellWeather, nowcast: Nowcast | undefined, now: number): CellWeather {
  if (!nowcast) return weather;
  const isOfNow = nowcast.rainfall.some(({ until }) => until > now);
  const rainfallBy = { source: nowcast.source, at: nowcast.updatedAt ?? weather.fetchedAt };
  const rainfall = isOfNow ? { rainfall: nowcast.rainfall, rainfallBy } : {};
  const { current } = nowcast;
  if (current === undefined || now - current.at > currentForMs) return { ...weather, ...rainfall };
  const present = weather.source === simulationName ? undefined : presentReading(weather, now);
  const status = current.status === 'unknown' ? (present?.status ?? 'unknown') : current.status;
  return {
    ...weather,
    ...rainfall,
    current: {
      at: current.at,
      status,
      ...withOtherValues({ ...current, status }, present),
      sources: [nowcast.source, ...(present ? [weather.source] : [])],
    },
  };
}

type Options = {
  now: number;
  /** Maximum distance at which a station's rain counts as rain in this cell. */
  triggerRadiusKm: number;
};

/** Returns a station's value in `sources`. */
export function stationSource(station: string): string {
  return `metar:${station}`;
}

/**
 * Applies the result of `chooseObservation` to the cell's current weather (docs/interface.md §4.3: the first point has the most
 * recent sensor data); undefined leaves the weather unchanged.
 */
export function withObservation(
  weather: CellWeather,
  observation: NearObservation | undefined,
  { now, triggerRadiusKm }: Options,
): CellWeather {
  if (!observation) return weather;
  return {
    ...weather,
    ...(observation.distanceKm <= triggerRadiusKm ? rainOf(observation) : {}),
    current: observed(weather, observation, now),
  };
}

/** Rain at the station is rain here. If it is dry there, it may still rain here. */
function rainOf({ isPrecipitating, station, at, place, groups }: NearObservation): Partial<CellWeather> {
  return isPrecipitating
    ? {
        isPrecipitating,
        wetBy: { source: stationSource(station), at, isObserved: true } as const,
        station: { place, kind: kindOfReport(groups) },
      }
    : {};
}

/** Combines the station's observation with the provider's other values. Never mixes simulated values into a real observation. */
function observed(weather: CellWeather, observation: NearObservation, now: number): Reading {
  const present = weather.source === simulationName ? undefined : presentReading(weather, now);
  const status = observation.status === 'unknown' ? (present?.status ?? 'unknown') : observation.status;
  return {
    at: observation.at,
    status,
    ...withOtherValues({ ...observation, status }, present),
    sources: [stationSource(observation.station), ...(present ? (present.sources ?? [weather.source]) : [])],
  };
}
