// Weather of one provider for one cell, before it is assembled into points. A missing member means unknown; nothing is invented.
// Times are epoch milliseconds; units are in the names or follow contract/service-api/weather.ts (`measured`).
import { hourMs, minuteMs } from '@rainbell/shared';
import {
  type LatLng,
  type Measured,
  type Status,
  type EventBasis,
  type EvidenceKind,
  type PrecipitationType,
  forecastHorizonHours,
} from '@rainbell/contract/service-api';

export type Reading = {
  at: number;
  status: Status;
  measured?: Measured;
  /** Contributors, in order, if the cell's source is not the only one. */
  sources?: readonly string[];
  /** A scenario of the sandbox decided it. */
  isScenario?: boolean;
};

export type Rainfall = { from: number; until: number; mmPerHour: number; kind?: PrecipitationType };

/** The kind of precipitation of a status; a storm is one of rain. */
export function kindOfStatus(status: Status | undefined): PrecipitationType {
  if (status === 'rainy' || status === 'stormy') return 'rain';
  if (status === 'snowy' || status === 'snow flurries') return 'snow';
  return status === 'hailing' ? 'hail' : 'unknown';
}

export type CellWeather = {
  /** The value in a point's `sources`. */
  source: string;
  grid: LatLng;
  fetchedAt: number;
  /** The provider has nothing new until then; if absent, for 15 minutes. */
  freshUntil?: number;
  /** As the provider said it, for a later conditional request. */
  lastModified?: string | undefined;
  /** The provider's current reading; shown as now while it is recent. */
  current?: Reading;
  /** Simulated because no provider responded: shown, but never the basis of an event. */
  isFallback?: true;
  /** Shown past its time because the provider has not responded since; each point says so. */
  isStored?: true;
  steps: readonly Reading[];
  /** The last and next minutes, for the watch. */
  rainfall: readonly Rainfall[];
  /** Reports of stations that are near some place in the cell, the nearest to its center first. Which counts depends on the place. */
  stations?: readonly NearObservation[];
  /** The station near the place that reports precipitation. */
  wetBy?: Trigger;
  /** Source of the amounts in `rainfall`, if not the provider. */
  rainfallBy?: Trigger;
  /** The latest observations of stations, radar, and the provider itself; for docs/verification.md. */
  observed?: readonly Evidence[];
};

export type Observation = {
  /** ICAO id, like `LIMF`. */
  station: string;
  place: LatLng;
  at: number;
  status: Status;
  isPrecipitating: boolean;
  /** Precipitation now and in the time before the report (docs/verification.md); undefined if not reported. */
  precipitation?: 'falling' | 'recent' | 'none' | undefined;
  /** The report's weather groups: `-RA BR`; empty if it has none. */
  groups?: string;
  measured?: Measured;
};

export type NearObservation = Observation & { distanceKm: number };

/** Precipitation for the next two hours in steps of five minutes. */
export type RadarMinutes = {
  source: string;
  /** When the source created it. */
  updatedAt: number | undefined;
  rainfall: readonly Rainfall[];
};

/** What a radar measures and forecasts for a cell; `rainfall` is empty outside its coverage. */
export type Nowcast = RadarMinutes & { current: Reading | undefined };

/** A provider did not respond, or not with weather. The message says what it returned, for the log and the sandbox. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';
  readonly provider: string;
  /** How long the provider asked clients to wait. */
  readonly retryAfterSeconds: number | undefined;
  readonly status: number | undefined;
  /** No response: no connection, or a timeout. */
  readonly isOfNetwork: boolean;

  constructor(
    provider: string,
    message: string,
    options: { retryAfterSeconds?: number; status?: number; isOfNetwork?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.provider = provider;
    this.status = options.status;
    this.isOfNetwork = options.isOfNetwork ?? false;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  /** The provider refused or garbled this one request; it may have weather for other places. */
  get isOfRequest(): boolean {
    if (this.isOfNetwork || this.retryAfterSeconds !== undefined || /limit exceeded/i.test(this.message)) return false;
    return this.status === undefined || refusals.includes(this.status);
  }
}

/** Not requested, because our share of the provider's quota is used up. */
export class QuotaUsedUp extends ProviderFailure {
  constructor(provider: string, retryAfterSeconds: number) {
    super(provider, 'its request quota for this service is used up', { retryAfterSeconds });
  }
}

/** Statuses about the request: its form, its place, or its length. */
const refusals: readonly number[] = [400, 404, 413, 414, 422];

/** An observation near a place (docs/verification.md): sweeps pass them on, and verification compares them. */
export type Evidence = {
  kind: EvidenceKind;
  /** As in a point's `sources`: `metar:LIMF`. */
  source: string;
  place: LatLng;
  /** When it was observed. Identifies the observation together with the source and, if the source has many, the place. */
  at: number;
  /** The time it is evidence for: earlier than `at` if the report is about the past. */
  countsAt: number;
  isWet: boolean;
  /** Tells users the weather groups of a METAR (`-RA BR`), or an amount. */
  text: string;
  /** Set for an amount: the provider may have forecast the same before the event. */
  mmPerHour?: number | undefined;
};

/** The basis of an event: its source, and which observation or forecast of it. */
export type Trigger = {
  source: string;
  at: number;
  /** An observation already showed rain. */
  isObserved?: true;
  basis?: EventBasis;
  kind?: PrecipitationType;
  /** The station, or the grid point of the data; of a scenario, the center of its circle. */
  place?: LatLng;
  radiusKm?: number;
  amounts?: readonly { from: number; until: number; mmPerHour: number }[];
};

/** Maximum age at which a provider's current reading is shown as now; older data keeps its own time. */
const presentForMs = 90 * minuteMs;

/**
 * Returns the current weather. If it is fresh, its timestamp is the query's time, to the minute (docs/interface.md §2.3); stale
 * data keeps its own time, so that no one takes it for current.
 */
export function presentReading({ current, steps }: CellWeather, now: number): Reading | undefined {
  const minute = Math.floor(now / minuteMs) * minuteMs;
  const isPresent = ({ at }: Reading) => at <= now + 30 * minuteMs && at > now - presentForMs;
  const lastStep = steps.findLast(({ at }) => at <= now);
  const candidates = [current, lastStep, steps.find(({ at }) => at > now)];
  const fresh = candidates.find((reading) => reading !== undefined && isPresent(reading));
  if (fresh) return { ...fresh, at: minute };
  return current !== undefined && current.at <= now ? current : lastStep;
}

const oldestMs = 6 * hourMs;

/** Throws a ProviderFailure if no reading is near now: old data, or a recording from another time, is not a forecast. */
export function requireCurrentWeather(weather: CellWeather): CellWeather {
  const { fetchedAt: now, current, steps, source } = weather;
  const isNear = ({ at }: { at: number }) => at >= now - oldestMs && at <= now + forecastHorizonHours * hourMs;
  if ((current && isNear(current)) || steps.some(isNear)) return weather;
  throw new ProviderFailure(source, 'its response has no weather for today or the coming days');
}
