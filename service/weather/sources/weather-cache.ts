// Stores provider responses by provider and cell: in bounded memory, which evicts the least recently used cell, and in a store that
// survives restarts.
import { createCache } from '../../cache/create-cache.ts';
import type { Clock } from '@rainbell/shared';
import type { LatLng } from '@rainbell/contract/service-api';
import { cellOf } from '../reading/cells.ts';
import type { CellWeather } from '../reading/reading.ts';
import type { WeatherStore } from '../stored/weather-store.ts';

/** `isFresh`: no new request is due yet. Otherwise it may still be shown, with its own times. */
export type CachedWeather = { weather: CellWeather; isFresh: boolean; ageMs: number };

export type WeatherCache = ReturnType<typeof createWeatherCache>;

const honestForMs = 6 * 3_600_000;
const usuallyFreshForMs = 15 * 60_000;

export function freshUntil(weather: CellWeather): number {
  return weather.freshUntil ?? weather.fetchedAt + usuallyFreshForMs;
}

type Dependencies = { clock: Clock; store: Pick<WeatherStore, 'loadMany' | 'save'>; maxCells: number };

export function createWeatherCache({ clock, store, maxCells }: Dependencies) {
  const kept = createCache<string, CellWeather>(maxCells);

  function peek(provider: string, cell: LatLng): CachedWeather | undefined {
    const weather = kept.get(`${provider} ${cellOf(cell)}`);
    const now = clock.now();
    // The sandbox's clock can be set back: data from the future is not fresh and, if far ahead, not usable.
    if (weather === undefined || Math.abs(now - weather.fetchedAt) >= honestForMs) return undefined;
    const ageMs = now - weather.fetchedAt;
    return { weather, isFresh: ageMs >= 0 && now < freshUntil(weather), ageMs };
  }

  /** Survives a restart, and on a shared database another process may have fetched it already. */
  async function load(provider: string, cells: readonly LatLng[]): Promise<void> {
    const keys = cells.filter((cell) => peek(provider, cell)?.isFresh !== true).map((cell) => cellOf(cell));
    if (keys.length === 0) return;
    for (const [cellKey, stored] of await store.loadMany<CellWeather>(provider, keys)) {
      const key = `${provider} ${cellKey}`;
      if (stored.fetchedAt > (kept.get(key)?.fetchedAt ?? 0)) kept.set(key, stored);
    }
  }

  return {
    /** Resolves when other processes can find it; the caller doesn't have to wait. */
    store(provider: string, cell: LatLng, weather: CellWeather) {
      const cellKey = cellOf(cell);
      kept.set(`${provider} ${cellKey}`, weather);
      return store.save(provider, cellKey, weather);
    },
    /** Loads these cells' stored data in one query, so that `peek` finds it. */
    load,
    /** Returns undefined if nothing usable is stored. */
    async find(provider: string, cell: LatLng): Promise<CachedWeather | undefined> {
      await load(provider, [cell]);
      return peek(provider, cell);
    },
    /** Returns what `find` would, from memory only. */
    peek,
    cells: () => kept.size,
  };
}
