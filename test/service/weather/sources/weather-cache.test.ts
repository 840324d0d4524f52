// How long a cell's weather is fresh and usable, and what comes from the store that survives restarts.
import { describe, expect, it } from 'vitest';
import type { CellWeather } from '#service/weather/reading/reading.ts';
import { createWeatherCache } from '#service/weather/sources/weather-cache.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { memoryWeatherStore } from '#test/service/weather/memory-weather-store.ts';

const now = Date.parse('2026-11-21T06:00:00Z');
const minute = 60_000;
const hour = 60 * minute;
const cell = { lat: 45.1, lng: 7.7 };
const key = 'met 45.1,7.7';

const weather = (fetchedAt = now, changes: Partial<CellWeather> = {}): CellWeather => ({
  source: 'met',
  grid: cell,
  fetchedAt,
  steps: [],
  rainfall: [],
  ...changes,
});

function start({ maxCells = 10 } = {}) {
  const clock = createManualClock(now);
  const queries: string[] = [];
  const { store, stored } = memoryWeatherStore({ onLoad: (wanted) => void queries.push(wanted) });
  return { clock, cache: createWeatherCache({ clock, maxCells, store }), stored, queries };
}

describe('weather', () => {
  it.each([
    ['for 15 minutes', {}, 15 * minute],
    ['until its provider says', { freshUntil: now + hour }, hour],
  ])('is fresh %s, and usable for six hours', async (_name, changes, freshMs) => {
    const { clock, cache } = start();
    await cache.store('met', cell, weather(now, changes));
    const isFreshAfter = (ms: number) => {
      clock.jump(now + ms - clock.now());
      return cache.peek('met', cell)?.isFresh;
    };
    const moments = [0, freshMs - 1, freshMs, 6 * hour - 1, 6 * hour];
    expect(moments.map(isFreshAfter)).toEqual([true, true, false, false, undefined]);
    // The clock was set back.
    expect([-1, 1 - 6 * hour, -6 * hour].map(isFreshAfter)).toEqual([false, false, undefined]);
  });

  it('belongs to its provider and cell, and the cells are bounded', async () => {
    const { cache } = start({ maxCells: 2 });
    await cache.store('met', cell, weather());
    expect(cache.peek('other', cell)).toBeUndefined();
    expect(cache.peek('met', { lat: 45.1, lng: 7.8 })).toBeUndefined();
    expect(cache.peek('met', { lat: 45.14, lng: 7.66 })).toBeDefined();
    for (const lng of [1, 2]) await cache.store('met', { lat: 0, lng }, weather());
    expect([cache.cells(), cache.peek('met', cell)]).toEqual([2, undefined]);
  });
});

describe('stored weather', () => {
  it('is read if nothing fresh is known, and used if it is newer', async () => {
    const { cache, stored, clock, queries } = start();
    expect(await cache.find('met', cell)).toBeUndefined();
    stored.set(key, weather());
    expect(await cache.find('met', cell)).toEqual({ weather: weather(), isFresh: true, ageMs: 0 });
    clock.advance(20 * minute);
    for (const [fetchedAt, source, expected] of [
      [now - 1, 'older', 'met'],
      [now, 'same age', 'met'],
      [now + 20 * minute, 'newer', 'newer'],
    ] as const) {
      stored.set(key, weather(fetchedAt, { source }));
      expect((await cache.find('met', cell))?.weather.source).toBe(expected);
    }
    await cache.find('met', cell);
    expect(queries).toHaveLength(5);
  });

  it('of many cells is read at once, for those without fresh data', async () => {
    const { cache, stored, queries } = start();
    const other = { lat: 45.1, lng: 8 };
    await cache.store('met', cell, weather());
    expect([...stored]).toEqual([[key, weather()]]);
    stored.set('met 45.1,8.0', weather());
    await cache.load('met', [cell, other, { lat: 0, lng: 0 }]);
    expect(queries).toEqual(['met 45.1,8.0', 'met 0.0,0.0']);
    expect(cache.peek('met', other)?.isFresh).toBe(true);
  });
});
