// Which provider answers for a cell. `auto` asks the live ones in their order for a short time, then takes the last good data
// while it is honest, then the simulation; a chosen provider answers alone. One request per cell and provider at a time.
import type { Logger } from 'pino';
import type { Clock } from '#contract/clock.ts';
import type { LatLng } from '#contract/geo.ts';
import type { ProviderChoice, SandboxState } from '#contract/sandbox.ts';
import { formatInstant } from '#contract/timestamp.ts';
import { ServiceError } from '../http/service-error.ts';
import { cellOf } from './cells.ts';
import { type CellWeather, type Provider, ProviderFailure } from './reading.ts';
import { createRestingProviders } from './resting-providers.ts';
import { createWeatherCache } from './weather-cache.ts';

export type WeatherSource = {
  /** Throws a ServiceError (503) where the one provider that was chosen does not answer. */
  weatherOf(cell: LatLng): Promise<CellWeather>;
  choice(): ProviderChoice;
  choose(choice: ProviderChoice): void;
  describe(): Pick<SandboxState, 'provider' | 'cache'>;
};

type Needs = {
  clock: Clock;
  log: Logger;
  choice: ProviderChoice;
  live: readonly Provider[];
  simulation: Provider;
  /** How long `auto` waits for a live provider, in real milliseconds, before it answers without. */
  patienceMs?: number;
};

const errorsKept = 8;

export function createWeatherSource({
  clock,
  log,
  live,
  simulation,
  patienceMs = 850,
  ...needs
}: Needs): WeatherSource {
  const cache = createWeatherCache({ clock });
  const resting = createRestingProviders({ clock });
  const inFlight = new Map<string, Promise<CellWeather>>();
  let choice = needs.choice;
  let lastAnswered: string | null = null;
  let lastErrors: SandboxState['provider']['lastErrors'] = [];

  function fetchOnce(provider: Provider, cell: LatLng): Promise<CellWeather> {
    const key = `${provider.name} ${cellOf(cell)}`;
    const running = inFlight.get(key);
    if (running) return running;
    const started = fetchFrom(provider, cell).finally(() => inFlight.delete(key));
    inFlight.set(key, started);
    return started;
  }

  async function fetchFrom(provider: Provider, cell: LatLng): Promise<CellWeather> {
    try {
      const weather = await provider.fetch(cell, new AbortController().signal);
      resting.recovered(provider.name);
      cache.keep(provider.name, cell, weather);
      return weather;
    } catch (error) {
      const failure = error instanceof ProviderFailure ? error : undefined;
      const message = failure?.message ?? 'it failed';
      resting.failed(provider.name, failure?.retryAfterSeconds);
      lastErrors = [{ provider: provider.name, at: formatInstant(clock.now()), message }, ...lastErrors].slice(
        0,
        errorsKept,
      );
      log.warn({ provider: provider.name, reason: message, err: failure ? undefined : error }, 'a provider failed');
      throw error;
    }
  }

  async function fromLive(cell: LatLng): Promise<CellWeather> {
    let failure: unknown = new ProviderFailure('none', 'no live provider is available');
    for (const provider of live) {
      const kept = cache.fresh(provider.name, cell);
      if (kept) return kept;
      if (resting.isResting(provider.name)) continue;
      try {
        return await fetchOnce(provider, cell);
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  async function automatic(cell: LatLng): Promise<CellWeather> {
    const found = await withinPatience(fromLive(cell), patienceMs);
    if (found) return found;
    const stale = live.map((provider) => cache.honest(provider.name, cell)).find((kept) => kept !== undefined);
    return stale ?? simulation.fetch(cell, new AbortController().signal);
  }

  async function chosen(name: ProviderChoice, cell: LatLng): Promise<CellWeather> {
    const provider = live.find((candidate) => candidate.name === name);
    if (!provider) throw unavailable(`The provider ${name} is not set up on this service.`);
    const kept = cache.fresh(provider.name, cell);
    if (kept) return kept;
    try {
      return await fetchOnce(provider, cell);
    } catch (error) {
      const stale = cache.honest(provider.name, cell);
      if (stale) return stale;
      const reason = error instanceof ProviderFailure ? error.message : 'it failed';
      throw unavailable(`The weather provider ${name} does not answer: ${reason}. Try again later.`);
    }
  }

  return {
    async weatherOf(cell) {
      const weather = await (choice === 'auto'
        ? automatic(cell)
        : choice === 'simulation'
          ? simulation.fetch(cell, new AbortController().signal)
          : chosen(choice, cell));
      lastAnswered = weather.source;
      return weather;
    },
    choice: () => choice,
    choose(next) {
      choice = next;
    },
    describe: () => ({ provider: { choice, lastAnswered, lastErrors }, cache: cache.statistics() }),
  };
}

function unavailable(description: string): ServiceError {
  return new ServiceError('temporarily_unavailable', description, { headers: { 'retry-after': '60' } });
}

/** The result, or undefined when it failed or takes too long; a late result still reaches the cache. */
async function withinPatience<Result>(work: Promise<Result>, patienceMs: number): Promise<Result | undefined> {
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
