// Queries live providers in order: one request per cell and provider at a time, also across processes, none to a paused provider,
// and the next one in parallel if the first is slow. Stores every response. A refusal of one place touches no other.
import { type Clock, within } from '@rainbell/shared';
import type { LatLng } from '@rainbell/contract/service-api';
import { cellOf } from '../reading/cells.ts';
import type { ProviderHealth } from '../fetch/provider-health.ts';
import { type CellWeather, ProviderFailure } from '../reading/reading.ts';
import type { Provider } from '../providers/provider.ts';
import type { SharedLookups } from '../stored/shared-lookups.ts';
import type { CachedWeather, WeatherCache } from './weather-cache.ts';

type BatchProvider = Provider & { batch: NonNullable<Provider['batch']> };

export type RainyCells = Pick<ReadonlySet<string>, 'has' | 'size'>;

export type LiveDependencies = {
  machineClock: Clock;
  cache: WeatherCache;
  lookups: SharedLookups;
  health: ProviderHealth;
};

/** How long a provider has, by the machine's clock, before the next one is queried in parallel. */
const headStartMs = 300;

/** A refused batch is requested again in as many parts. */
const partsOfBatch = 10;

export function createLiveProviders({ machineClock, cache, lookups, health }: LiveDependencies) {
  const inFlight = new Map<string, Promise<CellWeather>>();

  type Ask = () => Promise<CellWeather>;

  function fetchOnce(provider: Provider, cell: LatLng, ask: Ask): Promise<CellWeather> {
    const key = `${provider.name} ${cellOf(cell)}`;
    const running = inFlight.get(key) ?? fetchFrom(provider, cell, ask).finally(() => inFlight.delete(key));
    inFlight.set(key, running);
    return running;
  }

  async function fetchFrom(provider: Provider, cell: LatLng, ask: Ask): Promise<CellWeather> {
    const others = await lookups.joinOthers(provider.name, cellOf(cell), async () => {
      const kept = await cache.find(provider.name, cell);
      return kept?.isFresh ? kept.weather : undefined;
    });
    if (others) return others;
    let stored = Promise.resolve();
    try {
      const weather = await ask();
      health.succeeded(provider.name, cellOf(cell));
      stored = cache.store(provider.name, cell, weather);
      return weather;
    } catch (error) {
      health.failed(provider.name, error, cellOf(cell));
      throw error;
    } finally {
      lookups.release(provider.name, [cellOf(cell)], stored);
    }
  }

  /** Sends one request, or a few, for the cells that are due, oldest first. Failures count as usual. */
  async function fetchMany(provider: BatchProvider, cells: readonly LatLng[], rainy: RainyCells): Promise<void> {
    const { name, quota, batch } = provider;
    await cache.load(name, cells);
    const intervals = await quota?.intervalsMs(rainy.size);
    const wanted = cells.flatMap((cell) => {
      const key = cellOf(cell);
      const kept = cache.peek(name, cell);
      const interval = rainy.has(key) ? intervals?.rainy : intervals?.dry;
      if (isCurrent(kept, interval) || inFlight.has(`${name} ${key}`) || health.refuses(name, key)) return [];
      return [{ cell, fetchedAt: kept?.weather.fetchedAt ?? 0 }];
    });
    const due = wanted.toSorted((one, other) => one.fetchedAt - other.fetchedAt).map(({ cell }) => cell);
    const asked = due.slice(0, due.length === 0 ? 0 : await quota?.allowed());
    for (let start = 0; start < asked.length && health.restMs(name) === 0; start += batch.size) {
      await fetchParts(provider, asked.slice(start, start + batch.size));
    }
  }

  /** Finds the part with the refused cell; the cells of that part are requested one by one when they are checked. */
  async function fetchParts(provider: BatchProvider, cells: readonly LatLng[]): Promise<void> {
    if (await fetchBatch(provider, cells)) return;
    const size = Math.ceil(cells.length / partsOfBatch);
    for (let start = 0; start < cells.length && cells.length > 1 && health.restMs(provider.name) === 0; start += size) {
      await fetchBatch(provider, cells.slice(start, start + size));
    }
  }

  /** Returns false if the provider refused the batch, which may be due to one of its cells. */
  async function fetchBatch(provider: BatchProvider, cells: readonly LatLng[]): Promise<boolean> {
    const own = await lookups.claim(
      provider.name,
      cells.map((cell) => cellOf(cell)),
    );
    const asked = cells.filter((cell) => own.has(cellOf(cell)));
    if (asked.length === 0) return true;
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
      return true;
    } catch (error) {
      const isRefusal = error instanceof ProviderFailure && error.isOfRequest;
      const only = asked.length === 1 ? asked[0] : undefined;
      if (!isRefusal || only) health.failed(provider.name, error, only && cellOf(only));
      return !isRefusal;
    } finally {
      lookups.release(provider.name, [...own], stored);
    }
  }

  return {
    /** Returns the result of the first of these providers with news. Throws a ProviderFailure if none has any. */
    async fetch(providers: readonly Provider[], cell: LatLng, isWatched = false): Promise<CellWeather> {
      const asked: Promise<CellWeather>[] = [];
      for (const provider of providers) {
        const kept = await cache.find(provider.name, cell);
        if (kept?.isFresh) return kept.weather;
        const intervals = isWatched ? await provider.quota?.intervalsMs(0) : undefined;
        if (kept && isCurrent(kept, intervals?.dry)) return kept.weather;
        if (health.restMs(provider.name, cellOf(cell)) > 0) continue;
        const request = fetchOnce(provider, cell, () => provider.fetch(cell, kept?.weather, isWatched));
        const early = await within(machineClock, headStartMs, request);
        if (early) return early;
        asked.push(request);
      }
      return Promise.any(asked).catch((error: AggregateError) => {
        throw error.errors.at(-1) ?? new ProviderFailure('none', 'no provider is accepting requests at the moment');
      });
    },
    /** Requests all that are due at once, if the first available provider can; leaves failures to `fetch`. `rainy`: by key. */
    async prepare(providers: readonly Provider[], cells: readonly LatLng[], rainy: RainyCells = new Set()) {
      const provider = providers.find(({ name }) => health.restMs(name) === 0);
      if (provider?.batch) await fetchMany({ ...provider, batch: provider.batch }, cells, rainy);
    },
    /** Returns the first of these providers' last data that is not too old to show. */
    async recall(providers: readonly Provider[], cell: LatLng): Promise<CellWeather | undefined> {
      for (const provider of providers) {
        const kept = await cache.find(provider.name, cell);
        if (kept) return kept.weather;
      }
      return undefined;
    },
  };
}

/** With a quota, data is current for its interval, whether or not clients get it. An age below 0: the clock was set back since. */
function isCurrent(kept: CachedWeather | undefined, intervalMs: number | undefined): boolean {
  if (intervalMs === undefined) return kept?.isFresh === true;
  return kept !== undefined && kept.ageMs >= 0 && kept.ageMs < intervalMs;
}
