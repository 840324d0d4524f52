// How long a cell's weather is fresh and usable, and what comes from the store that survives restarts.
import { describe, expect, it } from 'vitest';
import type { CellWeather } from '#service/weather/reading/reading.ts';
import { createWeatherCache, freshUntil } from '#service/weather/sources/weather-cache.ts';
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
  const { store, stored } = memoryWeatherStore({ onLoad: (key) => void queries.push(key) });
  const cache = createWeatherCache({ clock, maxCells, store });
  return { clock, cache, stored, queries };
}

describe('weather', () => {
  it('is fresh until its provider says, otherwise for 15 minutes', () => {
    expect(freshUntil(weather())).toBe(now + 15 * minute);
    expect(freshUntil(weather(now, { freshUntil: now + hour }))).toBe(now + hour);
  });

  it('is usable for six hours', async () => {
    const { clock, cache } = start();
    await cache.store('met', cell, weather());
    expect(cache.peek('met', cell)).toEqual({ weather: weather(), isFresh: true, ageMs: 0 });
    clock.advance(15 * minute - 1);
    expect(cache.peek('met', cell)?.isFresh).toBe(true);
    clock.advance(1);
    expect(cache.peek('met', cell)).toEqual({ weather: weather(), isFresh: false, ageMs: 15 * minute });
    clock.advance(6 * hour - 15 * minute - 1);
    expect(cache.peek('met', cell)?.isFresh).toBe(false);
    clock.advance(1);
    expect(cache.peek('met', cell)).toBeUndefined();
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
  it('is written with each change, and not read while that is fresh', async () => {
    const { cache, stored, queries } = start();
    await cache.store('met', cell, weather());
    expect([...stored]).toEqual([[key, weather()]]);
    expect((await cache.find('met', cell))?.isFresh).toBe(true);
    await cache.load('met', [cell]);
    expect(queries).toEqual([]);
  });

  it('is read if nothing is known, or nothing fresh, and used if it is newer', async () => {
    const { cache, stored, clock, queries } = start();
    expect(await cache.find('met', cell)).toBeUndefined();
    stored.set(key, weather());
    expect(await cache.find('met', cell)).toEqual({ weather: weather(), isFresh: true, ageMs: 0 });
    clock.advance(20 * minute);
    stored.set(key, weather(now - 1, { source: 'older' }));
    expect((await cache.find('met', cell))?.weather.source).toBe('met');
    stored.set(key, weather(now, { source: 'same age' }));
    expect((await cache.find('met', cell))?.weather.source).toBe('met');
    stored.set(key, weather(now + 20 * minute, { source: 'newer' }));
    expect(await cache.find('met', cell)).toMatchObject({ weather: { source: 'newer' }, isFresh: true });
    expect(queries).toHaveLength(5);
  });

  it('of many cells is read at once, for those without fresh data', async () => {
    const { cache, stored, queries } = start();
    const other = { lat: 45.1, lng: 8 };
    await cache.store('met', cell, weather());
    stored.set('met 45.1,8.0', weather());
    await cache.load('met', [cell, other, { lat: 0, lng: 0 }]);
    expect(queries).toEqual(['met 45.1,8.0', 'met 0.0,0.0']);
    expect(cache.peek('met', other)?.isFresh).toBe(true);
    expect(cache.peek('met', { lat: 0, lng: 0 })).toBeUndefined();
  });
});
