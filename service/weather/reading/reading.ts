// Weather of one provider for one cell, before it is assembled into points. A missing member means unknown; nothing is invented.
// Times are epoch milliseconds; units are in the names or follow contract/service-api/weather.ts (`measured`).
import type { LatLng, Measured, Status } from '@rainbell/contract/service-api';
import type { Evidence, Trigger } from './evidence.ts';

export type Reading = {
  at: number;
  status: Status;
  measured?: Measured;
  /** Contributors, in order, if the cell's source is not the only one. */
  sources?: readonly string[];
  /** A scenario of the sandbox decided it. */
  isScenario?: boolean;
};

/** A precipitation rate valid from `from` until `until`. */
export type Rainfall = { from: number; until: number; mmPerHour: number };

/** Values that a later conditional request sends back exactly as received. */
export type Validators = { lastModified?: string; etag?: string };

export type CellWeather = {
  /** The value in a point's `sources`. */
  source: string;
  /** The provider's own grid point. */
  grid: LatLng;
  fetchedAt: number;
  /** The provider has nothing new until then; if absent, for 15 minutes. */
  freshUntil?: number;
  /** Validators for a conditional request. */
  validators?: Validators;
  /** The provider's current reading; shown as now while it is recent. */
  current?: Reading;
  /** Whether it precipitates at `current`, if the provider says so. */
  isPrecipitating?: boolean;
  /** Simulated because no provider responded: shown, but never the basis of an event. */
  isFallback?: true;
  /** Shown past its time because the provider has not responded since; each point says so. */
  isStored?: true;
  /** Ascending, one per step. */
  steps: readonly Reading[];
  /** The last and next minutes, for the watch. */
  rainfall: readonly Rainfall[];
  /** Source of `isPrecipitating`, if not the provider. */
  wetBy?: Trigger;
  /** Source of the amounts in `rainfall`, if not the provider. */
  rainfallBy?: Trigger;
  /** The latest observations of stations, radar, and the provider itself; for docs/verification.md. */
  observed?: readonly Evidence[];
};

/** Precipitation for the next two hours in steps of five minutes. */
export type RadarMinutes = { source: string; updatedAt: number | undefined; rainfall: readonly Rainfall[] };

export type Provider = {
  name: string;
  /** Throws a ProviderFailure. `known` is the previous response, if stored. */
  fetch(cell: LatLng, known?: CellWeather, isWatched?: boolean): Promise<CellWeather>;
  /** For a provider that accepts several watched places in one request: at most `size`, returned in the same order. */
  batch?: { size: number; fetch(cells: readonly LatLng[]): Promise<(CellWeather | undefined)[]> };
  /** Spreads the requests for watched places over the quota of a host that has one. */
  quota?: Quota | undefined;
};

type Quota = {
  /** How long places keep their data: usually, and if rain is likely, which it is in `rainyPlaces` places. */
  intervalsMs(rainyPlaces: number): Promise<{ dry: number; rainy: number }>;
  /** How many may be requested now. */
  allowed(): Promise<number>;
};

/** A provider did not respond, or not with weather. The message says what it returned, for the log and the sandbox. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';
  readonly provider: string;
  /** How long the provider asked clients to wait. */
  readonly retryAfterSeconds: number | undefined;
  /** The HTTP status of an error. */
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
export class QuotaUsedUp extends ProviderFailure {}

/** Statuses about the request: its form, its place, or its length. */
const refusals: readonly number[] = [400, 404, 413, 414, 422];
