// The weather of a cell by all its sources: a provider's forecast, with radar and airport observations applied to the present.
import type { Logger } from 'pino';
import type { Clock } from '@rainbell/shared';
import { type LatLng, liveProviders } from '@rainbell/contract/service-api';
import { createCache } from '../../cache/create-cache.ts';
import type { Config } from '../../config/config.ts';
import { createProviderHealth } from '../fetch/provider-health.ts';
import { createProviderHttp, userAgent } from '../fetch/provider-http.ts';
import type { BudgetLeft } from '../fetch/request-budget.ts';
import { createMetar, nearKm } from '../metar/metar.ts';
import type { Provider, ProviderContext } from '../providers/provider.ts';
import { providers } from '../providers/providers.ts';
import { cellOf, cellRadiusKm } from '../reading/cells.ts';
import type { CellWeather, Nowcast, RadarMinutes } from '../reading/reading.ts';
import { createSimulation } from '../simulation/simulation.ts';
import { createSharedLookups } from '../stored/shared-lookups.ts';
import type { WeatherStore } from '../stored/weather-store.ts';
import { analysisEvidence, leastMmPerHour, radarEvidence, stationEvidence, withNowcast } from './observations.ts';
import { createWeatherCache } from './weather-cache.ts';
import { createWeatherSource, type WeatherSource } from './weather-source.ts';

type Dependencies = Pick<ProviderContext, 'clock' | 'machineClock' | 'random' | 'fleet' | 'countPlaces'> & {
  config: Config;
  log: Logger;
  store: WeatherStore;
};

export class ObservedWeather {
  readonly source: WeatherSource;
  /** Ended by `endRequests`. */
  readonly http;
  readonly simulation;
  readonly #clock: Clock;
  readonly #health;
  readonly #store;
  readonly #live: readonly Provider[];
  readonly #metar;
  /** Cells with rain observed nearby or expected at their last check; undefined if no quota depends on them. */
  readonly #rainy;

  constructor({ config, store, ...needs }: Dependencies) {
    const { clock, machineClock, log, fleet } = needs;
    const health = createProviderHealth({ clock, log });
    const lookups = createSharedLookups(fleet, clock, machineClock);
    const shared = fleet && { store, lookups };
    this.#clock = clock;
    this.http = createProviderHttp({ userAgent, clock });
    this.#health = health;
    this.#store = store;
    const cache = createWeatherCache({ clock, store, maxCells: config.weatherMemoryCells });
    const context: ProviderContext = {
      ...needs,
      ...this.http,
      side: { clock, machineClock, health, shared },
      hasAlternative: () => this.#live.length > 1 && this.source.choice() === 'auto',
    };
    this.#live = liveProviders.flatMap((name) => providers[name].create(config, context) ?? []);
    this.#metar = createMetar({ ...context, baseUrl: config.metarUrl, fleet });
    this.simulation = createSimulation({ clock, isDry: config.simulatedRain === 'off' });
    this.#rainy = this.#live.some(({ quota }) => quota)
      ? createCache<string, true>(config.weatherMemoryCells)
      : undefined;
    const missing = Object.fromEntries(liveProviders.map((name) => [name, providers[name].missing]));
    this.source = createWeatherSource({
      machineClock,
      cache,
      lookups,
      health,
      choice: config.provider,
      live: this.#live,
      simulation: this.simulation,
      missing,
    });
    const reason = missing[config.provider];
    if (reason !== undefined && this.source.available().length === 0) log.warn(reason);
  }

  /** Throws a ServiceError (503) if no weather is available. `isWatched`: for a sweep, so that it is recorded. `weatherAt` adds stations. */
  async weatherOf(cell: LatLng, isWatched = false): Promise<CellWeather> {
    if (this.source.choice() === 'simulation') {
      const simulated = await this.source.weatherOf(cell);
      return isWatched ? { ...simulated, observed: known(analysisEvidence(simulated, this.#clock.now())) } : simulated;
    }
    // Load HTTP first, so that this does not count against the first request's timeout.
    await this.http.ready();
    const observing = this.#metar.stationsNear(cell);
    const scanning = this.#scan(cell);
    const weather = await this.source.weatherOf(cell, isWatched);
    const [scanned, around] = [await scanning, await observing];
    const now = this.#clock.now();
    const stations = around.filter(({ distanceKm }) => distanceKm <= nearKm + cellRadiusKm);
    const combined = { ...withNowcast(weather, scanned, now), ...(stations.length > 0 ? { stations } : {}) };
    if (!isWatched) return combined;
    const isRainy = stations.some(({ isPrecipitating }) => isPrecipitating) || isRainExpected(combined, now);
    if (isRainy) this.#rainy?.set(cellOf(cell), true);
    else this.#rainy?.delete(cellOf(cell));
    const own = weather.isFallback ? undefined : analysisEvidence(weather, now);
    return { ...combined, observed: known(stationEvidence(around[0]), radarEvidence(scanned, cell), own) };
  }

  /** Returns undefined if no source has them. Throws a ServiceError (503) if no weather is available. */
  async radarMinutesOf(cell: LatLng): Promise<RadarMinutes | undefined> {
    if (this.source.choice() === 'simulation') return this.simulation.radarMinutes(cell);
    await this.http.ready();
    const scanned = await this.#scan(cell);
    if (scanned?.rainfall.some(({ until }) => until > this.#clock.now())) return scanned;
    if (this.source.choice() !== 'auto') return undefined;
    // Minutes and hours come from the same weather: live hours never get simulated minutes.
    const weather = await this.source.weatherOf(cell);
    return weather.isFallback ? this.simulation.radarMinutes(cell) : undefined;
  }

  /** Requests many cells from providers together, so that `weatherOf` finds them; never throws. */
  async prepare(cells: readonly LatLng[]): Promise<void> {
    if (this.source.choice() === 'simulation') return;
    await this.http.ready();
    await this.source.prepare(cells, this.#rainy);
  }

  /** Returns how many requests to the hosts that limit them are left, of all processes. */
  async budgets(): Promise<BudgetLeft[]> {
    const quotas = await Promise.all(this.#live.map(async ({ quota }) => (await quota?.left()) ?? []));
    return [...quotas.flat(), ...(await this.#metar.budget.left())];
  }

  /** Returns how often watched places are checked, as a sentence; undefined if no quota limits that. */
  async interval(): Promise<string | undefined> {
    return this.source
      .available()
      .find(({ quota }) => quota)
      ?.quota?.describe();
  }

  /** Ends the requests to providers, so that nothing waits for them; call `close` afterwards. */
  async endRequests(): Promise<void> {
    this.#health.close();
    await this.http.close();
  }

  async close(): Promise<void> {
    await this.#store.close();
  }

  /** A radar belongs to its provider: if only another one is configured, it is off. */
  #scan(cell: LatLng): Promise<Nowcast | undefined> | undefined {
    return this.source
      .available()
      .find(({ radar }) => radar)
      ?.radar?.near(cell);
  }
}

function isRainExpected({ rainfall }: CellWeather, now: number): boolean {
  return rainfall.some(({ until, mmPerHour }) => until > now && mmPerHour > leastMmPerHour);
}

function known<Value>(...values: (Value | undefined)[]): Value[] {
  return values.filter((value) => value !== undefined);
}
