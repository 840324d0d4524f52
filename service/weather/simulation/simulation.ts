// The simulation as a provider: needs no network and never fails. Current weather is exact; a forecast has a timing error that
// grows with lead time and changes with each hourly run, so current weather is always consistent and two runs differ.
import { type Clock, hourMs, minuteMs } from '@rainbell/shared';
import type { LatLng } from '@rainbell/contract/service-api';
import { measuredOf } from '../reading/provider-values.ts';
import { type CellWeather, kindOfStatus, type RadarMinutes, type Rainfall, type Reading } from '../reading/reading.ts';
import { createNoiseField } from './noise-field.ts';
import { createSimulatedSky, type SimulatedSky, type SimulatedWeather } from './simulated-weather.ts';

export const simulationName = 'simulation';

const stepCount = 73;
/** The timing error at the end of the horizon, in hours. */
const worstTimingHours = 5;

const radarStepMs = 5 * minuteMs;
const radarSteps = 24;

export type Simulation = ReturnType<typeof createSimulation>;

/** `isDry`: it never precipitates. */
type Options = { clock: Clock; seed?: string; isDry?: boolean };

export function createSimulation({ clock, seed = 'rainbell', isDry = false }: Options) {
  const sky = createSimulatedSky(seed, isDry);
  const timing = createNoiseField(`${seed}/timing`, { patchKm: 2500, lifeHours: 2, octaves: 1 });
  return {
    name: simulationName,
    async fetch(cell: LatLng) {
      return simulate(sky, timing(cell, runAt(clock.now())), cell, clock.now());
    },
    /** Returns what a radar would measure: the exact weather, in five-minute steps. */
    radarMinutes(cell: LatLng): RadarMinutes {
      const start = Math.floor(clock.now() / radarStepMs) * radarStepMs;
      return {
        source: simulationName,
        updatedAt: start,
        rainfall: rainFrom(sky, cell, start, radarSteps, radarStepMs),
      };
    },
    /** Returns past precipitation, in steps. */
    pastRainfall(cell: LatLng, from: number, until: number, stepMs: number): Rainfall[] {
      const first = Math.ceil(from / stepMs);
      const count = Math.max(0, Math.floor(until / stepMs) - first);
      return rainFrom(sky, cell, first * stepMs, count, stepMs);
    },
  };
}

function rainFrom(sky: SimulatedSky, cell: LatLng, start: number, count: number, stepMs: number): Rainfall[] {
  return Array.from({ length: count }, (_, index) => {
    const from = start + index * stepMs;
    const { mmPerHour, status } = sky(cell, from);
    return { from, until: from + stepMs, mmPerHour, ...(mmPerHour > 0 && { kind: kindOfStatus(status) }) };
  });
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
  return {
    source: simulationName,
    grid: cell,
    fetchedAt: now,
    current: readingOf(minute, current),
    steps,
    rainfall: rainFrom(sky, cell, minute, 3, 15 * minuteMs),
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
