// Queries live providers in order: one request per cell and provider at a time, also across processes, none to a paused provider,
// and the next one in parallel if the first is slow. Stores every response.
import type { Clock } from '#shared/time/clock.ts';
import type { LatLng } from '#contract/service-api/geo.ts';
import { within } from '#shared/time/within.ts';
import { cellOf } from '#service/weather/reading/cells.ts';
import type { ProviderHealth } from '#service/weather/fetch/provider-health.ts';
import { type CellWeather, type Provider, ProviderFailure } from '#service/weather/reading/reading.ts';
import type { SharedLookups } from '#service/weather/stored/shared-lookups.ts';
import type { WeatherCache } from './weather-cache.ts';

type BatchProvider = Provider & { batch: NonNullable<Provider['batch']> };

export type LiveProviders = {
  /** Returns the result of the first of these providers with news. Throws a ProviderFailure if none has any. */
  fetch(providers: readonly Provider[], cell: LatLng): Promise<CellWeather>;
  /** Requests all of these at once from the first available provider, if it supports that; leaves failures to `ask`. */
  prepare(providers: readonly Provider[], cells: readonly LatLng[]): Promise<void>;
  /** Returns the first of these providers' last data that is not too old to show. */
  recall(providers: readonly Provider[], cell: LatLng): Promise<CellWeather | undefined>;
};

type Dependencies = {
  machineClock: Clock;
  cache: WeatherCache;
  lookups: SharedLookups;
  health: ProviderHealth;
  /** How long a provider has, by the machine's clock, before the next one is queried in parallel. */
  headStartMs: number;
};

export function createLiveProviders({
  machineClock,
  cache,
  lookups,
  health,
  headStartMs,
}: Dependencies): LiveProviders {
  const inFlight = new Map<string, Promise<CellWeather>>();

  function fetchOnce(provider: Provider, cell: LatLng, known: CellWeather | undefined): Promise<CellWeather> {
    const key = `${provider.name} ${cellOf(cell)}`;
    const running = inFlight.get(key);
    if (running) return running;
    const started = fetchFrom(provider, cell, known).finally(() => inFlight.delete(key));
    inFlight.set(key, started);
    return started;
  }

  async function fetchFrom(provider: Provider, cell: LatLng, known: CellWeather | undefined): Promise<CellWeather> {
    const others = await lookups.joinOthers(provider.name, cellOf(cell), async () => {
      const kept = await cache.find(provider.name, cell);
      return kept?.isFresh ? kept.weather : undefined;
    });
    if (others) return others;
    let stored = Promise.resolve();
    try {
      const weather = await provider.fetch(cell, known);
      health.succeeded(provider.name);
      stored = cache.store(provider.name, cell, weather);
      return weather;
    } catch (error) {
      health.failed(provider.name, error);
      throw error;
    } finally {
      lookups.release(provider.name, [cellOf(cell)], stored);
    }
  }

  /** Sends one request, or a few, for the cells without fresh data. Failures count as usual. */
  async function fetchMany(provider: BatchProvider, cells: readonly LatLng[]): Promise<void> {
    await cache.load(provider.name, cells);
    const due = cells.filter((cell) => {
      const isInFlight = inFlight.has(`${provider.name} ${cellOf(cell)}`);
      return !isInFlight && cache.peek(provider.name, cell)?.isFresh !== true;
    });
    for (let start = 0; start < due.length && health.restMs(provider.name) === 0; start += provider.batch.size) {
      await fetchBatch(provider, due.slice(start, start + provider.batch.size));
    }
  }

  async function fetchBatch(provider: BatchProvider, cells: readonly LatLng[]): Promise<void> {
    const own = await lookups.claim(
      provider.name,
      cells.map((cell) => cellOf(cell)),
    );
    const asked = cells.filter((cell) => own.has(cellOf(cell)));
    if (asked.length === 0) return;
    let stored: Promise<unknown> = Promise.resolve();
    try {
      const readings = await provider.batch.fetch(asked);
      health.succeeded(provider.name);
      stored = Promise.all(
        asked.map(async (cell, index) => {
          const weather = readings[index];
          if (weather) await cache.store(provider.name, cell, weather);
        }),
      );
    } catch (error) {
      health.failed(provider.name, error);
    } finally {
      lookups.release(provider.name, [...own], stored);
    }
  }

  return {
    async fetch(providers, cell) {
      const asked: Promise<CellWeather>[] = [];
      for (const provider of providers) {
        const kept = await cache.find(provider.name, cell);
        if (kept?.isFresh) return kept.weather;
        if (health.restMs(provider.name) > 0) continue;
        const request = fetchOnce(provider, cell, kept?.weather);
        const early = await within(machineClock, headStartMs, request);
        if (early) return early;
        asked.push(request);
      }
      return Promise.any(asked).catch((error: AggregateError) => {
        throw error.errors.at(-1) ?? new ProviderFailure('none', 'no provider is accepting requests at the moment');
      });
    },
    async prepare(providers, cells) {
      const provider = providers.find(({ name }) => health.restMs(name) === 0);
      if (provider?.batch) await fetchMany({ ...provider, batch: provider.batch }, cells);
    },
    async recall(providers, cell) {
      for (const provider of providers) {
        const kept = await cache.find(provider.name, cell);
        if (kept) return kept.weather;
      }
      return undefined;
    },
  };
}
