// Which times of the simulated sky the simulation returns: now, the next hours, the radar's minutes, and the past.
import { describe, expect, it } from 'vitest';
import type { Reading } from '#service/weather/reading/reading.ts';
import { createNoiseField } from '#service/weather/simulation/noise-field.ts';
import { createSimulatedSky } from '#service/weather/simulation/simulated-weather.ts';
import { createSimulation } from '#service/weather/simulation/simulation.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const now = Date.parse('2026-11-21T06:17:42.500Z');
const minute = Date.parse('2026-11-21T06:17:00Z');
const sky = createSimulatedSky('rainbell');
const fallAt = (...parameters: Parameters<typeof sky>) => {
  const { mmPerHour, isSnow } = sky(...parameters);
  return { mmPerHour, kind: isSnow ? 'snow' : 'rain' };
};
const cell = { lat: 45.1, lng: 7.7 };

const simulationAt = (instant: number, options: { isDry?: boolean; seed?: string } = {}) =>
  createSimulation({ clock: createManualClock(instant), ...options });

/** Searches the globe for weather that matches. */
function findPlace(matches: (weather: ReturnType<typeof sky>) => boolean) {
  for (let index = 0; index < 20_000; index += 1) {
    const place = { lat: ((index * 7.3) % 170) - 85, lng: ((index * 137.5) % 360) - 180 };
    if (matches(sky(place, minute))) return place;
  }
  throw new Error('No such weather.');
}

describe('the simulation’s current reading', () => {
  it('is the exact weather of the minute, for the cell itself', async () => {
    const weather = await simulationAt(now).fetch(cell);
    expect(weather).toMatchObject({ source: 'simulation', grid: cell, fetchedAt: now });
    const exact = sky(cell, minute);
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
        rainfall: 0,
        snowfall: 0,
      },
    });
  });

  it('has the rain of a wet place', async () => {
    const place = findPlace(({ mmPerHour, isSnow }) => mmPerHour > 1 && !isSnow);
    const { current } = await simulationAt(now).fetch(place);
    expect(current?.measured).toMatchObject({ rainfall: sky(place, minute).mmPerHour, snowfall: 0 });
  });

  it('has seven times as much snow as water (Open-Meteo’s ratio), and then no rain', async () => {
    const place = findPlace(({ mmPerHour, isSnow }) => mmPerHour > 1 && isSnow);
    const { current } = await simulationAt(now).fetch(place);
    const { rainfall, snowfall = 0 } = current?.measured ?? {};
    expect(rainfall).toBe(0);
    expect(snowfall).toBeCloseTo(7 * sky(place, minute).mmPerHour, 1);
    expect(Math.round(Number(snowfall) * 10)).toBeCloseTo(Number(snowfall) * 10, 9);
  });
});

describe('the simulation’s forecast', () => {
  it('has 73 hours from the next full one, each as the sky is up to five hours earlier or later', async () => {
    const { steps } = await simulationAt(now).fetch(cell);
    const seven = Date.parse('2026-11-21T07:00:00Z');
    expect(steps.map(({ at }) => at)).toEqual(Array.from({ length: 73 }, (_, index) => seven + index * hourMs));
    const timing = createNoiseField('rainbell/timing', { patchKm: 2500, lifeHours: 2, octaves: 1 });
    const error = timing(cell, Date.parse('2026-11-21T06:00:00Z'));
    expect(Math.abs(error)).toBeGreaterThan(0.01);
    const temperature = ({ measured }: Reading) => measured?.['temperature'];
    for (const step of steps) {
      const errorMs = (error * 5 * (step.at - now)) / 73;
      expect(temperature(step)).toBe(sky(cell, step.at + errorMs).temperatureKelvin);
    }
  });

  it('has the rain of the next three quarters of an hour, exactly', async () => {
    const place = findPlace(({ mmPerHour }) => mmPerHour > 1);
    const { rainfall } = await simulationAt(now).fetch(place);
    expect(rainfall).toEqual(
      [0, 15, 30].map((minutes) => ({
        from: minute + minutes * minuteMs,
        until: minute + (minutes + 15) * minuteMs,
        ...fallAt(place, minute + minutes * minuteMs),
      })),
    );
  });

  it('depends on the seed, and may be always dry', async () => {
    const place = findPlace(({ mmPerHour }) => mmPerHour > 1);
    const [other, dry] = [simulationAt(now, { seed: 'other' }), simulationAt(now, { isDry: true })];
    expect((await other.fetch(place)).current).not.toEqual((await simulationAt(now).fetch(place)).current);
    expect((await dry.fetch(place)).rainfall.map(({ mmPerHour }) => mmPerHour)).toEqual([0, 0, 0]);
  });
});

describe('the simulation’s radar', () => {
  it('has 24 steps of five minutes from the current one, exactly', () => {
    const place = findPlace(({ mmPerHour }) => mmPerHour > 1);
    const from = Date.parse('2026-11-21T06:15:00Z');
    const { source, updatedAt, rainfall } = simulationAt(now).radarMinutes(place);
    expect([source, updatedAt]).toEqual(['simulation', from]);
    expect(rainfall).toEqual(
      Array.from({ length: 24 }, (_, index) => {
        const start = from + index * 5 * minuteMs;
        return { from: start, until: start + 5 * minuteMs, ...fallAt(place, start) };
      }),
    );
  });
});

describe('the simulation’s past', () => {
  it('has the whole steps within the wanted time', () => {
    const place = findPlace(({ mmPerHour }) => mmPerHour > 1);
    const past = (from: number, until: number) => simulationAt(now).pastRainfall(place, from, until, 15 * minuteMs);
    const quarter = Date.parse('2026-11-21T06:15:00Z');
    const step = (from: number) => ({ from, until: from + 15 * minuteMs, ...fallAt(place, from) });
    expect(past(quarter, quarter + 30 * minuteMs)).toEqual([step(quarter), step(quarter + 15 * minuteMs)]);
    expect(past(quarter - 1, quarter + 30 * minuteMs - 1)).toEqual([step(quarter)]);
    expect(past(quarter + 1, quarter + 2)).toEqual([]);
  });
});
