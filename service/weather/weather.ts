// A question for weather becomes points (docs/interface.md §4.3): the place's cell, what its sources say (sources/observed-weather.ts),
// users' reports and scenarios on top, and the points with their sun, icon, and place name (response/weather-points.ts). Sweeps ask the
// same sources. One per service process.
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { Logger } from 'pino';
import {
  distanceKm,
  type LatLng,
  type newScenarioSchema,
  type newSeriesSchema,
  type ProviderChoice,
  type SandboxState,
} from '@rainbell/contract/service-api';
import { type CancelTimer, type Clock, within } from '@rainbell/shared';
import { type Metag, type MetagPort, metagRadiusKm } from '../metags/metag-store.ts';
import type { Places } from '../places/create-places.ts';
import { cellCentre, cellOf, cellsAround } from './reading/cells.ts';
import type { CellWeather } from './reading/reading.ts';
import { assemblePoints, createSharedTerms, serializePoints } from './response/weather-points.ts';
import {
  type BuiltBody,
  createResponseCache,
  createWeatherResponse,
  type WeatherResponse,
} from './response/weather-response.ts';
import { withReports } from './sources/observations.ts';
import { ObservedWeather } from './sources/observed-weather.ts';
import {
  applyScenarios,
  applyScenariosToMinutes,
  describeScenario,
  type MinuteStep,
  type PlacedScenario,
  placeScenario,
  placeSeries,
  pullScenarioIn,
  scenariosAt,
  scenariosNear,
} from './sources/scenarios.ts';
import { freshUntil } from './sources/weather-cache.ts';

/** The weather operations of the sandbox controls. */
export type SandboxWeather = Weather['sandbox'];

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

type Options = Omit<ConstructorParameters<typeof ObservedWeather>[0], 'random'> & {
  log: Logger;
  places: Places;
  metags: MetagPort;
};

/** Slower reports are skipped and not queried again for a while, so that they don't delay weather. */
const reportTimeoutMs = 500;
const withoutReportsMs = 1_000;

/** Distance from the center of a 0.1° cell to its corner, at the equator (the maximum). */
const maxCenterDistanceKm = 7.9;

const placeOf = ({ latitude, longitude }: Metag): LatLng => ({ lat: latitude, lng: longitude });

export class Weather {
  readonly observed: ObservedWeather;
  readonly #clock: Clock;
  readonly #machineClock: Clock;
  readonly #log: Logger;
  readonly #places: Places;
  readonly #metags: MetagPort;
  readonly #responses;
  readonly #termsOf = createSharedTerms();
  readonly #cancelOnJump: CancelTimer;
  #scenarios: readonly PlacedScenario[] = [];
  #withoutReportsUntil = -Infinity;

  constructor({ places, metags, ...needs }: Options) {
    this.observed = new ObservedWeather({ ...needs, random: Math.random });
    this.#clock = needs.clock;
    this.#machineClock = needs.machineClock;
    this.#log = needs.log;
    this.#places = places;
    this.#metags = metags;
    this.#responses = createResponseCache(needs);
    // Only the machine's clock: moving the sandbox's clock back doesn't move scenarios.
    this.#cancelOnJump = needs.machineClock.onJump(() =>
      this.#setScenarios(this.#scenarios.map((scenario) => pullScenarioIn(scenario, this.#clock.now()))),
    );
  }

  /** Returns the response of docs/interface.md §4.3 as bytes. Throws a ServiceError if no weather is available. */
  async responseAt(place: LatLng, baseUrl: string): Promise<WeatherResponse> {
    const around = await this.#reportsAround(cellCentre(place));
    const here = around.filter((report) => distanceKm(place, placeOf(report)) <= metagRadiusKm);
    const build = () => this.#buildBody(place, baseUrl, here);
    // The circles of scenarios and reports cut through cells, so each place is computed separately if there are any.
    if (this.#activeScenarios().length > 0 || around.length > 0) return createWeatherResponse((await build()).body);
    return this.#responses.get(cellOf(place), build);
  }

  async #buildBody(place: LatLng, baseUrl: string, reports: readonly Metag[]): Promise<BuiltBody> {
    const cell = cellCentre(place);
    // Starts in parallel: if no provider responds, the wait for a name would add to the wait for them.
    const naming = this.#places.locate(cell);
    const weather = await this.observed.weatherOf(cell);
    const isCentre = weather.grid.lat === cell.lat && weather.grid.lng === cell.lng;
    const location = await (isCentre ? naming : this.#places.locate(weather.grid));
    const now = this.#clock.now();
    const reported = withReports(weather, reports, now);
    const shown = applyScenarios(reported, scenariosAt(this.#scenarios, place), now);
    const points = assemblePoints({ weather: shown, now, baseUrl, location }, this.#termsOf);
    const isFinal = !weather.isFallback && this.#places.isKnown(weather.grid) && now < freshUntil(weather);
    return { body: serializePoints(points), isFinal };
  }

  async #reportsAround(cell: LatLng): Promise<readonly Metag[]> {
    if (this.#machineClock.elapsed() < this.#withoutReportsUntil) return [];
    const radiusKm = metagRadiusKm + maxCenterDistanceKm;
    const reports = await within(this.#machineClock, reportTimeoutMs, this.#metags.reportsNear(cell, radiusKm));
    if (reports) return reports;
    this.#log.warn({ ms: withoutReportsMs }, 'user reports could not be read; omitting them for a while');
    this.#withoutReportsUntil = this.#machineClock.elapsed() + withoutReportsMs;
    return [];
  }

  /** Returns a cell's response from memory only; if undefined, call `responseAt`. */
  peekResponse(cellKey: string): WeatherResponse | undefined {
    return this.#activeScenarios().length > 0 ? undefined : this.#responses.peek(cellKey);
  }

  /** Discards what was built before; call it after users' reports at a place, or anywhere. */
  clearResponses(place?: LatLng): void {
    if (!place) return this.#responses.clear();
    const around = cellsAround(place, metagRadiusKm + maxCenterDistanceKm);
    this.#responses.removeKeys([place, ...around].map((cell) => cellOf(cell)));
  }

  /** Returns undefined if no source has them. Throws a ServiceError if no weather is available. */
  async radarMinutesAt(place: LatLng): Promise<WeatherMinutes | undefined> {
    const minutes = await this.observed.radarMinutesOf(cellCentre(place));
    if (!minutes) return undefined;
    const { source, updatedAt } = minutes;
    const rainfall = minutes.rainfall.filter(({ until }) => until > this.#clock.now());
    const steps = applyScenariosToMinutes({ ...minutes, rainfall }, scenariosAt(this.#scenarios, place));
    return { source, updatedAt, steps };
  }

  /** Requests many places from providers together, so that `around` finds them; never throws. */
  async prepare(places: readonly LatLng[]): Promise<void> {
    await this.observed.prepare(places.map((place) => cellCentre(place)));
  }

  /**
   * Returns what is known of the place's weather and of its neighbors within the radius, with scenarios. Throws a ServiceError if no
   * weather is available and no scenario is near.
   */
  async around(place: LatLng, radiusKm: number): Promise<NearbyWeather> {
    const here = scenariosAt(this.#scenarios, place);
    const near = scenariosNear(this.#scenarios, place, radiusKm);
    const weather = await this.observed.weatherOf(cellCentre(place), true).catch((error: unknown) => {
      // A scenario decides without a provider.
      if (near.length > 0) return undefined;
      throw error;
    });
    // Uses neighbors only if they are already known: fetching them would cost several requests per monitor.
    const neighbours = cellsAround(place, radiusKm).flatMap((cell) => this.observed.knownOf(cell) ?? []);
    return { weather, neighbours, here, near };
  }

  readonly sandbox = {
    addScenario: async (wanted: z.output<typeof newScenarioSchema>) => {
      const placed = placeScenario(randomUUID(), wanted, this.#clock.now());
      this.#setScenarios([...this.#activeScenarios(), placed]);
    },
    addSeries: async (wanted: z.output<typeof newSeriesSchema>) => {
      const placed = placeSeries(randomUUID(), wanted, this.#clock.now());
      this.#setScenarios([...this.#activeScenarios(), placed]);
    },
    clearScenarios: async () => this.#setScenarios([]),
    endScenario: (id: string) => this.#setScenarios(this.#scenarios.filter((scenario) => scenario.id !== id)),
    choose: async (choice: ProviderChoice) => {
      this.observed.source.choose(choice);
      this.#responses.clear();
    },
    describe: async (): Promise<Omit<SandboxState, 'clock' | 'weatherFault'>> => {
      const { provider, cache } = this.observed.source.describe();
      const hits = cache.hits + this.#responses.hits();
      return { provider, cache: { ...cache, hits }, scenarios: this.#activeScenarios().map(describeScenario) };
    },
  };

  /** Describes the sources for operators. */
  async status() {
    const { observed, sandbox } = this;
    return {
      ...(await sandbox.describe()),
      pause: observed.source.pause(),
      budgets: await observed.budgets(),
      interval: await observed.interval(),
    };
  }

  async close(): Promise<void> {
    this.#cancelOnJump();
    await this.observed.close();
  }

  #activeScenarios(): PlacedScenario[] {
    return this.#scenarios.filter(({ until }) => until > this.#clock.now());
  }

  #setScenarios(scenarios: readonly PlacedScenario[]): void {
    this.#scenarios = scenarios;
    this.#responses.clear();
  }
}
