// The simulation as a provider: needs no network and never fails. Current weather is exact; a forecast has a timing error that
// grows with lead time and changes with each hourly run, so current weather is always consistent and two runs differ.
import type { Clock } from '@rainbell/shared';
import type { LatLng } from '@rainbell/contract/service-api';
import { measuredOf } from '../reading/provider-values.ts';
import { type CellWeather, kindOfStatus, type RadarMinutes, type Rainfall, type Reading } from '../reading/reading.ts';
import type { Provider } from '../providers/provider.ts';
import { createNoiseField } from './noise-field.ts';
import { createSimulatedSky, type SimulatedSky, type SimulatedWeather } from './simulated-weather.ts';

export const simulationName = 'simulation';

const minuteMs = 60_000;
const hourMs = 3_600_000;
const stepCount = 73;
/** The timing error at the end of the horizon, in hours. */
const worstTimingHours = 5;

const radarStepMs = 5 * minuteMs;
const radarSteps = 24;

export type Simulation = Provider & {
  /** Returns what a radar would measure: the exact weather, in five-minute steps. */
  radarMinutes(cell: LatLng): RadarMinutes;
  /** Returns past precipitation, in steps. */
  pastRainfall(cell: LatLng, from: number, until: number, stepMs: number): Rainfall[];
};

/** `isDry`: it never precipitates. */
type Options = { clock: Clock; seed?: string; isDry?: boolean };

export function createSimulation({ clock, seed = 'rainbell', isDry = false }: Options): Simulation {
  const sky = createSimulatedSky(seed, isDry);
  const timing = createNoiseField(`${seed}/timing`, { patchKm: 2500, lifeHours: 2, octaves: 1 });
  return {
    name: simulationName,
    async fetch(cell) {
      return simulate(sky, timing(cell, runAt(clock.now())), cell, clock.now());
    },
    radarMinutes(cell) {
      const start = Math.floor(clock.now() / radarStepMs) * radarStepMs;
      const rainfall = Array.from({ length: radarSteps }, (_, index) => {
        const from = start + index * radarStepMs;
        return { from, until: from + radarStepMs, ...rainOf(sky(cell, from)) };
      });
      return { source: simulationName, updatedAt: start, rainfall };
    },
    pastRainfall(cell, from, until, stepMs) {
      const first = Math.ceil(from / stepMs);
      return Array.from({ length: Math.max(0, Math.floor(until / stepMs) - first) }, (_, index) => {
        const at = (first + index) * stepMs;
        return { from: at, until: at + stepMs, ...rainOf(sky(cell, at)) };
      });
    },
  };
}

function rainOf({ mmPerHour, status }: SimulatedWeather): Pick<Rainfall, 'mmPerHour' | 'kind'> {
  return mmPerHour > 0 ? { mmPerHour, kind: kindOfStatus(status) } : { mmPerHour };
}

function runAt(now: number): number {
  return Math.floor(now / hourMs) * hourMs;
}

function simulate(sky: SimulatedSky, timing: number, cell: LatLng, now: number): CellWeather {
  const minute = Math.floor(now / minuteMs) * minuteMs;
  const current = sky(cell, minute);
  const firstHour = runAt(now) + hourMs;
  const steps = Array.from({ length: stepCount }, (_, index) => {
    const at = firstHour + index * hourMs;
    const errorMs = timing * worstTimingHours * ((at - now) / (stepCount * hourMs)) * hourMs;
    return readingOf(at, sky(cell, at + errorMs));
  });
  const quarters = [0, 1, 2].map((index) => {
    const from = minute + index * 15 * minuteMs;
    return { from, until: from + 15 * minuteMs, ...rainOf(sky(cell, from)) };
  });
  return {
    source: simulationName,
    grid: cell,
    fetchedAt: now,
    current: readingOf(minute, current),
    steps,
    rainfall: quarters,
  };
}

function readingOf(at: number, weather: SimulatedWeather): Reading {
  return {
    at,
    status: weather.status,
    ...measuredOf({
      temperature: weather.temperatureKelvin,
      dew_point: weather.dewPointKelvin,
      humidity: weather.humidityPercent,
      pressure: weather.pressureHectopascal,
      wind_speed: weather.windMetresPerSecond,
      wind_direction: weather.windFromDegrees,
      rainfall: weather.isSnow ? 0 : weather.mmPerHour,
      snowfall: weather.isSnow ? Math.round(weather.mmPerHour * 70) / 10 : 0,
    }),
  };
}
