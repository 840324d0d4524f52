// A store of weather in memory, by the name of the provider and the cell.
import type { StoredReading } from '#service/weather/stored/weather-store.ts';

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
  return { store: { load, loadMany, save, close: async () => {} }, stored };
}
