// The simulation as a provider: needs nothing and never fails. Now is the truth; a forecast is the truth seen through a timing
// error that grows with lead time and changes with each hourly run, so now never contradicts itself and two runs differ.
import type { Clock } from '#shared/time/clock.ts';
import type { LatLng } from '#contract/service-api/geo.ts';
import { measuredOf } from '#service/weather/reading/measured-values.ts';
import type { CellWeather, Provider, RadarMinutes, Reading } from '#service/weather/reading/reading.ts';
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
  /** What a radar would see: the truth, in steps of five minutes. */
  radarMinutes(cell: LatLng): RadarMinutes;
};

export function createSimulation({ clock, seed = 'rainbell' }: { clock: Clock; seed?: string }): Simulation {
  const sky = createSimulatedSky(seed);
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
        return { from, until: from + radarStepMs, mmPerHour: sky(cell, from).mmPerHour };
      });
      return { source: simulationName, updatedAt: start, rainfall };
    },
  };
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
    return { from, until: from + 15 * minuteMs, mmPerHour: sky(cell, from).mmPerHour };
  });
  return {
    source: simulationName,
    grid: cell,
    fetchedAt: now,
    current: readingOf(minute, current),
    isPrecipitating: current.mmPerHour > 0,
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
