// Precipitation observed at and near a cell, as evidence of event outcomes (docs/verification.md), and the basis of an event. Pure.
import { type LatLng, statusPrecipitation } from '@rainbell/contract/service-api';
import type { Evidence, Trigger, CellWeather } from '../reading/reading.ts';
import { nowcastName, type Nowcast } from '../providers/met-norway/nowcast.ts';
import { type NearObservation, stationSource } from '../metar/metar.ts';

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
  const at = nowcast?.updatedAt;
  const step = at === undefined ? undefined : nowcast?.rainfall.find(({ from, until }) => from <= at && until > at);
  if (at === undefined || !step) return undefined;
  const { mmPerHour } = step;
  return { kind: 'radar', source: nowcastName, place: cell, at, countsAt: at, ...amountOf(mmPerHour), mmPerHour };
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
