// Asks live providers in their order: one request per cell and provider at a time, none to a provider that rests, and the next
// one where the first takes long. What arrives is kept.
import type { Clock } from '#shared/time/clock.ts';
import type { LatLng } from '#contract/service-api/geo.ts';
import { within } from '#shared/time/within.ts';
import { cellOf } from '#service/weather/reading/cells.ts';
import type { ProviderHealth } from '#service/weather/fetch/provider-health.ts';
import { type CellWeather, type Provider, ProviderFailure } from '#service/weather/reading/reading.ts';
import type { WeatherCache } from './weather-cache.ts';

export type LiveProviders = {
  /** What the first of these providers that has news says. Throws a ProviderFailure where none does. */
  ask(providers: readonly Provider[], cell: LatLng): Promise<CellWeather>;
  /** What these said last, of the first that said anything which is still honest to show. */
  recall(providers: readonly Provider[], cell: LatLng): Promise<CellWeather | undefined>;
};

type Dependencies = {
  machineClock: Clock;
  cache: WeatherCache;
  health: ProviderHealth;
  /** How long a provider has, by the machine's clock, before the next one is asked as well. */
  headStartMs: number;
};

export function createLiveProviders({ machineClock, cache, health, headStartMs }: Dependencies): LiveProviders {
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
      const weather = await provider.fetch(cell, known);
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
        if (health.restMs(provider.name) > 0) continue;
        const request = fetchOnce(provider, cell, kept?.weather);
        const early = await within(machineClock, headStartMs, request);
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
