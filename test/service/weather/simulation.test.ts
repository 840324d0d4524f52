// The simulation must be believable and the same everywhere: a developer shows it to others.
import { describe, expect, it } from 'vitest';
import { statuses, statusPrecipitation } from '#contract/service-api/vocabulary.ts';
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

  it('never precipitates if its own rain is off', () => {
    const dry = createSimulatedSky('rainbell', true);
    const wet = [...samples(4_000)].filter(({ place, instant }) => sky(place, instant).mmPerHour > 0);
    expect(wet.length).toBeGreaterThan(100);
    const words = new Set(wet.map(({ place, instant }) => dry(place, instant).status));
    expect(wet.filter(({ place, instant }) => dry(place, instant).mmPerHour > 0)).toEqual([]);
    expect([...words].filter((word) => statusPrecipitation(word) !== false)).toEqual([]);
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

  it('says the same each time, and something else with another seed', () => {
    const [same, other] = [createSimulatedSky('rainbell'), createSimulatedSky('other')];
    let differences = 0;
    for (const { place, instant } of samples(200)) {
      expect(same(place, instant)).toEqual(sky(place, instant));
      if (other(place, instant).windFromDegrees !== sky(place, instant).windFromDegrees) differences += 1;
    }
    expect(differences).toBeGreaterThan(150);
  });

  it('has a dew point near that of the Magnus formula (WMO-No. 8, annex 4.B), and pressures within the records', () => {
    for (const { place, instant } of samples(5_000)) {
      const { temperatureKelvin, humidityPercent, dewPointKelvin, pressureHectopascal } = sky(place, instant);
      const celsius = temperatureKelvin - 273.15;
      expect(pressureHectopascal).toBeGreaterThan(870);
      expect(pressureHectopascal).toBeLessThan(1085);
      if (humidityPercent < 50 || celsius < -30 || celsius > 40) continue;
      const gamma = Math.log(humidityPercent / 100) + (17.62 * celsius) / (243.12 + celsius);
      const dewPoint = (243.12 * gamma) / (17.62 - gamma) + 273.15;
      expect(Math.abs(dewPointKelvin - dewPoint)).toBeLessThan(3);
    }
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
