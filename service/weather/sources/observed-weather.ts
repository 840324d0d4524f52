// Combines all sources of a cell's weather: a provider's forecast, with radar and airport data applied to the present. All external
// sources are wired here.
import type { Logger } from 'pino';
import type { Clock } from '@rainbell/shared';
import { type LatLng, type LiveProvider, liveProviders } from '@rainbell/contract/service-api';
import type { Config } from '../../config/config.ts';
import { createMetNorway } from '../providers/met-norway/met-norway.ts';
import { createNowcast, isNordic, nowcastName, withNowcast } from '../providers/met-norway/nowcast.ts';
import { createMetar, withObservation } from '../metar/metar.ts';
import { createOpenMeteo } from '../providers/open-meteo/open-meteo.ts';
import type { Fleet } from '../../limits/limiter.ts';
import { createProviderHealth } from '../fetch/provider-health.ts';
import type { BudgetLeft } from '../fetch/request-budget.ts';
import { createProviderHttp } from '../fetch/provider-http.ts';
import { createCache } from '../../cache/create-cache.ts';
import { cellOf } from '../reading/cells.ts';
import type { CellWeather, Provider, RadarMinutes, Evidence } from '../reading/reading.ts';
import { createSimulation } from '../simulation/simulation.ts';
import { analysisEvidence, leastMmPerHour, radarEvidence, stationEvidence } from './evidence.ts';
import { createSharedLookups } from '../stored/shared-lookups.ts';
import type { StoredWeather } from '../stored/weather-store.ts';
import { createWeatherCache } from './weather-cache.ts';
import { createWeatherSource, type WeatherSource } from './weather-source.ts';

export type ObservedWeather = Pick<WeatherSource, 'prepare' | 'choice' | 'choose' | 'describe' | 'pause'> & {
  /** Throws a ServiceError (503) if no weather is available. `isWatched`: for a sweep, so that it is recorded. */
  weatherOf(cell: LatLng, isWatched?: boolean): Promise<CellWeather>;
  /** Returns a live provider's recent data of the cell without a request. */
  knownOf(cell: LatLng): CellWeather | undefined;
  /** Returns undefined if no source has them. Throws a ServiceError (503) if no weather is available. */
  radarMinutesOf(cell: LatLng): Promise<RadarMinutes | undefined>;
  /** How many requests to the hosts that limit them are left, of all processes. */
  budgets(): Promise<BudgetLeft[]>;
  /** How often watched places are checked, as a sentence; undefined if no quota limits that. */
  interval(): Promise<string | undefined>;
  /** Ends the requests to providers, so that nothing waits for them; `close` follows. */
  endRequests(): Promise<void>;
  close(): Promise<void>;
};

const isRainExpected = ({ rainfall }: CellWeather, now: number) =>
  rainfall.some(({ until, mmPerHour }) => until > now && mmPerHour > leastMmPerHour);

function asList(...evidence: (Evidence | undefined)[]): Evidence[] {
  return evidence.filter((each) => each !== undefined);
}

type Dependencies = {
  config: Config;
  triggerRadiusKm: number;
  clock: Clock;
  machineClock: Clock;
  log: Logger;
  stored: StoredWeather;
  random: () => number;
  fleet?: Fleet;
  countPlaces: () => Promise<number>;
};

const product = 'Rainbell/0.1';
export const userAgent = `${product} (a weather service for developers)`;
const contactMissing = 'Start the service with RAINBELL_MET_NORWAY_CONTACT set; MET Norway requires a contact.';

export function createObservedWeather({
  config,
  triggerRadiusKm,
  clock,
  machineClock,
  log,
  stored,
  random,
  fleet,
  countPlaces,
}: Dependencies): ObservedWeather {
  const http = createProviderHttp({ userAgent, clock });
  const health = createProviderHealth({ clock, log });
  const { store, claims } = stored;
  const lookups = createSharedLookups(claims, machineClock);
  const side = { clock, machineClock, health, shared: stored.isShared ? { store, lookups } : undefined };
  const cache = createWeatherCache({ clock, store, maxCells: config.weatherMemoryCells });
  const { fetchJson, fetchDocument } = http;
  const { openMeteoUrl, openMeteoApiKey, openMeteoBatch: batchSize, metNorwayContact } = config;
  const limits = { clock, machineClock, fleet };
  const openMeteo = createOpenMeteo({
    baseUrl: openMeteoUrl,
    apiKey: openMeteoApiKey,
    fetchJson,
    ...limits,
    batchSize,
    countPlaces,
    hasAlternative: () => met !== undefined && source.choice() === 'auto',
  });
  const met =
    metNorwayContact === undefined
      ? undefined
      : { baseUrl: config.metNorwayUrl, userAgent: `${product} ${metNorwayContact}`, fetchDocument, clock };
  // Undefined if not configured; `missing` below says what it needs.
  const providers: Record<LiveProvider, Provider | undefined> = {
    'open-meteo': openMeteo,
    'met-norway': met && createMetNorway({ ...met, random }),
  };
  const live = liveProviders.flatMap((name) => providers[name] ?? []);
  const nowcast = met && createNowcast({ ...met, side });
  const metar = createMetar({
    baseUrl: config.metarUrl,
    fetchJson,
    ...limits,
    side,
  });
  const simulation = createSimulation({ clock, isDry: config.simulatedRain === 'off' });
  const source = createWeatherSource({
    machineClock,
    cache,
    lookups,
    health,
    choice: config.provider,
    live,
    simulation,
    missing: { 'met-norway': contactMissing },
  });
  if (config.provider === 'met-norway' && !met) log.warn(contactMissing);
  /** Cells with rain observed nearby or expected at their last check. */
  const rainy = createCache<string, true>(config.weatherMemoryCells);

  /** The radar belongs to MET Norway: if only another provider is configured, it is off. */
  function radarOf(cell: LatLng) {
    const isWanted = source.choice() === 'auto' || source.choice() === 'met-norway';
    return isWanted && isNordic(cell) ? nowcast?.near(cell) : undefined;
  }

  return {
    async weatherOf(cell, isWatched = false) {
      if (source.choice() === 'simulation') {
        const simulated = await source.weatherOf(cell);
        if (!isWatched) return simulated;
        return { ...simulated, observed: asList(analysisEvidence(simulated, clock.now())) };
      }
      // Load HTTP first, so that this does not count against the first request's timeout.
      await http.ready();
      const observing = metar.observationNear(cell);
      const radar = radarOf(cell);
      const weather = await source.weatherOf(cell, isWatched);
      const [scanned, observation] = [await radar, await observing];
      const now = clock.now();
      const combined = withObservation(withNowcast(weather, scanned, now), observation, { now, triggerRadiusKm });
      if (!isWatched) return combined;
      if (openMeteo.quota) {
        if (observation?.isPrecipitating === true || isRainExpected(combined, now)) rainy.set(cellOf(cell), true);
        else rainy.delete(cellOf(cell));
      }
      const station = stationEvidence(observation);
      const own = weather.isFallback ? undefined : analysisEvidence(weather, now);
      return { ...combined, observed: asList(station, radarEvidence(scanned, cell), own) };
    },
    knownOf(cell) {
      const choice = source.choice();
      const asked = live.filter(({ name }) => choice === 'auto' || choice === name);
      const kept = asked.map(({ name }) => cache.peek(name, cell)).find((known) => known?.isFresh);
      return kept?.weather;
    },
    async radarMinutesOf(cell) {
      if (source.choice() === 'simulation') return simulation.radarMinutes(cell);
      await http.ready();
      const radar = await radarOf(cell);
      if (radar && radar.rainfall.some(({ until }) => until > clock.now())) {
        return { source: nowcastName, updatedAt: radar.updatedAt, rainfall: radar.rainfall };
      }
      if (source.choice() !== 'auto') return undefined;
      // Minutes and hours come from the same weather: live hours never get simulated minutes.
      const weather = await source.weatherOf(cell);
      return weather.isFallback ? simulation.radarMinutes(cell) : undefined;
    },
    async prepare(cells) {
      if (source.choice() === 'simulation') return;
      await http.ready();
      await source.prepare(cells, rainy);
    },
    choice: () => source.choice(),
    choose: (choice) => source.choose(choice),
    describe: () => source.describe(),
    pause: () => source.pause(),
    budgets: async () => [...((await openMeteo.quota?.left()) ?? []), ...(await metar.budget.left())],
    async interval() {
      const isAsked = source.choice() === 'auto' || source.choice() === 'open-meteo';
      return isAsked ? openMeteo.quota?.describe() : undefined;
    },
    async endRequests() {
      health.close();
      await http.close();
    },
    async close() {
      await store.close();
    },
  };
}
