// Weather between a provider and the assembly: what one provider knows of one cell. A missing member means unknown; nothing
// is made up. Instants are epoch milliseconds; units stand in the names or follow contract/service-api/weather.ts (`measured`).
import type { LatLng } from '#contract/service-api/geo.ts';
import type { Status } from '#contract/service-api/vocabulary.ts';
import type { Measured } from '#contract/service-api/weather.ts';

export type Reading = {
  at: number;
  status: Status;
  measured?: Measured;
  /** Who contributed, in order, where it is not the cell's source alone. */
  sources?: readonly string[];
  /** A scenario of the sandbox decided it. */
  isScenario?: boolean;
};

/** A rate of precipitation that holds from `from` until `until`. */
export type Rainfall = { from: number; until: number; mmPerHour: number };

/** What a later request sends back, exactly as it came, to ask whether anything is new. */
export type Validators = { lastModified?: string; etag?: string };

export type CellWeather = {
  /** The word in a point's `sources`. */
  source: string;
  /** The provider's own grid point. */
  grid: LatLng;
  fetchedAt: number;
  /** Until then the provider will know nothing new; absent: for a quarter of an hour. */
  freshUntil?: number;
  /** What asks the provider whether this still holds. */
  validators?: Validators;
  /** What the provider calls the present; it is shown as now while it is recent. */
  current?: Reading;
  /** Whether it precipitates at `current`, where the provider says so. */
  isPrecipitating?: boolean;
  /** Ascending, one a step. */
  steps: readonly Reading[];
  /** The last minutes and the next, for the watch. */
  rainfall: readonly Rainfall[];
};

/** Precipitation of the next two hours in steps of five minutes. */
export type RadarMinutes = { source: string; updatedAt: number | undefined; rainfall: readonly Rainfall[] };

export type Provider = {
  name: string;
  /** Throws a ProviderFailure. `known` is what it said last, where that is kept. */
  fetch(cell: LatLng, known?: CellWeather): Promise<CellWeather>;
};

/** A provider did not answer, or not with weather. The message names what came instead, for the log and the sandbox. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';
  readonly provider: string;
  /** How long the provider asked to be left alone. */
  readonly retryAfterSeconds: number | undefined;
  /** The HTTP status of a refusal. */
  readonly status: number | undefined;
  /** Nothing came back: no connection, or none in time. */
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
}
