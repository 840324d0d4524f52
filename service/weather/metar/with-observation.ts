// Applies an airport's observation to the cell's current weather (docs/interface.md §4.3: the first point has the most recent
// sensor data). Pure.
import type { CellWeather, Reading } from '../reading/reading.ts';
import { withOtherValues } from '../reading/measured-values.ts';
import { presentReading } from '../reading/present-reading.ts';
import { simulationName } from '../simulation/simulation.ts';
import type { NearObservation } from './choose-observation.ts';

type Options = {
  now: number;
  /** Maximum distance at which a station's rain counts as rain in this cell. */
  triggerRadiusKm: number;
};

/** Returns a station's value in `sources`. */
export function stationSource(station: string): string {
  return `metar:${station}`;
}

/** `observation` is the result of `chooseObservation`; undefined leaves the weather unchanged. */
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
function rainOf({ isPrecipitating, station, at }: NearObservation): Partial<CellWeather> {
  return isPrecipitating
    ? { isPrecipitating, wetBy: { source: stationSource(station), at, isObserved: true } as const }
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
