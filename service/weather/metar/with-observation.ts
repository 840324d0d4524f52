// Lays an airport's observation over the present of a cell's weather (docs/interface.md §4.3: the first point carries
// the most recent sensor data). Pure.
import type { CellWeather, Reading } from '#service/weather/reading/reading.ts';
import { presentReading } from '#service/weather/reading/present-reading.ts';
import { simulationName } from '../simulation/simulation.ts';
import type { NearObservation } from './choose-observation.ts';

type Options = {
  now: number;
  /** How near a station must be for its rain to count as rain in this cell. */
  triggerRadiusKm: number;
};

/** `observation` is what `chooseObservation` found; undefined leaves the weather as it is. */
export function withObservation(
  weather: CellWeather,
  observation: NearObservation | undefined,
  { now, triggerRadiusKm }: Options,
): CellWeather {
  if (!observation) return weather;
  return {
    ...weather,
    ...(observation.distanceKm <= triggerRadiusKm ? rainOf(weather, observation) : {}),
    current: observed(weather, observation, now),
  };
}

/** Rain at the station is rain here. What is dry there may be wet here, unless the rain here is only simulated. */
function rainOf(weather: CellWeather, { isPrecipitating }: NearObservation): Partial<CellWeather> {
  if (weather.source === simulationName) return { isPrecipitating, rainfall: [] };
  return isPrecipitating ? { isPrecipitating } : {};
}

/** What the station saw, and what the provider knows besides. A simulated value is never put into a real observation. */
function observed(weather: CellWeather, observation: NearObservation, now: number): Reading {
  const present = weather.source === simulationName ? undefined : presentReading(weather, now);
  const measured = { ...present?.measured, ...observation.measured };
  const status = observation.status === 'unknown' ? (present?.status ?? 'unknown') : observation.status;
  return {
    at: observation.at,
    status,
    ...(Object.keys(measured).length === 0 ? {} : { measured }),
    sources: [`metar:${observation.station}`, ...(present ? (present.sources ?? [weather.source]) : [])],
  };
}
