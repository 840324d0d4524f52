// What a weather provider is to the service. Each one is a folder, registered in providers.ts.
import type { Clock } from '@rainbell/shared';
import type { LatLng } from '@rainbell/contract/service-api';
import type { Fleet } from '../../limits/limiter.ts';
import type { FetchDocument, FetchJson } from '../fetch/provider-http.ts';
import type { BudgetLeft } from '../fetch/request-budget.ts';
import type { SideSource, SideSourceContext } from '../fetch/side-source.ts';
import type { CellWeather, Nowcast } from '../reading/reading.ts';

export type Provider = {
  name: string;
  /** Throws a ProviderFailure. `known` is the previous response, if stored. */
  fetch(cell: LatLng, known?: CellWeather, isWatched?: boolean): Promise<CellWeather>;
  /** Accepts several watched places in one request, at most `size`, returned in the same order. */
  batch?: { size: number; fetch(cells: readonly LatLng[]): Promise<(CellWeather | undefined)[]> };
  /** Precipitation that its radar measures and forecasts. */
  radar?: Radar | undefined;
  /** Spreads the requests for watched places over the quota of a host that has one. */
  quota?: Quota | undefined;
};

/** Resolves to undefined if the radar sees nothing there, or if it takes too long. Never throws. */
export type Radar = SideSource<Nowcast>;

type Quota = {
  /** How long places keep their data: usually, and if rain is likely, which it is in `rainyPlaces` places. */
  intervalsMs(rainyPlaces: number): Promise<{ dry: number; rainy: number }>;
  allowed(): Promise<number>;
  /** How many requests are left, of all processes. */
  left(): Promise<BudgetLeft[]>;
  /** How often watched places are checked, as a sentence. */
  describe(): Promise<string>;
};

export type ProviderContext = {
  fetchJson: FetchJson;
  fetchDocument: FetchDocument;
  clock: Clock;
  machineClock: Clock;
  random: () => number;
  fleet?: Fleet;
  side: SideSourceContext;
  countPlaces: () => Promise<number>;
  /** Whether another provider has what this one's quota doesn't allow. */
  hasAlternative: () => boolean;
};
