// The weather of a service without its HTTP and database: a clock, places, and reports that the test sets.
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import type { LatLng } from '#contract/service-api/geo.ts';
import { type Config, configWith } from '#service/config/config.ts';
import type { Metag } from '#service/metags/metag-store.ts';
import { createPrecipitationAt } from '#service/monitors/sweep/sweep.ts';
import { Weather } from '#service/weather/weather.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { memoryWeatherStore } from './memory-weather-store.ts';
import { nowhere } from './weather-harness.ts';

export const now = Date.parse('2026-11-21T06:00:10Z');

export async function openWeather(changes: Partial<Config> = {}) {
  const clock = createManualClock(now);
  const logged: string[] = [];
  const located: LatLng[] = [];
  const looked: [place: LatLng, radiusKm: number | undefined][] = [];
  const state = { isKnown: true, reports: async (): Promise<Metag[]> => [] };
  const weather = new Weather({
    config: configWith({
      provider: 'simulation',
      openMeteoUrl: nowhere,
      metNorwayUrl: nowhere,
      metarUrl: nowhere,
      simulatedRain: 'off',
      ...changes,
    }),
    clock,
    machineClock: clock,
    log: pino({ level: 'warn' }, { write: (line) => void logged.push(line) }),
    store: memoryWeatherStore().store,
    countPlaces: async () => 0,
    places: {
      async locate(place) {
        located.push(place);
        return { country: 'Italy', locality: `At ${place.lat}, ${place.lng}` };
      },
      isKnown: () => state.isKnown,
      close: async () => {},
    },
    metags: {
      reportsNear(place, radiusKm) {
        looked.push([place, radiusKm]);
        return state.reports();
      },
    },
  });
  onTestFinished(() => weather.observed.endRequests());
  const pointsAt = async (place: LatLng) => {
    const response = await weather.responseAt(place, 'http://rainbell.test');
    return (JSON.parse(String(response.ready('identity'))) as { objects: PointText[] }).objects;
  };
  const precipitationAt = createPrecipitationAt(weather, clock);
  return { clock, weather, precipitationAt, logged, located, looked, state, pointsAt };
}

type PointText = {
  timestamp: string;
  weather: { status: string };
  location?: { locality: string };
  icon: string;
  sources: string[];
};
