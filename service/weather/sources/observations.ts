// What observations change in a cell's weather, and what they prove: radar, an airport, and users' reports decide the present, in this
// order; each is evidence for the verdict on an event (docs/verification.md), and the basis of an event. Pure.
import { isKnownStatus, type LatLng, type Status, statusPrecipitation } from '@rainbell/contract/service-api';
import { chooseObservation } from '../metar/metar.ts';
import { kindOfReport } from '../metar/metar-status.ts';
import { measuredOf, withOtherValues, withoutAmounts } from '../reading/provider-values.ts';
import {
  type CellWeather,
  type Evidence,
  type NearObservation,
  type Nowcast,
  presentReading,
  type Reading,
} from '../reading/reading.ts';
import { simulationName } from '../simulation/simulation.ts';

/** Only a higher rate is precipitation: the least that providers report. Below it are drizzle that no one notices and rounding. */
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
  // The sum that ends at that time; a provider without one has the rate at that time.
  const amount =
    weather.rainfall.find(({ until }) => until === current.at) ??
    weather.rainfall.find(({ from, until }) => from <= current.at && until > current.at);
  if (amount) return { ...common, ...amountOf(amount.mmPerHour), mmPerHour: amount.mmPerHour };
  const isWet = statusPrecipitation(current.status);
  return typeof isWet === 'boolean' ? { ...common, isWet, text: current.status } : undefined;
}

function amountOf(mmPerHour: number): Pick<Evidence, 'isWet' | 'text'> {
  return { isWet: mmPerHour > leastMmPerHour, text: `${Math.round(mmPerHour * 10) / 10} mm/h` };
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
  const { measured, sources = [weather.source], ...rest } = present;
  const values = measuredOf(status === present.status ? measured : withoutAmounts(measured));
  return { ...weather, current: { ...rest, status, ...values, sources: [reportSource, ...sources] } };
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

export function withNowcast(weather: CellWeather, nowcast: Nowcast | undefined, now: number): CellWeather {
  if (!nowcast) return weather;
  const isOfNow = nowcast.rainfall.some(({ until }) => until > now);
  const rainfallBy = { source: nowcast.source, at: nowcast.updatedAt ?? weather.fetchedAt };
  const rainfall = isOfNow ? { rainfall: nowcast.rainfall, rainfallBy } : {};
  const { current } = nowcast;
  if (current === undefined || now - current.at > currentForMs) return { ...weather, ...rainfall };
  return { ...weather, ...rainfall, current: observed(weather, current, nowcast.source, now) };
}

export function stationSource(station: string): string {
  return `metar:${station}`;
}

/** Returns the cell's weather at a place, with the station that counts there (docs/interface.md §4.3: the first point has the newest sensor data). */
export function weatherAt(weather: CellWeather, place: LatLng, now: number): CellWeather {
  const observation = chooseObservation(weather.stations ?? [], place, now);
  if (!observation) return weather;
  const { isPrecipitating, station, at, groups } = observation;
  const source = stationSource(station);
  const wetBy = {
    source,
    at,
    isObserved: true,
    kind: kindOfReport(groups),
    place: observation.place,
  } as const;
  // If it is dry at the station, it may still rain here.
  return { ...weather, ...(isPrecipitating ? { wetBy } : {}), current: observed(weather, observation, source, now) };
}

type Observed = Pick<Reading, 'at' | 'status' | 'measured'>;

/** Combines an observation with the provider's other values. Never mixes simulated values into a real observation. */
function observed(weather: CellWeather, observation: Observed, by: string, now: number): Reading {
  const present = weather.source === simulationName ? undefined : presentReading(weather, now);
  const status = observation.status === 'unknown' ? (present?.status ?? 'unknown') : observation.status;
  return {
    at: observation.at,
    status,
    ...withOtherValues({ ...observation, status }, present),
    sources: [by, ...(present ? (present.sources ?? [weather.source]) : [])],
  };
}
