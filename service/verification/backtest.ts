// What a monitor at a place would have done in the last 30 days (docs/verification.md, "Backtest"): the replay of the recorded
// archive or, without one, of historical forecasts; with simulated weather, of the simulation's past. Bounded in time and number,
// and cached for an hour per cell.
import { createCache } from '#service/cache/create-cache.ts';
import type { Clock } from '#shared/time/clock.ts';
import { within } from '#shared/time/within.ts';
import { type Backtest, describeBacktest } from '#contract/service-api/backtest.ts';
import type { LatLng } from '#contract/service-api/geo.ts';
import type { ProviderChoice } from '#contract/service-api/sandbox.ts';
import { ServiceError } from '#service/errors/service-error.ts';
import { formatPolicy, type SweepPolicy } from '#service/watch/policy.ts';
import { type HistoricalForecast, historicalName } from '#service/weather/open-meteo/historical-forecast.ts';
import { cellCentre, cellOf } from '#service/weather/reading/cells.ts';
import { type CellWeather, ProviderFailure, type Rainfall } from '#service/weather/reading/reading.ts';
import { type Simulation, simulationName } from '#service/weather/simulation/simulation.ts';
import { type Archive, readArchive } from './archive-reader.ts';
import { estimateCount, estimateMedian, scoreTable } from './contingency.ts';
import { leadsOf, replay, type ReplayedPlace, type ReplayRules, tableOf } from './replay.ts';

export type Backtests = {
  /** Throws a ServiceError (503) while too many are being computed. */
  at(place: LatLng): Promise<Backtest>;
};

type Dependencies = {
  clock: Clock;
  machineClock: Clock;
  policy: SweepPolicy;
  /** Decides when and where an observation counts. */
  rules: ReplayRules;
  choice: () => Promise<ProviderChoice>;
  /** Undefined: nothing is recorded. */
  recordFolder: string | undefined;
  historical: HistoricalForecast;
  simulation: Pick<Simulation, 'pastRainfall'>;
};

type Span = { from: number; until: number };
type Found = { source: NonNullable<Backtest['source']>; days: number; place: ReplayedPlace };
type Outcome = Found | { source: null; reason: string; isLasting: boolean };

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const spanMs = 30 * dayMs;
/** Less data is not meaningful. */
const minHours = 7 * 24;
const retentionMs = hourMs;
const keptAfterFailureMs = 60_000;
const maxCells = 1_000;
const maxAtOnce = 4;
const aroundKm = 60;
/** By the machine's clock: in total well below 2 s. */
const readForMs = 700;
const historicalTimeoutMs = 1_000;
const maxBytes = 64 * 1024 * 1024;
const quarterMs = 900_000;
/** The simulation has new data at every check, so fewer checks save time. */
const simulatedIntervalMs = 5 * 60_000;

export function createBacktests(needs: Dependencies): Backtests {
  const { clock, policy } = needs;
  const kept = createCache<string, { backtest: Backtest; from: number; until: number }>(maxCells);
  const inFlight = new Map<string, Promise<Backtest>>();

  async function compute(place: LatLng, choice: ProviderChoice, key: string): Promise<Backtest> {
    const now = clock.now();
    const span = { from: now - spanMs, until: now };
    const outcome = choice === 'simulation' ? await simulated(needs, place, span) : await recorded(needs, place, span);
    const backtest = describe(outcome, policy);
    const isShort = outcome.source === null && !outcome.isLasting;
    kept.set(key, { backtest, from: now, until: now + (isShort ? keptAfterFailureMs : retentionMs) });
    return backtest;
  }

  return {
    async at(place) {
      const center = cellCentre(place);
      const choice = await needs.choice();
      const key = `${cellOf(center)} ${choice}`;
      const known = kept.get(key);
      const now = clock.now();
      if (known && now >= known.from && now < known.until) return known.backtest;
      const running = inFlight.get(key);
      if (running) return running;
      if (inFlight.size >= maxAtOnce) {
        throw new ServiceError(
          'temporarily_unavailable',
          'Other backtests are being computed. Try again in a second.',
          {
            headers: { 'retry-after': '1' },
          },
        );
      }
      const started = compute(center, choice, key).finally(() => inFlight.delete(key));
      inFlight.set(key, started);
      return started;
    },
  };
}

async function recorded(needs: Dependencies, place: LatLng, span: Span): Promise<Outcome> {
  const archive = await readAround(needs, place, span);
  const cell = cellOf(place);
  const own = archive?.forecasts.get(cell) ?? [];
  if (archive && hoursOf(own.map(({ at }) => at)) >= minHours) {
    return find('archive', await replay(archive, needs.policy, needs.rules, [cell]));
  }
  const fetched = needs.historical(place, span.from, span.until).catch((error: unknown) => {
    if (error instanceof ProviderFailure) return error;
    throw error;
  });
  const rainfall = await within(needs.machineClock, historicalTimeoutMs, fetched);
  if (rainfall === undefined) return lacking(`${historicalName}'s historical forecasts did not arrive in time`);
  if (rainfall instanceof ProviderFailure) {
    return lacking(`${historicalName}'s historical forecasts are not available, because ${rainfall.message}`);
  }
  if (hoursOf(rainfall.map(({ from }) => from)) < minHours) {
    return {
      ...lacking(`neither the archive nor ${historicalName} has 7 days of data for this location`),
      isLasting: true,
    };
  }
  // Nearby airports' reports count even if they were recorded for other places.
  const past = { ...archiveOf(cell, rainfall, historicalName, span), observations: archive?.observations ?? [] };
  return find('historical_forecast', await replay(past, forecastOnly(needs.policy), needs.rules, [cell]));
}

/** Past forecasts did not use these reports; they only decide outcomes. */
function forecastOnly(policy: SweepPolicy): SweepPolicy {
  return { ...policy, sources: ['forecast'] };
}

async function readAround({ recordFolder, machineClock }: Dependencies, place: LatLng, span: Span) {
  if (recordFolder === undefined) return undefined;
  const endsAt = machineClock.elapsed() + readForMs;
  const isOver = () => machineClock.elapsed() >= endsAt;
  // A folder that is unreadable or does not exist yet has no data.
  return readArchive(recordFolder, { ...span, around: { place, km: aroundKm }, maxBytes, isOver }).catch(
    () => undefined,
  );
}

/** In the simulation, observed and forecast precipitation are both available. */
async function simulated({ simulation, policy, rules }: Dependencies, place: LatLng, span: Span): Promise<Outcome> {
  const cell = cellOf(place);
  const rainfall = simulation.pastRainfall(place, span.from, span.until, quarterMs);
  const observations = rainfall.map(({ from, mmPerHour }) => ({
    at: from,
    observation: {
      station: 'SIM',
      place,
      at: from,
      status: mmPerHour > 0 ? ('rainy' as const) : ('cloudy' as const),
      isPrecipitating: mmPerHour > 0,
    },
  }));
  const past = { ...archiveOf(cell, rainfall, simulationName, span), observations };
  return find(
    'simulation',
    await replay(past, forecastOnly(policy), { ...rules, intervalMs: simulatedIntervalMs }, [cell]),
  );
}

/** As if the rates had been fetched every hour, for this hour and the next two. */
function archiveOf(cell: string, rainfall: readonly Rainfall[], source: string, { from, until }: Span): Archive {
  const byHour = Map.groupBy(rainfall, (rate) => Math.floor(rate.from / hourMs));
  const [lat = 0, lng = 0] = cell.split(',').map(Number);
  const forecasts: { at: number; weather: CellWeather }[] = [];
  for (let hour = Math.floor(from / hourMs); hour * hourMs < until; hour += 1) {
    const own = byHour.get(hour);
    if (!own) continue;
    const at = hour * hourMs;
    const rates = [...own, ...(byHour.get(hour + 1) ?? []), ...(byHour.get(hour + 2) ?? [])];
    const weather = { source, grid: { lat, lng }, fetchedAt: at, freshUntil: at + hourMs, steps: [], rainfall: rates };
    forecasts.push({ at, weather });
  }
  const none = { radars: new Map(), observations: [], lines: 0, skippedLines: 0, isPartial: false };
  return { ...none, forecasts: new Map([[cell, forecasts]]) };
}

function hoursOf(instants: readonly number[]): number {
  return new Set(instants.map((at) => Math.floor(at / hourMs))).size;
}

function find(source: Found['source'], [place]: readonly ReplayedPlace[]): Outcome {
  if (!place) return { ...lacking('no forecasts for this location are available'), isLasting: true };
  return { source, days: Math.min(30, place.looks.size), place };
}

function lacking(reason: string) {
  return { source: null, reason, isLasting: false } as const;
}

function describe(outcome: Outcome, policy: SweepPolicy): Backtest {
  if (outcome.source === null) {
    const nothing = { days: 0, events: 0, confirmed: 0, not_confirmed: 0, no_evidence: 0, missed: 0 };
    const unknown = { expected: null, pod: null, far: null, csi: null, lead_minutes: null, station: null };
    const { reason } = outcome;
    const facts = { source: null, provider: null, policy: formatPolicy(policy), ...nothing, ...unknown, reason };
    return { ...facts, ...describeBacktest(facts) };
  }
  const { source, days, place } = outcome;
  const table = tableOf([place]);
  const { pod, far, csi } = scoreTable(table);
  const { station } = place;
  const facts = {
    source,
    provider: source === 'historical_forecast' ? historicalName : null,
    policy: formatPolicy(policy),
    days,
    events: place.events.length,
    expected: estimateCount(place.events.length),
    confirmed: table.hits,
    not_confirmed: table.falseAlarms,
    no_evidence: place.events.length - table.hits - table.falseAlarms,
    missed: table.misses,
    pod: pod ?? null,
    far: far ?? null,
    csi: csi ?? null,
    lead_minutes: estimateMedian(leadsOf([place])) ?? null,
    station:
      station && source !== 'simulation'
        ? { name: station.name, distance_km: Math.round(station.distanceKm * 10) / 10 }
        : null,
    reason: null,
  };
  return { ...facts, ...describeBacktest(facts) };
}
