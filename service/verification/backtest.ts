// What a monitor at a place would have done in the last 30 days (docs/verification.md, "Backtest"): the service's own decision on
// past forecasts, or with simulated weather, on the simulation's past. Bounded in time and number.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, dayMs, hourMs, within } from '@rainbell/shared';
import {
  type Backtest,
  describeBacktest,
  eventIntervalSeconds,
  type EventRules,
  type LatLng,
  precipitationTypes,
  type ProviderChoice,
} from '@rainbell/contract/service-api';
import { ServiceError } from '../errors/service-error.ts';
import { isPrecipitatingNear, nextCheckAt } from '../monitors/sweep/precipitation.ts';
import { decideEpisode, lookAt, noEpisode } from '../monitors/sweep/decide-episode.ts';
import { planCheck } from '../monitors/sweep/sweep.ts';
import { type HistoricalForecast, historicalName } from '../weather/providers/open-meteo/historical-forecast.ts';
import { cellCentre } from '../weather/reading/cells.ts';
import { type CellWeather, ProviderFailure, type Rainfall } from '../weather/reading/reading.ts';
import { type Simulation, simulationName } from '../weather/simulation/simulation.ts';
import { type NearbyWeather, timelineOf } from '../weather/timeline.ts';

export type Backtests = ReturnType<typeof createBacktests>;

type Dependencies = {
  clock: Clock;
  machineClock: Clock;
  choice: () => ProviderChoice;
  historical: HistoricalForecast;
  simulation: Pick<Simulation, 'pastRainfall'>;
};

type Span = { from: number; until: number };

const spanMs = 30 * dayMs;
/** Less data is not meaningful. */
const minHours = 7 * 24;
const maxAtOnce = 4;
const historicalTimeoutMs = 1_000;
const quarterMs = 900_000;
const gateMs = eventIntervalSeconds * 1000;
const sweepMs = 60_000;
/** The simulation has new data at every check, so fewer checks save time. */
const simulatedSweepMs = 5 * 60_000;
const checksPerTurn = 500;

export function createBacktests(needs: Dependencies) {
  let running = 0;
  return {
    /** Throws a ServiceError (503) while too many are being computed. */
    async at(place: LatLng, rules?: EventRules): Promise<Backtest> {
      if (running >= maxAtOnce) {
        throw new ServiceError(
          'temporarily_unavailable',
          'Other backtests are being computed. Try again in a second.',
          { retryAfter: 1 },
        );
      }
      running += 1;
      try {
        const now = needs.clock.now();
        const compute = needs.choice() === 'simulation' ? simulated : forecast;
        return await compute(needs, cellCentre(place), { from: now - spanMs, until: now }, rules);
      } finally {
        running -= 1;
      }
    },
  };
}

async function forecast(needs: Dependencies, place: LatLng, span: Span, rules?: EventRules): Promise<Backtest> {
  const fetched = needs.historical(place, span.from, span.until).catch((error: unknown) => {
    if (error instanceof ProviderFailure) return error;
    throw error;
  });
  const rainfall = await within(needs.machineClock, historicalTimeoutMs, fetched);
  if (rainfall === undefined) return lacking(`${historicalName}'s historical forecasts did not arrive in time`);
  if (rainfall instanceof ProviderFailure) {
    return lacking(`${historicalName}'s historical forecasts are not available, because ${rainfall.message}`);
  }
  if (new Set(rainfall.map(({ from }) => Math.floor(from / hourMs))).size < minHours) {
    return lacking(`${historicalName} does not have 7 days of data for this location`);
  }
  const wet = rainfall.filter(({ mmPerHour }) => mmPerHour > 0);
  const isKindUnknown = wet.length > 0 && wet.every(({ kind = 'unknown' }) => kind === 'unknown');
  if (isKindUnknown && rules && rules.types.length < precipitationTypes.length)
    return lacking(`${historicalName}'s historical forecasts do not say what fell`);
  const decided = await decide(forecastsOf(place, rainfall, historicalName, span), sweepMs, firingOf(rules));
  return describe('historical_forecast', decided);
}

async function simulated(
  { simulation }: Dependencies,
  place: LatLng,
  span: Span,
  rules?: EventRules,
): Promise<Backtest> {
  const rainfall = simulation.pastRainfall(place, span.from, span.until, quarterMs);
  const forecasts = forecastsOf(place, rainfall, simulationName, span);
  return describe('simulation', await decide(forecasts, simulatedSweepMs, firingOf(rules)));
}

/** As if the rates had been fetched every hour, for this hour and the next two. */
function forecastsOf(grid: LatLng, rainfall: readonly Rainfall[], source: string, { from, until }: Span) {
  const byHour = Map.groupBy(rainfall, (rate) => Math.floor(rate.from / hourMs));
  const forecasts: CellWeather[] = [];
  for (let hour = Math.floor(from / hourMs); hour * hourMs < until; hour += 1) {
    const own = byHour.get(hour);
    if (!own) continue;
    const fetchedAt = hour * hourMs;
    const rates = [...own, ...(byHour.get(hour + 1) ?? []), ...(byHour.get(hour + 2) ?? [])];
    forecasts.push({ source, grid, fetchedAt, freshUntil: fetchedAt + hourMs, steps: [], rainfall: rates });
  }
  return forecasts;
}

type Fires = (nearby: NearbyWeather, now: number) => boolean;

/** With the hour between events. `rules`: of a monitor with its own conditions (docs/events.md), whose starts count. */
function firingOf(rules?: EventRules): Fires {
  let gateOpensAt = -Infinity;
  let state = noEpisode;
  const decideNow: Fires = (nearby, now) => {
    if (!rules) return now >= gateOpensAt && isPrecipitatingNear(nearby, now);
    const look = lookAt(timelineOf(nearby, now), rules, now);
    const decision = decideEpisode(state, look, { rules, startGate: gateOpensAt, newId: () => '' });
    ({ state } = decision);
    return decision.event?.kind === 'started';
  };
  return (nearby, now) => {
    const isFired = decideNow(nearby, now);
    if (isFired) gateOpensAt = now + gateMs;
    return isFired;
  };
}

type Decided = Pick<Backtest, 'events' | 'days'>;

/** Runs the service's decision and the cool-down at each check. Yields to other work. */
async function decide(forecasts: readonly CellWeather[], intervalMs: number, fires: Fires): Promise<Decided> {
  const days = new Set<number>();
  let [events, checks] = [0, 0];
  for (const weather of forecasts) {
    // New data arrives between two sweeps.
    let now = weather.fetchedAt + intervalMs / 2;
    while (now < weather.fetchedAt + hourMs) {
      checks += 1;
      days.add(Math.floor(now / dayMs));
      const nextUpdateAt = nextCheckAt({ weather, scenarios: [] }, now);
      if (fires({ weather, here: [] }, now)) events += 1;
      // The first sweep at or after the planned time, because sweeps run at fixed intervals.
      const planned = planCheck({ isPrecipitating: false, nextUpdateAt }, now, intervalMs);
      now += intervalMs * Math.max(1, Math.ceil((planned - now) / intervalMs));
      if (checks % checksPerTurn === 0) await nextTurn();
    }
  }
  return { events, days: Math.min(30, days.size) };
}

function lacking(reason: string): Backtest {
  return withSentence({ source: null, provider: null, days: 0, events: 0, reason });
}

function describe(source: NonNullable<Backtest['source']>, decided: Decided): Backtest {
  const provider = source === 'historical_forecast' ? historicalName : null;
  return withSentence({ source, provider, ...decided, reason: null });
}

function withSentence(facts: Omit<Backtest, 'sentence'>): Backtest {
  return { ...facts, sentence: describeBacktest(facts) };
}
