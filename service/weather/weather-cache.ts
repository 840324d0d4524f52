// Keeps what providers said, per provider and cell, within a bound; the cell that was not asked for longest goes first.
import { LRUCache } from 'lru-cache';
import type { Clock } from '#contract/clock.ts';
import type { LatLng } from '#contract/geo.ts';
import { cellOf } from './cells.ts';
import type { CellWeather } from './reading.ts';

export type WeatherCache = {
  keep(provider: string, cell: LatLng, weather: CellWeather): void;
  /** Data that needs no new request yet. Counts as a hit or a miss. */
  fresh(provider: string, cell: LatLng): CellWeather | undefined;
  /** Data that may still be shown, with its own times, when the provider is gone. */
  honest(provider: string, cell: LatLng): CellWeather | undefined;
  statistics(): { hits: number; misses: number; cells: number };
};

const freshForMs = 15 * 60_000;
const honestForMs = 6 * 3_600_000;
const mostCells = 5_000;

export function createWeatherCache({ clock }: { clock: Clock }): WeatherCache {
  const kept = new LRUCache<string, CellWeather>({ max: mostCells });
  let hits = 0;
  let misses = 0;
  const youngerThan = (provider: string, cell: LatLng, limitMs: number) => {
    const weather = kept.get(`${provider} ${cellOf(cell)}`);
    // The sandbox's clock can be set back: data from the future is not fresh either.
    return weather && Math.abs(clock.now() - weather.fetchedAt) < limitMs ? weather : undefined;
  };
  return {
    keep(provider, cell, weather) {
      kept.set(`${provider} ${cellOf(cell)}`, weather);
    },
    fresh(provider, cell) {
      const weather = youngerThan(provider, cell, freshForMs);
      if (weather) hits += 1;
      else misses += 1;
      return weather;
    },
    honest: (provider, cell) => youngerThan(provider, cell, honestForMs),
    statistics: () => ({ hits, misses, cells: kept.size }),
  };
}
