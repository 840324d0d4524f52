// Which times of the simulated sky the simulation returns: now, the next hours, the radar's minutes, and the past.
import { describe, expect, it } from 'vitest';
import { createNoiseField } from '#service/weather/simulation/noise-field.ts';
import { createSimulatedSky } from '#service/weather/simulation/simulated-weather.ts';
import { createSimulation } from '#service/weather/simulation/simulation.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const now = Date.parse('2026-11-21T06:17:42.500Z');
const minute = Date.parse('2026-11-21T06:17:00Z');
const sky = createSimulatedSky('rainbell');
const simulation = createSimulation({ clock: createManualClock(now) });

/** Searches the globe for weather that matches. */
function findPlace(matches: (weather: ReturnType<typeof sky>) => boolean) {
  for (let index = 0; index < 20_000; index += 1) {
    const place = { lat: ((index * 7.3) % 170) - 85, lng: ((index * 137.5) % 360) - 180 };
    if (matches(sky(place, minute))) return place;
  }
  throw new Error('No such weather.');
}
const rainy = findPlace(({ mmPerHour, isSnow }) => mmPerHour > 1 && !isSnow);
const snowy = findPlace(({ mmPerHour, isSnow }) => mmPerHour > 1 && isSnow);

/** What falls in the rainy place, in so many steps from an instant. */
function rainFrom(start: number, count: number, stepMs: number) {
  return Array.from({ length: count }, (_, index) => {
    const from = start + index * stepMs;
    const { mmPerHour, isSnow } = sky(rainy, from);
    return { from, until: from + stepMs, mmPerHour, kind: isSnow ? 'snow' : 'rain' };
  });
}

describe('the simulation', () => {
  it('has the exact weather of the minute, for the cell itself, with seven times as much snow as water', async () => {
    const exact = sky(rainy, minute);
    const weather = await simulation.fetch(rainy);
    expect(weather).toMatchObject({ source: 'simulation', grid: rainy, fetchedAt: now });
    expect(weather.current).toEqual({
      at: minute,
      status: exact.status,
      measured: {
        temperature: exact.temperatureKelvin,
        dew_point: exact.dewPointKelvin,
        humidity: exact.humidityPercent,
        pressure: exact.pressureHectopascal,
        wind_speed: exact.windMetresPerSecond,
        wind_direction: exact.windFromDegrees,
        rainfall: exact.mmPerHour,
        snowfall: 0,
      },
    });
    // Open-Meteo's ratio.
    const { rainfall, snowfall } = (await simulation.fetch(snowy)).current?.measured ?? {};
    expect([rainfall, snowfall]).toEqual([0, Math.round(sky(snowy, minute).mmPerHour * 70) / 10]);
  });

  it('forecasts 73 hours from the next full one, each as the sky is up to five hours earlier or later', async () => {
    const { steps, rainfall } = await simulation.fetch(rainy);
    const seven = Date.parse('2026-11-21T07:00:00Z');
    const timing = createNoiseField('rainbell/timing', { patchKm: 2500, lifeHours: 2, octaves: 1 });
    const error = timing(rainy, seven - hourMs);
    expect(Math.abs(error)).toBeGreaterThan(0.01);
    expect(steps.map(({ at, measured }) => [at, measured?.['temperature']])).toEqual(
      Array.from({ length: 73 }, (_, index) => {
        const at = seven + index * hourMs;
        return [at, sky(rainy, at + (error * 5 * (at - now)) / 73).temperatureKelvin];
      }),
    );
    // The watch gets the next three quarters of an hour exactly.
    expect(rainfall).toEqual(rainFrom(minute, 3, 15 * minuteMs));
  });

  it('has radar of 24 steps of five minutes from the current one, exactly', () => {
    const from = Date.parse('2026-11-21T06:15:00Z');
    expect(simulation.radarMinutes(rainy)).toEqual({
      source: 'simulation',
      updatedAt: from,
      rainfall: rainFrom(from, 24, 5 * minuteMs),
    });
  });

  it('has of the past the whole steps within the wanted time', () => {
    const past = (from: number, until: number) => simulation.pastRainfall(rainy, from, until, 15 * minuteMs);
    const quarter = Date.parse('2026-11-21T06:15:00Z');
    expect(past(quarter, quarter + 30 * minuteMs)).toEqual(rainFrom(quarter, 2, 15 * minuteMs));
    expect(past(quarter - 1, quarter + 30 * minuteMs - 1)).toEqual(rainFrom(quarter, 1, 15 * minuteMs));
    expect(past(quarter + 1, quarter + 2)).toEqual([]);
  });
});
