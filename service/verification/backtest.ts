// What a monitor at a place would have done in the last 30 days (docs/verification.md, "Backtest"): the service's own decision on
// past forecasts, or with simulated weather, on the simulation's past. Bounded in time and number, and cached for an hour per cell.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createCache } from '../cache/create-cache.ts';
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
import { cellCentre, cellOf } from '../weather/reading/cells.ts';
import { type CellWeather, ProviderFailure, type Rainfall } from '../weather/reading/reading.ts';
import { type Simulation, simulationName } from '../weather/simulation/simulation.ts';
import { type NearbyWeather, timelineOf } from '../weather/timeline.ts';
import { estimateMedian, estimateShare } from './estimates.ts';
import { graceMs, isOnsetAfter, verificationRules } from './decide-outcome.ts';

export type Backtests = ReturnType<typeof createBacktests>;

type Dependencies = {
  clock: Clock;
  machineClock: Clock;
  choice: () => Promise<ProviderChoice>;
  historical: HistoricalForecast;
  simulation: Pick<Simulation, 'pastRainfall'>;
};

type Span = { from: number; until: number };
type Report = { at: number; isWet: boolean };
/** `keptMs`: how long it is valid. */
type Result = { backtest: Backtest; keptMs: number };

const spanMs = 30 * dayMs;
/** Less data is not meaningful. */
const minHours = 7 * 24;
const retentionMs = hourMs;
const keptAfterFailureMs = 60_000;
const maxCells = 1_000;
const maxAtOnce = 4;
const historicalTimeoutMs = 1_000;
const quarterMs = 900_000;
const gateMs = eventIntervalSeconds * 1000;
const sweepMs = 60_000;
/** The simulation has new data at every check, so fewer checks save time. */
const simulatedSweepMs = 5 * 60_000;
const checksPerTurn = 500;

export function createBacktests(needs: Dependencies) {
  const { clock } = needs;
  const kept = createCache<string, { backtest: Backtest; from: number; until: number }>(maxCells);
  const inFlight = new Map<string, Promise<Backtest>>();

  async function run(place: LatLng, choice: ProviderChoice, key: string, rules?: EventRules): Promise<Backtest> {
    const now = clock.now();
    const span = { from: now - spanMs, until: now };
    const compute = choice === 'simulation' ? simulated : forecast;
    const { backtest, keptMs } = await compute(needs, place, span, rules);
    kept.set(key, { backtest, from: now, until: now + keptMs });
    return backtest;
  }

  return {
    /** Throws a ServiceError (503) while too many are being computed. */
    async at(place: LatLng, rules?: EventRules): Promise<Backtest> {
      const center = cellCentre(place);
      const choice = await needs.choice();
      const key = `${cellOf(center)} ${choice} ${rules ? JSON.stringify(rules) : ''}`;
      const known = kept.get(key);
      const now = clock.now();
      if (known && now >= known.from && now < known.until) return known.backtest;
      const running = inFlight.get(key);
      if (running) return running;
      if (inFlight.size >= maxAtOnce) {
        throw new ServiceError(
          'temporarily_unavailable',
          'Other backtests are being computed. Try again in a second.',
          { retryAfter: 1 },
        );
      }
      const started = run(center, choice, key, rules).finally(() => inFlight.delete(key));
      inFlight.set(key, started);
      return started;
    },
  };
}

async function forecast(needs: Dependencies, place: LatLng, span: Span, rules?: EventRules): Promise<Result> {
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
    return lacking(`${historicalName} does not have 7 days of data for this location`, retentionMs);
  }
  const wet = rainfall.filter(({ mmPerHour }) => mmPerHour > 0);
  const isKindUnknown = wet.length > 0 && wet.every(({ kind = 'unknown' }) => kind === 'unknown');
  if (isKindUnknown && rules && rules.types.length < precipitationTypes.length)
    return lacking(`${historicalName}'s historical forecasts do not say what fell`);
  const decided = await decide(forecastsOf(place, rainfall, historicalName, span), sweepMs, firingOf(rules));
  return describe('historical_forecast', decided, []);
}

/** In the simulation, observed and forecast precipitation are both available. */
async function simulated({ simulation }: Dependencies, place: LatLng, span: Span, rules?: EventRules): Promise<Result> {
  const rainfall = simulation.pastRainfall(place, span.from, span.until, quarterMs);
  const counts = ({ mmPerHour, kind = 'unknown' }: Rainfall) =>
    !rules || (mmPerHour >= rules.leastMmPerHour && rules.types.includes(kind));
  const reports = rainfall.map((rate) => ({ at: rate.from, isWet: rate.mmPerHour > 0 && counts(rate) }));
  const forecasts = forecastsOf(place, rainfall, simulationName, span);
  return describe('simulation', await decide(forecasts, simulatedSweepMs, firingOf(rules)), reports);
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

/** What a check finds: an event, or an episode that one has already announced. */
type Fires = (nearby: NearbyWeather, now: number) => 'event' | 'episode' | undefined;

/** With the hour between events. `rules`: of a monitor with its own conditions (docs/events.md), whose starts count. */
function firingOf(rules?: EventRules): Fires {
  let gateOpensAt = -Infinity;
  let state = noEpisode;
  const decideNow: Fires = (nearby, now) => {
    if (!rules) return now >= gateOpensAt && isPrecipitatingNear(nearby, now) ? 'event' : undefined;
    const look = lookAt(timelineOf(nearby, now), rules, now);
    const decision = decideEpisode(state, look, { rules, startGate: gateOpensAt, newId: () => '' });
    ({ state } = decision);
    if (decision.event?.kind === 'started') return 'event';
    return state.phase === 'dry' ? undefined : 'episode';
  };
  return (nearby, now) => {
    const found = decideNow(nearby, now);
    if (found === 'event') gateOpensAt = now + gateMs;
    return found;
  };
}

/** `known`: when an event or its episode was on. */
type Decided = { events: readonly number[]; known: readonly number[]; checks: readonly number[] };

/** Runs the service's decision and the cool-down at each check. Yields to other work. */
async function decide(forecasts: readonly CellWeather[], intervalMs: number, fires: Fires): Promise<Decided> {
  const events: number[] = [];
  const known: number[] = [];
  const checks: number[] = [];
  for (const weather of forecasts) {
    // New data arrives between two sweeps.
    let now = weather.fetchedAt + intervalMs / 2;
    while (now < weather.fetchedAt + hourMs) {
      checks.push(now);
      const nearby = { weather, here: [] };
      const nextUpdateAt = nextCheckAt({ weather, scenarios: [] }, now);
      const found = fires(nearby, now);
      if (found === 'event') events.push(now);
      if (found) known.push(now);
      // The first sweep at or after the planned time, because sweeps run at fixed intervals.
      const planned = planCheck({ isPrecipitating: false, nextUpdateAt }, now, intervalMs);
      now += intervalMs * Math.max(1, Math.ceil((planned - now) / intervalMs));
      if (checks.length % checksPerTurn === 0) await nextTurn();
    }
  }
  return { events, known, checks };
}

type PastEvent = {
  isOnset: boolean;
  /** Undefined if there was no observation in the window. */
  isConfirmed: boolean | undefined;
  /** From the event to the first precipitation observed after it; 0 if it was observed before. */
  leadMinutes: number | undefined;
};

function outcomeOf(at: number, reports: readonly Report[]): PastEvent {
  const wetAges = reports.flatMap((report) => (report.isWet ? [at - report.at] : []));
  const isOnset = isOnsetAfter(wetAges);
  // Each is about a quarter of an hour, so the one at the event's own time counts too.
  const later = reports.filter((report) => report.at + quarterMs > at && report.at <= at + verificationRules.windowMs);
  const wet = later.find(({ isWet }) => isWet);
  if (!wet) return { isOnset, isConfirmed: later.length > 0 ? false : undefined, leadMinutes: undefined };
  const wasWet = wetAges.some((age) => age >= 0 && age < hourMs);
  return { isOnset, isConfirmed: true, leadMinutes: wasWet ? 0 : (wet.at - at) / 60_000 };
}

/** Whether each miss was an onset; at most one an hour. */
function findMisses(reports: readonly Report[], known: readonly number[]): boolean[] {
  const misses: number[] = [];
  for (const { at, isWet } of reports) {
    if (!isWet || at < (misses.at(-1) ?? -Infinity) + gateMs) continue;
    if (!known.some((time) => time > at - gateMs && time <= at + graceMs)) misses.push(at);
  }
  return misses.map((at) => !reports.some((report) => report.isWet && report.at < at && report.at > at - hourMs));
}

function lacking(reason: string, keptMs = keptAfterFailureMs): Result {
  const nothing = { days: 0, events: 0, confirmed: 0, not_confirmed: 0, no_evidence: 0, missed: 0 };
  const facts = { source: null, provider: null, ...nothing, pod: null, far: null, lead_minutes: null, reason };
  return { backtest: { ...facts, ...describeBacktest(facts) }, keptMs };
}

function describe(
  source: NonNullable<Backtest['source']>,
  { events: times, known, checks }: Decided,
  reports: readonly Report[],
): Result {
  const events = times.map((at) => outcomeOf(at, reports));
  const misses = findMisses(reports, known);
  const { no_evidence, ...scores } = scoresOf(events, misses.length);
  const { no_evidence: _, ...onsets } = scoresOf(
    events.filter(({ isOnset }) => isOnset),
    misses.filter((isOnset) => isOnset).length,
  );
  const facts = {
    source,
    provider: source === 'historical_forecast' ? historicalName : null,
    days: Math.min(30, new Set(checks.map((at) => Math.floor(at / dayMs))).size),
    events: events.length,
    no_evidence,
    ...scores,
    onsets,
    lead_minutes: estimateMedian(events.flatMap(({ leadMinutes }) => leadMinutes ?? [])) ?? null,
    reason: null,
  };
  return { backtest: { ...facts, ...describeBacktest(facts) }, keptMs: retentionMs };
}

function scoresOf(events: readonly PastEvent[], missed: number) {
  const confirmed = events.filter(({ isConfirmed }) => isConfirmed === true).length;
  const not_confirmed = events.filter(({ isConfirmed }) => isConfirmed === false).length;
  const no_evidence = events.length - confirmed - not_confirmed;
  const pod = estimateShare(confirmed, confirmed + missed) ?? null;
  const far = estimateShare(not_confirmed, confirmed + not_confirmed) ?? null;
  return { confirmed, not_confirmed, no_evidence, missed, pod, far };
}
