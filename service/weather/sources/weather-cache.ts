// Keeps what providers said, per provider and cell: in memory within a bound, where the cell that was not asked for longest goes
// first, and behind it in a store that survives a restart.
import { LRUCache } from 'lru-cache';
import type { Clock } from '#shared/time/clock.ts';
import type { LatLng } from '#contract/service-api/geo.ts';
import { cellOf } from '#service/weather/reading/cells.ts';
import type { CellWeather } from '#service/weather/reading/reading.ts';
import type { WeatherStore } from './weather-store.ts';

/** `isFresh`: no new request is due yet. Otherwise it may still be shown, with its own times. */
export type KeptWeather = { weather: CellWeather; isFresh: boolean };

export type WeatherCache = {
  keep(provider: string, cell: LatLng, weather: CellWeather): void;
  /** Undefined where nothing is kept, or nothing that is honest to show. */
  find(provider: string, cell: LatLng): Promise<KeptWeather | undefined>;
  /** The same from memory alone. */
  peek(provider: string, cell: LatLng): KeptWeather | undefined;
  cells(): number;
};

const honestForMs = 6 * 3_600_000;
const mostCells = 5_000;
const usuallyFreshForMs = 15 * 60_000;

/** When the provider is to be asked again. */
export function freshUntil(weather: CellWeather): number {
  return weather.freshUntil ?? weather.fetchedAt + usuallyFreshForMs;
}

type Dependencies = { clock: Clock; store: Pick<WeatherStore, 'load' | 'save'> };

export function createWeatherCache({ clock, store }: Dependencies): WeatherCache {
  const kept = new LRUCache<string, CellWeather>({ max: mostCells });

  function peek(provider: string, cell: LatLng): KeptWeather | undefined {
    const weather = kept.get(`${provider} ${cellOf(cell)}`);
    const now = clock.now();
    // The sandbox's clock can be set back: data from the future is neither fresh nor, if far ahead, honest.
    if (weather === undefined || Math.abs(now - weather.fetchedAt) >= honestForMs) return undefined;
    return { weather, isFresh: now >= weather.fetchedAt && now < freshUntil(weather) };
  }

  return {
    keep(provider, cell, weather) {
      const cellKey = cellOf(cell);
      kept.set(`${provider} ${cellKey}`, weather);
      store.save(provider, cellKey, weather);
    },
    async find(provider, cell) {
      const cellKey = cellOf(cell);
      const key = `${provider} ${cellKey}`;
      if (peek(provider, cell)?.isFresh !== true) {
        // After a restart it is there, and on a shared database another process may have asked already.
        const stored = await store.load(provider, cellKey);
        if (stored && stored.fetchedAt > (kept.get(key)?.fetchedAt ?? 0)) kept.set(key, stored);
      }
      return peek(provider, cell);
    },
    peek,
    cells: () => kept.size,
  };
}
