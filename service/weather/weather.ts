// Combines the service's weather: providers, scenarios, and places. One per service process.
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { Logger } from 'pino';
import {
  distanceKm,
  type LatLng,
  type newScenarioSchema,
  type ProviderChoice,
  type SandboxState,
} from '@rainbell/contract/service-api';
import { type Clock, within } from '@rainbell/shared';
import type { Config } from '../config/config.ts';
import { type Metag, type MetagPort, metagRadiusKm } from '../metags/metag-store.ts';
import type { ProviderPause } from './sources/weather-source.ts';
import type { Places } from '../places/create-places.ts';
import {
  type BuiltBody,
  createResponseCache,
  createWeatherResponse,
  type WeatherResponse,
} from './response/weather-response.ts';
import { serializePoints } from './response/serialize-points.ts';
import { assemblePoints, createSharedTerms } from './response/assemble-points.ts';
import type { CellWeather } from './reading/reading.ts';
import { cellCentre, cellOf, cellsAround } from './reading/cells.ts';
import { withReports } from './sources/crowd-reports.ts';
import type { Fleet } from '../limits/limiter.ts';
import type { StoredWeather } from './stored/weather-store.ts';
import { createObservedWeather, type ObservedWeather } from './sources/observed-weather.ts';
import {
  describeScenario,
  applyScenarios,
  applyScenariosToMinutes,
  type MinuteStep,
  type PlacedScenario,
  placeScenario,
  pullScenarioIn,
  scenariosAt,
  scenariosNear,
} from './sources/scenarios.ts';
import { freshUntil } from './sources/weather-cache.ts';

/** The weather operations of the sandbox controls. */
export type SandboxWeather = {
  addScenario(scenario: z.output<typeof newScenarioSchema>): Promise<void>;
  clearScenarios(): Promise<void>;
  endScenario(id: string): void;
  choose(choice: ProviderChoice): Promise<void>;
  describe(): Promise<Omit<SandboxState, 'clock' | 'weatherFault'>>;
};

/** Five-minute steps from the current one on. */
export type WeatherMinutes = { source: string; updatedAt: number | undefined; steps: readonly MinuteStep[] };

/** Known weather around a monitored place. */
export type NearbyWeather = {
  /** Undefined if it could not be loaded. */
  weather: CellWeather | undefined;
  /** Nearby cells with known weather. */
  neighbours: readonly CellWeather[];
  /** Scenarios that reach the place, and those that are near enough. */
  here: readonly PlacedScenario[];
  near: readonly PlacedScenario[];
};

export type Weather = {
  /** Returns the response of docs/interface.md §4.3 as bytes. Throws a ServiceError if no weather is available. */
  responseAt(place: LatLng, baseUrl: string): Promise<WeatherResponse>;
  /** Returns a cell's response from memory only; if undefined, call `responseAt`. */
  peekResponse(cellKey: string): WeatherResponse | undefined;
  /** Call it after users' reports at a place, or anywhere: discards what was built before. */
  clearResponses(place?: LatLng): void;
  /**
   * Returns what is known of the place's weather and of its neighbors within the radius, with scenarios. Throws a ServiceError if no
   * weather is available and no scenario is near.
   */
  around(place: LatLng, radiusKm: number): Promise<NearbyWeather>;
  /** Requests many places from providers together, so that `around` finds them; never throws. */
  prepare(places: readonly LatLng[]): Promise<void>;
  /** Undefined if a provider responds. */
  providerPause(): ProviderPause | undefined;
  /** Returns undefined if no source has them. Throws a ServiceError if no weather is available. */
  radarMinutesAt(place: LatLng): Promise<WeatherMinutes | undefined>;
  /** Returns the key of a place's 0.1° cell. */
  cellOf(place: LatLng): string;
  sandbox: SandboxWeather;
  /** How many requests to the hosts that limit them are left, of all processes. */
  budgets: ObservedWeather['budgets'];
  interval: ObservedWeather['interval'];
  /** Ends the requests to providers, so that nothing waits for them; call `close` afterwards. */
  endRequests(): Promise<void>;
  close(): Promise<void>;
};

type Options = {
  config: Config;
  /** Rain at a station within this distance of a place is rain there. */
  triggerRadiusKm: number;
  clock: Clock;
  machineClock: Clock;
  log: Logger;
  stored: StoredWeather;
  places: Places;
  metags: MetagPort;
  fleet?: Fleet;
  /** How many places are watched. */
  countPlaces: () => Promise<number>;
};

/** Slower reports are skipped and not queried again for a while, so that they don't delay weather. */
const reportTimeoutMs = 500;
const withoutReportsMs = 1_000;

/** Distance from the center of a 0.1° cell to its corner, at the equator (the maximum). */
const maxCenterDistanceKm = 7.9;

const placeOf = ({ latitude, longitude }: Metag): LatLng => ({ lat: latitude, lng: longitude });

export function createWeather({
  config,
  triggerRadiusKm,
  clock,
  machineClock,
  log,
  stored,
  places,
  metags,
  fleet,
  countPlaces,
}: Options): Weather {
  const observed = createObservedWeather({
    config,
    triggerRadiusKm,
    clock,
    machineClock,
    log,
    stored,
    random: Math.random,
    fleet,
    countPlaces,
  });
  const responses = createResponseCache({ clock });
  const shared = createSharedTerms();
  let scenarios: readonly PlacedScenario[] = [];

  let withoutReportsUntil = -Infinity;

  async function reportsAround(cell: LatLng): Promise<readonly Metag[]> {
    if (machineClock.elapsed() < withoutReportsUntil) return [];
    const radiusKm = metagRadiusKm + maxCenterDistanceKm;
    const reports = await within(machineClock, reportTimeoutMs, metags.reportsNear(cell, radiusKm));
    if (reports) return reports;
    log.warn({ ms: withoutReportsMs }, 'user reports could not be read; omitting them for a while');
    withoutReportsUntil = machineClock.elapsed() + withoutReportsMs;
    return [];
  }

  async function buildBody(place: LatLng, baseUrl: string, reports: readonly Metag[]): Promise<BuiltBody> {
    const cell = cellCentre(place);
    // Starts in parallel: if no provider responds, the wait for a name would add to the wait for them.
    const naming = places.locate(cell);
    const weather = await observed.weatherOf(cell);
    const isCentre = weather.grid.lat === cell.lat && weather.grid.lng === cell.lng;
    const location = await (isCentre ? naming : places.locate(weather.grid));
    const now = clock.now();
    const reported = withReports(weather, reports, now);
    const laid = applyScenarios(reported, scenariosAt(scenarios, place), now);
    const points = assemblePoints({ weather: laid, now, baseUrl, location }, shared);
    const isFinal = !weather.isFallback && places.isKnown(weather.grid) && now < freshUntil(weather);
    return { body: serializePoints(points), isFinal };
  }

  // Only the machine's clock: moving the sandbox's clock back doesn't move scenarios.
  const cancelOnJump = machineClock.onJump(() => {
    scenarios = scenarios.map((scenario) => pullScenarioIn(scenario, clock.now()));
    responses.clear();
  });

  const hasScenarios = () => scenarios.some(({ until }) => until > clock.now());

  return {
    async responseAt(place, baseUrl) {
      const around = await reportsAround(cellCentre(place));
      const here = around.filter((report) => distanceKm(place, placeOf(report)) <= metagRadiusKm);
      const build = () => buildBody(place, baseUrl, here);
      // The circles of scenarios and reports cut through cells, so each place is computed separately if there are any.
      if (hasScenarios() || around.length > 0) return createWeatherResponse((await build()).body);
      return responses.get(cellOf(place), build);
    },
    clearResponses(place) {
      if (!place) return responses.clear();
      const around = cellsAround(place, metagRadiusKm + maxCenterDistanceKm);
      responses.removeKeys([place, ...around].map((cell) => cellOf(cell)));
    },
    peekResponse: (cellKey) => (hasScenarios() ? undefined : responses.peek(cellKey)),
    async around(place, radiusKm) {
      const here = scenariosAt(scenarios, place);
      const near = scenariosNear(scenarios, place, radiusKm);
      const weather = await observed.weatherOf(cellCentre(place), true).catch((error: unknown) => {
        // A scenario decides without a provider.
        if (near.length > 0) return undefined;
        throw error;
      });
      // Uses neighbors only if they are already known: fetching them would cost several requests per monitor.
      const neighbours = cellsAround(place, radiusKm).flatMap((cell) => observed.knownOf(cell) ?? []);
      return { weather, neighbours, here, near };
    },
    prepare: (around) => observed.prepare(around.map((place) => cellCentre(place))),
    providerPause: () => observed.pause(),
    async radarMinutesAt(place) {
      const minutes = await observed.radarMinutesOf(cellCentre(place));
      if (!minutes) return undefined;
      const { source, updatedAt } = minutes;
      const now = clock.now();
      const rainfall = minutes.rainfall.filter(({ until }) => until > now);
      return {
        source,
        updatedAt,
        steps: applyScenariosToMinutes({ ...minutes, rainfall }, scenariosAt(scenarios, place)),
      };
    },
    cellOf,
    sandbox: {
      async addScenario(wanted) {
        scenarios = [
          ...scenarios.filter(({ until }) => until > clock.now()),
          placeScenario(randomUUID(), wanted, clock.now()),
        ];
        responses.clear();
      },
      async clearScenarios() {
        scenarios = [];
        responses.clear();
      },
      endScenario(id) {
        scenarios = scenarios.filter((scenario) => scenario.id !== id);
        responses.clear();
      },
      async choose(choice) {
        observed.choose(choice);
        responses.clear();
      },
      async describe() {
        const active = scenarios.filter(({ until }) => until > clock.now());
        const { provider, cache } = observed.describe();
        const hits = cache.hits + responses.hits();
        return { provider, cache: { ...cache, hits }, scenarios: active.map(describeScenario) };
      },
    },
    budgets: () => observed.budgets(),
    interval: () => observed.interval(),
    endRequests: () => observed.endRequests(),
    async close() {
      cancelOnJump();
      await observed.close();
    },
  };
}
