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
import { type CancelTimer, within } from '@rainbell/shared';
import { type Metag, type MetagStore, metagRadiusKm } from '../metags/metag-store.ts';
import type { Places } from '../places/create-places.ts';
import { cellCentre, cellOf, cellRadiusKm, centreOf } from './reading/cells.ts';
import { chooseObservation } from './metar/metar.ts';
import { assemblePoints, createSharedTerms, serializePoints } from './response/weather-points.ts';
import {
  type Built,
  createResponseCache,
  createWeatherResponse,
  type WeatherResponse,
} from './response/weather-response.ts';
import { weatherAt, withReports } from './sources/observations.ts';
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
  scenariosReaching,
} from './sources/scenarios.ts';
import { freshUntil } from './sources/weather-cache.ts';
import { type WatchedWeather, withPresentWord } from './timeline.ts';

export type SandboxWeather = Weather['sandbox'];

/** Five-minute steps from the current one on. */
export type WeatherMinutes = { source: string; updatedAt: number | undefined; steps: readonly MinuteStep[] };

type ResponseAt = (place: LatLng) => WeatherResponse;

type Options = Omit<ConstructorParameters<typeof ObservedWeather>[0], 'random'> & {
  log: Logger;
  places: Places;
  metags: Pick<MetagStore, 'reportsNear'>;
};

/** Slower reports are skipped and not queried again for a while, so that they don't delay weather. */
const reportTimeoutMs = 500;
const withoutReportsMs = 1_000;

const placeOf = ({ latitude, longitude }: Metag): LatLng => ({ lat: latitude, lng: longitude });

export class Weather {
  readonly observed: ObservedWeather;
  readonly #needs: Options;
  readonly #responses;
  readonly #termsOf = createSharedTerms();
  readonly #cancelOnJump: CancelTimer;
  #scenarios: readonly PlacedScenario[] = [];
  #withoutReportsUntil = -Infinity;

  constructor(needs: Options) {
    this.#needs = needs;
    this.observed = new ObservedWeather({ ...needs, random: Math.random });
    this.#responses = createResponseCache<ResponseAt>(needs);
    // Only the machine's clock: moving the sandbox's clock back doesn't move scenarios.
    this.#cancelOnJump = needs.machineClock.onJump(() =>
      this.#setScenarios(this.#scenarios.map((scenario) => pullScenarioIn(scenario, this.#needs.clock.now()))),
    );
  }

  /** Returns the response of docs/interface.md §4.3 as bytes. Throws a ServiceError if no weather is available. */
  async responseAt(place: LatLng, baseUrl: string): Promise<WeatherResponse> {
    const around = await this.#reportsAround(cellCentre(place));
    const here = around.filter((report) => distanceKm(place, placeOf(report)) <= metagRadiusKm);
    // The circles of scenarios and reports cut through cells, so each place is computed separately if there are any.
    if (this.#activeScenarios().length > 0 || around.length > 0) {
      return (await this.#build(place, baseUrl, here)).answer(place);
    }
    return (await this.#responses.get(cellOf(place), () => this.#build(place, baseUrl)))(place);
  }

  async #build(place: LatLng, baseUrl: string, reports: readonly Metag[] = []): Promise<Built<ResponseAt>> {
    const cell = cellCentre(place);
    // Starts in parallel: if no provider responds, the wait for a name would add to the wait for them.
    const naming = this.#needs.places.locate(cell);
    const weather = await this.observed.weatherOf(cell);
    const isCentre = weather.grid.lat === cell.lat && weather.grid.lng === cell.lng;
    const location = await (isCentre ? naming : this.#needs.places.locate(weather.grid));
    const now = this.#needs.clock.now();
    const isFinal = !weather.isFallback && this.#needs.places.isKnown(weather.grid) && now < freshUntil(weather);
    const bodyAt = (there: LatLng) => {
      const reported = withReports(withPresentWord(weatherAt(weather, there, now), now), reports, now);
      const shown = applyScenarios(reported, scenariosAt(this.#scenarios, there), now);
      return serializePoints(assemblePoints({ weather: shown, now, baseUrl, location }, this.#termsOf));
    };
    const { stations = [] } = weather;
    const known = new Map<string | undefined, WeatherResponse>();
    /** Only the station that counts distinguishes the places of a cell. */
    const answer = (there: LatLng): WeatherResponse => {
      const station = stations.length === 0 ? undefined : chooseObservation(stations, there, now)?.station;
      const response = known.get(station) ?? createWeatherResponse(bodyAt(there));
      known.set(station, response);
      return response;
    };
    const bytes = answer(place).ready('identity')?.length ?? 0;
    return { answer, isFinal, bytes: bytes * (1 + stations.length) };
  }

  async #reportsAround(cell: LatLng): Promise<readonly Metag[]> {
    if (this.#needs.machineClock.elapsed() < this.#withoutReportsUntil) return [];
    const radiusKm = metagRadiusKm + cellRadiusKm;
    const reports = await within(
      this.#needs.machineClock,
      reportTimeoutMs,
      this.#needs.metags.reportsNear(cell, radiusKm),
    );
    if (reports) return reports;
    this.#needs.log.warn({ ms: withoutReportsMs }, 'user reports could not be read; omitting them for a while');
    this.#withoutReportsUntil = this.#needs.machineClock.elapsed() + withoutReportsMs;
    return [];
  }

  /** Returns a place's response from memory only; if undefined, call `responseAt`. */
  peekResponse(place: LatLng): WeatherResponse | undefined {
    return this.#activeScenarios().length > 0 ? undefined : this.#responses.peek(cellOf(place))?.(place);
  }

  /** Discards what was built around a place; call it after a user's report there. Other processes show it within a minute. */
  clearResponses(place: LatLng): void {
    const isAround = (center: LatLng) => distanceKm(center, place) <= metagRadiusKm + cellRadiusKm;
    this.#responses.remove((cell) => isAround(centreOf(cell)));
  }

  /** Returns undefined if no source has them. Throws a ServiceError if no weather is available. */
  async radarMinutesAt(place: LatLng): Promise<WeatherMinutes | undefined> {
    const minutes = await this.observed.radarMinutesOf(cellCentre(place));
    if (!minutes) return undefined;
    const { source, updatedAt } = minutes;
    const rainfall = minutes.rainfall.filter(({ until }) => until > this.#needs.clock.now());
    const steps = applyScenariosToMinutes({ ...minutes, rainfall }, scenariosAt(this.#scenarios, place));
    return { source, updatedAt, steps };
  }

  /** Requests many places from providers together, so that `watchedAt` finds them; never throws. */
  async prepare(places: readonly LatLng[]): Promise<void> {
    await this.observed.prepare(places.map((place) => cellCentre(place)));
  }

  /** Returns the weather of the place's cell. Throws a ServiceError if none is available and no scenario reaches into the cell. */
  async watchedAt(place: LatLng): Promise<WatchedWeather> {
    const cell = cellCentre(place);
    const scenarios = scenariosReaching(this.#scenarios, cell, cellRadiusKm);
    try {
      return { weather: await this.observed.weatherOf(cell, true), scenarios };
    } catch (error) {
      // A scenario decides without a provider.
      if (scenarios.length === 0 || !(error instanceof Error)) throw error;
      return { weather: undefined, scenarios, failure: error.message };
    }
  }

  readonly sandbox = {
    addScenario: async (wanted: z.output<typeof newScenarioSchema>) =>
      this.#addScenario(placeScenario(randomUUID(), wanted, this.#needs.clock.now())),
    addSeries: async (wanted: z.output<typeof newSeriesSchema>) =>
      this.#addScenario(placeSeries(randomUUID(), wanted, this.#needs.clock.now())),
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
    return this.#scenarios.filter(({ until }) => until > this.#needs.clock.now());
  }

  #addScenario(placed: PlacedScenario): void {
    this.#setScenarios([...this.#activeScenarios(), placed]);
  }

  #setScenarios(scenarios: readonly PlacedScenario[]): void {
    this.#scenarios = scenarios;
    this.#responses.clear();
  }
}
