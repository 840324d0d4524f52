// Which provider answers for a cell. `auto` asks the live ones in their order for a short time, then takes the last good data
// while it is honest, then the simulation; a chosen provider answers alone.
import type { Clock } from '#shared/time/clock.ts';
import type { LatLng } from '#contract/service-api/geo.ts';
import type { ProviderChoice, SandboxState } from '#contract/service-api/sandbox.ts';
import { within } from '#shared/time/within.ts';
import { ServiceError } from '#service/errors/service-error.ts';
import { createLiveProviders } from './live-providers.ts';
import type { ProviderHealth } from '#service/weather/fetch/provider-health.ts';
import type { CellWeather, Provider } from '#service/weather/reading/reading.ts';
import type { ProviderPause } from '#service/watch/sweep-decision.ts';
import type { WeatherCache } from './weather-cache.ts';

export type WeatherSource = {
  /** Throws a ServiceError (503) where the one provider that was chosen does not answer. */
  weatherOf(cell: LatLng): Promise<CellWeather>;
  choice(): ProviderChoice;
  choose(choice: ProviderChoice): void;
  describe(): Pick<SandboxState, 'provider' | 'cache'>;
  /** Undefined: a live provider answers, or none is to be asked. */
  pause(): ProviderPause | undefined;
};

type Dependencies = {
  /** For what a client waits: its time is not the one that a test or the sandbox moves. */
  machineClock: Clock;
  cache: WeatherCache;
  health: ProviderHealth;
  choice: ProviderChoice;
  /** In the order in which `auto` asks them. */
  live: readonly Provider[];
  simulation: Provider;
  /** What a provider that is not among `live` would need, as a sentence. */
  missing: Readonly<Partial<Record<ProviderChoice, string>>>;
};

/** How long a client waits for live weather, by the machine's clock: with older data at hand, without, and without any else. */
const timeoutMs = { withOlderData: 250, withoutData: 750, ofChosen: 4_000 };
const headStartMs = 300;

export function createWeatherSource({
  machineClock,
  cache,
  health,
  live,
  simulation,
  missing,
  ...needs
}: Dependencies): WeatherSource {
  const providers = createLiveProviders({ machineClock, cache, health, headStartMs });
  let choice = needs.choice;
  let lastAnswered: string | null = null;
  const statistics = { hits: 0, misses: 0 };

  /** Older data is served at once where a provider is slow; what it says arrives behind and is there for the next. */
  async function latest(asked: readonly Provider[], older: CellWeather, cell: LatLng): Promise<CellWeather> {
    return (await within(machineClock, timeoutMs.withOlderData, providers.ask(asked, cell))) ?? older;
  }

  async function automatic(cell: LatLng): Promise<CellWeather> {
    const older = await providers.recall(live, cell);
    if (older) return latest(live, older, cell);
    const found = await within(machineClock, timeoutMs.withoutData, providers.ask(live, cell));
    return found ?? simulation.fetch(cell);
  }

  async function chosen(name: ProviderChoice, cell: LatLng): Promise<CellWeather> {
    const provider = live.find((candidate) => candidate.name === name);
    if (!provider) throw unavailable(`The weather provider ${name} is not set up here. ${missing[name] ?? ''}`.trim());
    const older = await providers.recall([provider], cell);
    if (older) return latest([provider], older, cell);
    const found = await within(machineClock, timeoutMs.ofChosen, providers.ask([provider], cell));
    if (found) return found;
    const restMs = health.restMs(name);
    const failure = health.lastErrors().find((entry) => entry.provider === name)?.message;
    const reason = (restMs === 0 ? undefined : failure) ?? 'it did not answer in time';
    throw unavailable(`The weather provider ${name} does not answer: ${reason}. Try again later.`, restMs);
  }

  function count(cell: LatLng): void {
    const isHit = live.some((provider) => cache.peek(provider.name, cell)?.isFresh === true);
    statistics[isHit ? 'hits' : 'misses'] += 1;
  }

  return {
    async weatherOf(cell) {
      if (choice !== 'simulation') count(cell);
      const weather = await (choice === 'auto'
        ? automatic(cell)
        : choice === 'simulation'
          ? simulation.fetch(cell)
          : chosen(choice, cell));
      lastAnswered = weather.source;
      return weather;
    },
    choice: () => choice,
    choose(next) {
      choice = next;
    },
    pause() {
      const asked = live.filter(({ name }) => choice === 'auto' || choice === name);
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

const leastRetrySeconds = 60;

function unavailable(description: string, restMs = 0): ServiceError {
  const seconds = Math.max(leastRetrySeconds, Math.ceil(restMs / 1000));
  return new ServiceError('temporarily_unavailable', description, { headers: { 'retry-after': String(seconds) } });
}
