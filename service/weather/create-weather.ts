// The service's weather: providers, scenarios and places put together. One per service process.
import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { Logger } from 'pino';
import type { newScenarioSchema, ProviderChoice, SandboxState } from '#contract/service-api/sandbox.ts';
import type { Clock } from '#shared/time/clock.ts';
import { within } from '#shared/time/within.ts';
import { distanceKm, type LatLng } from '#contract/service-api/geo.ts';
import type { Config } from '#service/config/config.ts';
import { type Metag, type MetagPort, metagRadiusKm } from '../metags/metag-store.ts';
import type { Tables } from '../database/tables.ts';
import type { ProviderPause, SeenWeather } from '../watch/sweep-decision.ts';
import type { Places } from '../places/create-places.ts';
import { type BuiltBody, createAnswerCache } from './answer/answer-cache.ts';
import { serializePoints } from './answer/serialize-points.ts';
import { createWeatherAnswer, type WeatherAnswer } from './answer/weather-answer.ts';
import { assemblePoints, createSharedTerms } from './answer/assemble-points.ts';
import { cellCentre, cellOf, cellsAround } from './reading/cells.ts';
import { withReports } from './sources/crowd-reports.ts';
import { createObservedWeather } from './sources/observed-weather.ts';
import { describePrecipitation, isPrecipitatingNear, nextLookAt } from './sources/precipitation.ts';
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
import { simulationName } from './simulation/simulation.ts';
import { freshUntil } from './sources/weather-cache.ts';

/** What the sandbox control changes in the weather. */
export type SandboxWeather = {
  addScenario(scenario: z.output<typeof newScenarioSchema>): Promise<void>;
  clearScenarios(): Promise<void>;
  endScenario(id: string): void;
  choose(choice: ProviderChoice): Promise<void>;
  describe(): Promise<Omit<SandboxState, 'clock' | 'weatherFault'>>;
};

/** Steps of five minutes from the present one on. */
export type WeatherMinutes = { source: string; updatedAt: number | undefined; steps: readonly MinuteStep[] };

export type Weather = {
  /** The answer of docs/interface.md §4.3 as bytes. Throws a ServiceError where no weather can be had. */
  answerAt(place: LatLng, baseUrl: string): Promise<WeatherAnswer>;
  /** The answer of a cell from memory alone; undefined: ask `answerAt`. */
  peekAnswer(cellKey: string): WeatherAnswer | undefined;
  /** To be called when people reported something: what was built before it no longer holds. */
  forgetAnswers(): void;
  /**
   * Whether it precipitates near the place now or within the next 15 minutes, scenarios included, and when that may change.
   * Throws a ServiceError where no weather can be had.
   */
  precipitationAt(
    place: LatLng,
  ): Promise<{ isPrecipitating: boolean; nextUpdateAt: number | undefined; seen: SeenWeather | undefined }>;
  /** Undefined: a provider answers. */
  providerPause(): ProviderPause | undefined;
  /** Undefined where nobody has them. Throws a ServiceError where no weather can be had. */
  radarMinutesAt(place: LatLng): Promise<WeatherMinutes | undefined>;
  /** The key of the 0.1° cell in which a place lies. */
  cellOf(place: LatLng): string;
  sandbox: SandboxWeather;
  /** Ends the requests to providers, so that nothing waits for them; `close` follows. */
  endRequests(): Promise<void>;
  close(): Promise<void>;
};

type Options = {
  config: Config;
  clock: Clock;
  machineClock: Clock;
  log: Logger;
  db: Kysely<Tables>;
  places: Places;
  metags: MetagPort;
};

/** Reports that cannot be read so soon are left out, and are not asked for again for a while: weather goes before them. */
const reportPatienceMs = 500;
const withoutReportsMs = 1_000;

/** From the centre of a cell of 0.1° to its corner, at the equator, where it is largest. */
const farthestFromCentreKm = 7.9;

const placeOf = ({ latitude, longitude }: Metag): LatLng => ({ lat: latitude, lng: longitude });

export function createWeather({ config, clock, machineClock, log, db, places, metags }: Options): Weather {
  const observed = createObservedWeather({ config, clock, machineClock, log, db, random: Math.random });
  const answers = createAnswerCache({ clock });
  const shared = createSharedTerms();
  let scenarios: readonly PlacedScenario[] = [];

  let withoutReportsUntil = -Infinity;

  async function reportsAround(cell: LatLng): Promise<readonly Metag[]> {
    if (machineClock.elapsed() < withoutReportsUntil) return [];
    const radiusKm = metagRadiusKm + farthestFromCentreKm;
    const reports = await within(machineClock, reportPatienceMs, metags.reportsNear(cell, radiusKm));
    if (reports) return reports;
    log.warn({ ms: withoutReportsMs }, 'reports of users could not be read; weather leaves them out for a while');
    withoutReportsUntil = machineClock.elapsed() + withoutReportsMs;
    return [];
  }

  async function buildBody(place: LatLng, baseUrl: string, reports: readonly Metag[]): Promise<BuiltBody> {
    const cell = cellCentre(place);
    // Asked at once, since where no provider answers, the wait for a name would come on top of the wait for them.
    const naming = places.locate(cell);
    const weather = await observed.weatherOf(cell);
    const isCentre = weather.grid.lat === cell.lat && weather.grid.lng === cell.lng;
    const location = await (isCentre ? naming : places.locate(weather.grid));
    const now = clock.now();
    const reported = withReports(weather, reports, now);
    const laid = applyScenarios(reported, scenariosAt(scenarios, place), now);
    const points = assemblePoints({ weather: laid, now, baseUrl, location }, shared);
    const isMakeshift = weather.source === simulationName && observed.choice() !== 'simulation';
    const isFinal = !isMakeshift && places.isKnown(weather.grid) && now < freshUntil(weather);
    return { body: serializePoints(points), isFinal };
  }

  // Only the machine's clock: whoever moves the sandbox's clock back leaves scenarios at their times.
  const cancelOnJump = machineClock.onJump(() => {
    scenarios = scenarios.map((scenario) => pullScenarioIn(scenario, clock.now()));
    answers.forget();
  });

  const hasScenarios = () => scenarios.some(({ until }) => until > clock.now());

  return {
    async answerAt(place, baseUrl) {
      const around = await reportsAround(cellCentre(place));
      const here = around.filter((report) => distanceKm(place, placeOf(report)) <= metagRadiusKm);
      const build = () => buildBody(place, baseUrl, here);
      // The circles of scenarios and reports cut through cells: where there are any, each place is looked at for itself.
      if (hasScenarios() || around.length > 0) return createWeatherAnswer((await build()).body);
      return answers.get(cellOf(place), build);
    },
    forgetAnswers: () => answers.forget(),
    peekAnswer: (cellKey) => (hasScenarios() ? undefined : answers.peek(cellKey)),
    async precipitationAt(place) {
      const here = scenariosAt(scenarios, place);
      const near = scenariosNear(scenarios, place, config.triggerRadiusKm);
      const weather = await observed.weatherOf(cellCentre(place)).catch((error: unknown) => {
        // A scenario decides without any provider.
        if (near.length > 0) return undefined;
        throw error;
      });
      // Neighbours are looked at only where they are known anyway: asking for them would cost several requests a monitor.
      const around = cellsAround(place, config.triggerRadiusKm).map((cell) => observed.knownOf(cell));
      const neighbours = around.filter((known) => known !== undefined);
      const surroundings = { weather, neighbours, here, near };
      const now = clock.now();
      return {
        isPrecipitating: isPrecipitatingNear(surroundings, now),
        nextUpdateAt: nextLookAt(surroundings, now),
        seen: describePrecipitation(surroundings, now),
      };
    },
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
        answers.forget();
      },
      async clearScenarios() {
        scenarios = [];
        answers.forget();
      },
      endScenario(id) {
        scenarios = scenarios.filter((scenario) => scenario.id !== id);
        answers.forget();
      },
      async choose(choice) {
        observed.choose(choice);
        answers.forget();
      },
      async describe() {
        const active = scenarios.filter(({ until }) => until > clock.now());
        const { provider, cache } = observed.describe();
        const hits = cache.hits + answers.hits();
        return { provider, cache: { ...cache, hits }, scenarios: active.map(describeScenario) };
      },
    },
    endRequests: () => observed.endRequests(),
    async close() {
      cancelOnJump();
      await observed.close();
    },
  };
}
