// The simulation must be believable and the same everywhere: a developer shows it to others. Which times of its sky it returns: now, the
// next hours, the radar's minutes, and the past.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { statuses, statusPrecipitation } from '#contract/service-api/vocabulary.ts';
import { createNoiseField } from '#service/weather/simulation/noise-field.ts';
import { createSimulatedSky } from '#service/weather/simulation/simulated-weather.ts';
import { createSimulation } from '#service/weather/simulation/simulation.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

const start = Date.parse('2026-11-21T06:00:00Z');
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const sky = createSimulatedSky('rainbell');

const count = 20_000;
/** The weather of places spread evenly over the globe, and instants over a year. */
const sampled = Array.from({ length: count }, (_, index) => {
  const lat = (Math.asin(1 - (2 * (index + 0.5)) / count) * 180) / Math.PI;
  const place = { lat, lng: ((index * 137.508) % 360) - 180 };
  const instant = start + ((index * 7919) % 8760) * hourMs;
  return { place, instant, weather: sky(place, instant) };
});
const wet = sampled.filter(({ weather }) => weather.mmPerHour > 0);

describe('the simulation', () => {
  it('has every status of the vocabulary, and weather for every hour', () => {
    const seen = new Set(sampled.map(({ weather }) => weather.status));
    expect([...seen].toSorted()).toEqual(statuses.filter((status) => status !== 'unknown').toSorted());
  });

  it('is wet for 4 to 18 percent of the time, whatever the latitude', () => {
    const bandOf = ({ place }: (typeof sampled)[number]) => Math.floor(Math.abs(place.lat) / 15);
    const wetByBand = Map.groupBy(wet, bandOf);
    for (const [band, all] of Map.groupBy(sampled, bandOf)) {
      const share = (wetByBand.get(band)?.length ?? 0) / all.length;
      expect(share).toBeGreaterThan(0.035);
      expect(share).toBeLessThan(0.18);
    }
  });

  it('never precipitates if its own rain is off', () => {
    const dry = createSimulatedSky('rainbell', true);
    const found = wet.slice(0, 400).map(({ place, instant }) => dry(place, instant));
    expect(found.filter(({ mmPerHour }) => mmPerHour > 0)).toEqual([]);
    expect(found.filter(({ status }) => statusPrecipitation(status) !== false)).toEqual([]);
  });

  it('rains 25 km away nearly always when it rains here, and 1,000 km away seldom', () => {
    const here = wet.filter(({ place }) => Math.abs(place.lat) <= 70);
    const shareAt = (degreesNorth: number) => {
      const isWet = ({ place: { lat, lng }, instant }: (typeof here)[number]) =>
        sky({ lat: lat + degreesNorth, lng }, instant).mmPerHour > 0;
      return here.filter(isWet).length / here.length;
    };
    expect(shareAt(0.225)).toBeGreaterThan(0.75);
    expect(shareAt(-9)).toBeLessThan(0.3);
  });

  it('is the same on each machine and in each version, and another one with another seed', () => {
    // Recorded once: a change of the weather of a place and time must be intended.
    const recorded = '0149d8d52ad55c8b';
    const hashOf = (found: object) => createHash('sha256').update(JSON.stringify(found)).digest('hex').slice(0, 16);
    expect(hashOf(sampled.map(({ weather }) => weather))).toBe(recorded);
    const other = createSimulatedSky('other');
    const isSame = ({ place, instant, weather }: (typeof sampled)[number]) =>
      other(place, instant).windFromDegrees === weather.windFromDegrees;
    expect(sampled.slice(0, 200).filter(isSame).length).toBeLessThan(50);
  });

  it('never contradicts itself about now, yet two forecasts of one hour differ as the hour comes nearer', async () => {
    const clock = createManualClock(start);
    const simulation = createSimulation({ clock });
    const cell = { lat: 52.5, lng: 13.4 };
    const early = await simulation.fetch(cell);
    expect(await simulation.fetch(cell)).toEqual(early);
    clock.advance(24 * hourMs);
    const late = await simulation.fetch(cell);
    const sameHours = late.steps.filter(({ at }) => early.steps.some((step) => step.at === at));
    const changed = sameHours.filter((step) => {
      const before = early.steps.find(({ at }) => at === step.at);
      return before?.measured?.['humidity'] !== step.measured?.['humidity'];
    });
    expect(sameHours.length).toBeGreaterThan(40);
    expect(changed.length).toBeGreaterThan(5);
  });
});

const now = Date.parse('2026-11-21T06:17:42.500Z');
const minute = Date.parse('2026-11-21T06:17:00Z');
const simulation = createSimulation({ clock: createManualClock(now) });

/** A place with such weather now. */
function findPlace(matches: (weather: ReturnType<typeof sky>) => boolean) {
  const found = sampled.find(({ place }) => matches(sky(place, minute)));
  if (!found) throw new Error('No such weather.');
  return found.place;
}
const rainy = findPlace(({ mmPerHour, isSnow }) => mmPerHour > 1 && !isSnow);
const snowy = findPlace(({ mmPerHour, isSnow }) => mmPerHour > 1 && isSnow);

/** What falls in the rainy place, in `count` steps from an instant. */
function rainFrom(start: number, count: number, stepMs: number) {
  return Array.from({ length: count }, (_, index) => {
    const from = start + index * stepMs;
    const { mmPerHour, isSnow } = sky(rainy, from);
    return { from, until: from + stepMs, mmPerHour, kind: isSnow ? 'snow' : 'rain' };
  });
}

describe('the times of the simulation', () => {
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
