// The simulation must be believable and the same everywhere: a developer shows it to others.
import { describe, expect, it } from 'vitest';
import { statuses } from '#contract/service-api/vocabulary.ts';
import { createSimulatedSky } from '#service/weather/simulation/simulated-weather.ts';
import { createSimulation } from '#service/weather/simulation/simulation.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

const start = Date.parse('2026-11-21T06:00:00Z');
const hourMs = 3_600_000;
const sky = createSimulatedSky('rainbell');

/** Places spread evenly over the globe, and instants over a year. */
function* samples(count: number) {
  for (let index = 0; index < count; index += 1) {
    const lat = (Math.asin(1 - (2 * (index + 0.5)) / count) * 180) / Math.PI;
    const lng = ((index * 137.508) % 360) - 180;
    yield { place: { lat, lng }, instant: start + ((index * 7919) % 8760) * hourMs };
  }
}

describe('the simulation', () => {
  it('has every status of the vocabulary, and weather for every hour', () => {
    const seen = new Set<string>();
    for (const { place, instant } of samples(40_000)) seen.add(sky(place, instant).status);
    expect([...seen].toSorted()).toEqual(statuses.filter((status) => status !== 'unknown').toSorted());
  });

  it('is wet for 4 to 18 percent of the time, whatever the latitude', () => {
    const bands = new Map<number, { wet: number; all: number }>();
    for (const { place, instant } of samples(40_000)) {
      const band = bands.get(Math.floor(Math.abs(place.lat) / 15)) ?? { wet: 0, all: 0 };
      band.all += 1;
      if (sky(place, instant).mmPerHour > 0) band.wet += 1;
      bands.set(Math.floor(Math.abs(place.lat) / 15), band);
    }
    for (const { wet, all } of bands.values()) {
      expect(wet / all).toBeGreaterThan(0.035);
      expect(wet / all).toBeLessThan(0.18);
    }
  });

  it('rains 25 km away nearly always when it rains here, and 1,000 km away seldom', () => {
    let here = 0;
    let near = 0;
    let far = 0;
    for (const { place, instant } of samples(40_000)) {
      if (Math.abs(place.lat) > 70 || sky(place, instant).mmPerHour === 0) continue;
      here += 1;
      if (sky({ lat: place.lat + 0.225, lng: place.lng }, instant).mmPerHour > 0) near += 1;
      if (sky({ lat: place.lat - 9, lng: place.lng }, instant).mmPerHour > 0) far += 1;
    }
    expect(near / here).toBeGreaterThan(0.75);
    expect(far / here).toBeLessThan(0.3);
  });

  it('says the same on every machine', () => {
    const weather = sky({ lat: 45.1, lng: 7.7 }, start);
    expect(weather).toMatchInlineSnapshot(`
      {
        "dewPointKelvin": 267.5,
        "humidityPercent": 47,
        "isSnow": false,
        "mmPerHour": 0,
        "pressureHectopascal": 1012,
        "status": "sunny",
        "temperatureKelvin": 278.05,
        "windFromDegrees": 243,
        "windMetresPerSecond": 4.6,
      }
    `);
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
