// The weather of a cell from all sources together: the forecast of a provider, the radar and the airport laid over its present.
// Everything that talks to the outside is wired here.
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '#shared/time/clock.ts';
import type { LatLng } from '#contract/service-api/geo.ts';
import { liveProviders, type LiveProvider } from '#contract/service-api/sandbox.ts';
import type { Config } from '#service/config/config.ts';
import type { Tables } from '#service/database/tables.ts';
import { createMetNorway } from '#service/weather/met-norway/met-norway.ts';
import { createNowcast, isNordic, nowcastName, withNowcast } from '#service/weather/met-norway/nowcast.ts';
import { createMetar } from '#service/weather/metar/metar.ts';
import { withObservation } from '#service/weather/metar/with-observation.ts';
import { createOpenMeteo } from '#service/weather/open-meteo/open-meteo.ts';
import { createProviderHealth } from '#service/weather/fetch/provider-health.ts';
import { createProviderHttp } from '#service/weather/fetch/provider-http.ts';
import type { CellWeather, Provider, RadarMinutes } from '#service/weather/reading/reading.ts';
import { createSimulation, simulationName } from '#service/weather/simulation/simulation.ts';
import { createWeatherCache } from './weather-cache.ts';
import { createWeatherSource, type WeatherSource } from './weather-source.ts';
import { createWeatherStore } from './weather-store.ts';

export type ObservedWeather = Pick<WeatherSource, 'choice' | 'choose' | 'describe' | 'pause'> & {
  /** Throws a ServiceError (503) where no weather can be had. */
  weatherOf(cell: LatLng): Promise<CellWeather>;
  /** What a live provider said of the cell a short time ago, without asking anybody. */
  knownOf(cell: LatLng): CellWeather | undefined;
  /** Undefined where nobody has them. Throws a ServiceError (503) where no weather can be had. */
  radarMinutesOf(cell: LatLng): Promise<RadarMinutes | undefined>;
  /** Ends the requests to providers, so that nothing waits for them; `close` follows. */
  endRequests(): Promise<void>;
  close(): Promise<void>;
};

type Dependencies = {
  config: Config;
  clock: Clock;
  machineClock: Clock;
  log: Logger;
  db: Kysely<Tables>;
  random: () => number;
};

const product = 'Rainbell/0.1';
const userAgent = `${product} (a weather service for developers)`;
const contactMissing =
  'Start the service with RAINBELL_MET_NORWAY_CONTACT set; MET Norway wants to know whom to write to.';

export function createObservedWeather({ config, clock, machineClock, log, db, random }: Dependencies): ObservedWeather {
  const http = createProviderHttp({ userAgent, clock });
  const health = createProviderHealth({ clock, log });
  const store = createWeatherStore({ db, clock, log });
  const cache = createWeatherCache({ clock, store });
  const { fetchJson, fetchDocument } = http;
  const { openMeteoUrl, openMeteoApiKey, metNorwayContact } = config;
  const openMeteo = createOpenMeteo({ baseUrl: openMeteoUrl, apiKey: openMeteoApiKey, fetchJson, clock });
  const met =
    metNorwayContact === undefined
      ? undefined
      : { baseUrl: config.metNorwayUrl, userAgent: `${product} ${metNorwayContact}`, fetchDocument, clock };
  // Undefined: not set up here, and `missing` below says what it needs.
  const providers: Record<LiveProvider, Provider | undefined> = {
    'open-meteo': openMeteo,
    'met-norway': met && createMetNorway({ ...met, random }),
  };
  const live = liveProviders.flatMap((name) => providers[name] ?? []);
  const nowcast = met && createNowcast({ ...met, machineClock, health });
  const metar = createMetar({ baseUrl: config.metarUrl, fetchJson, clock, machineClock, health });
  const simulation = createSimulation({ clock });
  const source = createWeatherSource({
    machineClock,
    cache,
    health,
    choice: config.provider,
    live,
    simulation,
    missing: { 'met-norway': contactMissing },
  });
  if (config.provider === 'met-norway' && !met) log.warn(contactMissing);

  /** The radar belongs to MET Norway: whoever chose another provider alone gets it without. */
  function radarOf(cell: LatLng) {
    const isWanted = source.choice() === 'auto' || source.choice() === 'met-norway';
    return isWanted && isNordic(cell) ? nowcast?.near(cell) : undefined;
  }

  return {
    async weatherOf(cell) {
      if (source.choice() === 'simulation') return source.weatherOf(cell);
      // Nobody's patience is spent on what the first request has to load.
      await http.ready();
      const observing = metar.observationNear(cell);
      const radar = radarOf(cell);
      const weather = await source.weatherOf(cell);
      const now = clock.now();
      const { triggerRadiusKm } = config;
      return withObservation(withNowcast(weather, await radar, now), await observing, { now, triggerRadiusKm });
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
      // Minutes and hours come from the same weather: live hours get no simulated minutes.
      const weather = await source.weatherOf(cell);
      return weather.source === simulationName ? simulation.radarMinutes(cell) : undefined;
    },
    choice: () => source.choice(),
    choose: (choice) => source.choose(choice),
    describe: () => source.describe(),
    pause: () => source.pause(),
    async endRequests() {
      health.close();
      await http.close();
    },
    async close() {
      await store.close();
    },
  };
}
