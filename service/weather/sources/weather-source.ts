// Selects a cell's provider. `auto` briefly tries the live ones in order, then the last good data while it is recent enough, then
// the simulation; a chosen provider is the only one used.
import { within } from '@rainbell/shared';
import type { LatLng, ProviderChoice } from '@rainbell/contract/service-api';
import { ServiceError } from '../../errors/service-error.ts';
import { createLiveProviders, type LiveDependencies, type RainyCells } from './live-providers.ts';
import { cellOf } from '../reading/cells.ts';
import { type CellWeather, QuotaUsedUp } from '../reading/reading.ts';
import type { Provider } from '../providers/provider.ts';

/** All available live providers fail; `restMs` until one is queried again; 0: at the next check. */
export type ProviderPause = { since: number; reason: string; restMs: number };

export type WeatherSource = ReturnType<typeof createWeatherSource>;

/** `machineClock` measures how long a client waits: real time, even if a test or the sandbox moves the clock. */
type Dependencies = LiveDependencies & {
  choice: ProviderChoice;
  live: readonly Provider[];
  simulation: Provider;
  /** What an unconfigured provider would need, as a sentence. */
  missing: Readonly<Partial<Record<string, string | undefined>>>;
};

/** How long a client waits for live weather: with older data available, without, and without any alternative. */
const timeoutMs = { withOlderData: 250, withoutData: 750, ofChosen: 4_000 };

export function createWeatherSource({
  machineClock,
  cache,
  lookups,
  health,
  live,
  simulation,
  missing,
  ...needs
}: Dependencies) {
  const providers = createLiveProviders({ machineClock, cache, lookups, health });
  let choice = needs.choice;
  let lastAnswered: string | null = null;
  const statistics = { hits: 0, misses: 0 };

  const available = () => live.filter(({ name }) => choice === 'auto' || choice === name);

  /** Returns older data at once if a provider is slow; its response arrives in the background for the next request. */
  async function latest(older: CellWeather, request: Promise<CellWeather>): Promise<CellWeather> {
    return (await within(machineClock, timeoutMs.withOlderData, request)) ?? { ...older, isStored: true };
  }

  async function automatic(cell: LatLng, isWatched: boolean): Promise<CellWeather> {
    const older = await providers.recall(live, cell);
    const request = providers.fetch(live, cell, isWatched);
    if (older) return latest(older, request);
    const found = await within(machineClock, timeoutMs.withoutData, request);
    // Without its precipitation, which must not fire monitors.
    return found ?? { ...(await simulation.fetch(cell)), isFallback: true, rainfall: [] };
  }

  async function chosen(name: ProviderChoice, cell: LatLng, isWatched: boolean): Promise<CellWeather> {
    const provider = live.find((candidate) => candidate.name === name);
    if (!provider) throw unavailable(`The weather provider ${name} is not set up here. ${missing[name] ?? ''}`.trim());
    const older = await providers.recall([provider], cell);
    const request = providers.fetch([provider], cell, isWatched);
    if (older) return latest(older, request);
    const found = await within(
      machineClock,
      timeoutMs.ofChosen,
      request.catch((error: Error) => error),
    );
    if (found && !(found instanceof Error)) return found;
    const last = health.lastErrors().find((entry) => entry.provider === name)?.message;
    const reason = found instanceof QuotaUsedUp ? found.message : found && last;
    throw unavailable(
      `The weather provider ${name} failed: ${reason ?? 'the request timed out'}. Try again later.`,
      health.restMs(name, cellOf(cell)),
    );
  }

  function count(cell: LatLng): void {
    const isHit = live.some((provider) => cache.peek(provider.name, cell)?.isFresh === true);
    statistics[isHit ? 'hits' : 'misses'] += 1;
  }

  return {
    /** Throws a ServiceError (503) if the only configured provider does not respond. */
    async weatherOf(cell: LatLng, isWatched = false): Promise<CellWeather> {
      if (choice !== 'simulation') count(cell);
      const weather = await (choice === 'auto'
        ? automatic(cell, isWatched)
        : choice === 'simulation'
          ? simulation.fetch(cell)
          : chosen(choice, cell, isWatched));
      lastAnswered = weather.source;
      return weather;
    },
    /** Returns the live providers that may be queried, in order. */
    available,
    /** Requests many cells together, so that `weatherOf` finds them; never throws. */
    prepare: (cells: readonly LatLng[], rainy?: RainyCells) => providers.prepare(available(), cells, rainy),
    choice: () => choice,
    choose(next: ProviderChoice) {
      choice = next;
    },
    /** Returns why no live provider is queried; undefined if one responds, or none is configured. */
    pause(): ProviderPause | undefined {
      const asked = available();
      const failing = asked.flatMap(({ name }) => health.failing(name) ?? []);
      const [first] = failing;
      if (first === undefined || failing.length < asked.length) return undefined;
      return {
        since: Math.max(...failing.map(({ since }) => since)),
        reason: first.reason,
        restMs: Math.min(...asked.map(({ name }) => health.restMs(name))),
      };
    },
    describe: () => ({
      provider: { choice, lastAnswered, lastErrors: health.lastErrors() },
      cache: { ...statistics, cells: cache.cells() },
    }),
  };
}

const minRetrySeconds = 60;

function unavailable(description: string, restMs = 0): ServiceError {
  const retryAfter = Math.max(minRetrySeconds, Math.ceil(restMs / 1000));
  return new ServiceError('temporarily_unavailable', description, { retryAfter });
}
