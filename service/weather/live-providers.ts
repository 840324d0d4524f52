// Asks live providers in their order: one request per cell and provider at a time, none to a provider that rests, and the next
// one where the first takes long. What arrives is kept.
import type { LatLng } from '#contract/geo.ts';
import { cellOf } from './cells.ts';
import type { ProviderHealth } from './provider-health.ts';
import { type CellWeather, type Provider, ProviderFailure } from './reading.ts';
import type { WeatherCache } from './weather-cache.ts';

export type LiveProviders = {
  /** What the first of these providers that has news says. Throws a ProviderFailure where none does. */
  ask(providers: readonly Provider[], cell: LatLng): Promise<CellWeather>;
  /** What these said last, of the first that said anything which is still honest to show. */
  recall(providers: readonly Provider[], cell: LatLng): Promise<CellWeather | undefined>;
};

type Needs = {
  cache: WeatherCache;
  health: ProviderHealth;
  /** How long a provider has, in real milliseconds, before the next one is asked as well. */
  headStartMs: number;
};

export function createLiveProviders({ cache, health, headStartMs }: Needs): LiveProviders {
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
    try {
      const weather = await provider.fetch(cell, new AbortController().signal, known);
      health.answered(provider.name);
      cache.keep(provider.name, cell, weather);
      return weather;
    } catch (error) {
      health.failed(provider.name, error);
      throw error;
    }
  }

  return {
    async ask(providers, cell) {
      const asked: Promise<CellWeather>[] = [];
      for (const provider of providers) {
        const kept = await cache.find(provider.name, cell);
        if (kept?.isFresh) return kept.weather;
        if (health.restsUntil(provider.name) !== undefined) continue;
        const request = fetchOnce(provider, cell, kept?.weather);
        const early = await within(headStartMs, request);
        if (early) return early;
        asked.push(request);
      }
      return Promise.any(asked).catch((error: AggregateError) => {
        throw error.errors.at(-1) ?? new ProviderFailure('none', 'no provider may be asked now');
      });
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

/** The result, or undefined when it failed or takes longer, in real milliseconds; a late result still reaches the cache. */
export async function within<Result>(patienceMs: number, work: Promise<Result>): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, patienceMs, undefined);
  });
  try {
    return await Promise.race([work.catch(() => undefined), tooLong]);
  } finally {
    clearTimeout(timer);
  }
}
