// The simulation must be believable and the same everywhere: a developer shows it to others.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { statuses, statusPrecipitation } from '#contract/service-api/vocabulary.ts';
import { createSimulatedSky } from '#service/weather/simulation/simulated-weather.ts';
import { createSimulation } from '#service/weather/simulation/simulation.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

const start = Date.parse('2026-11-21T06:00:00Z');
const hourMs = 3_600_000;
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

  it('has a dew point near that of the Magnus formula (WMO-No. 8, annex 4.B), and pressures within the records', () => {
    const odd = sampled.filter(({ weather }) => {
      const { temperatureKelvin, humidityPercent, dewPointKelvin, pressureHectopascal } = weather;
      if (pressureHectopascal <= 870 || pressureHectopascal >= 1085) return true;
      const celsius = temperatureKelvin - 273.15;
      if (humidityPercent < 50 || celsius < -30 || celsius > 40) return false;
      const gamma = Math.log(humidityPercent / 100) + (17.62 * celsius) / (243.12 + celsius);
      const dewPoint = (243.12 * gamma) / (17.62 - gamma) + 273.15;
      return Math.abs(dewPointKelvin - dewPoint) >= 3;
    });
    expect(odd).toEqual([]);
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
