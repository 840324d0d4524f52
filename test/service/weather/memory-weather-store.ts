// A store of weather in memory, by the name of the provider and the cell, and claims that no other process has.
import type { LookupClaims } from '#service/weather/stored/shared-lookups.ts';
import type { StoredReading, StoredWeather } from '#service/weather/stored/weather-store.ts';

export const noOthersClaims: LookupClaims = {
  claim: async (_provider, cells) => new Set(cells),
  release: async () => {},
};

export function memoryWeatherStore({ onLoad }: { onLoad?: (key: string) => void } = {}) {
  const stored = new Map<string, StoredReading>();
  async function load<Reading extends StoredReading>(name: string, cell: string): Promise<Reading | undefined> {
    onLoad?.(`${name} ${cell}`);
    return stored.get(`${name} ${cell}`) as Reading | undefined;
  }
  async function loadMany<Reading extends StoredReading>(name: string, cells: readonly string[]) {
    const found = new Map<string, Reading>();
    for (const cell of cells) {
      const reading = await load<Reading>(name, cell);
      if (reading) found.set(cell, reading);
    }
    return found;
  }
  async function save(name: string, cell: string, reading: StoredReading): Promise<void> {
    stored.set(`${name} ${cell}`, reading);
  }
  return { store: { load, loadMany, save }, stored };
}

/** What a process alone has. */
export function memoryStoredWeather(): StoredWeather {
  const { store } = memoryWeatherStore();
  return { store: { ...store, close: async () => {} }, claims: noOthersClaims, isShared: false };
}
