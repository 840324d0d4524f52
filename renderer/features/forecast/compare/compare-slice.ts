// The comparison on screen: any number of sides, each with its own request, so that one may fail without the others, and the stored
// fetches of the place that can be added.
import type { LatLng } from '#contract/service-api/geo.ts';
import type { Forecast, StoredSeries, StoredFetch } from '#contract/app-rpc/forecast.ts';
import { laterActions } from '#renderer/store/later-actions.ts';
import { idle, type Request } from '#renderer/store/request.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';
import { laterModule } from '#renderer/ui/hooks/load-later.ts';
import type { CompareSide } from './compare-side.ts';

export type ComparedForecast = { forecast: Forecast | null; request: Request };

export type CompareSlice = CompareActions & {
  /** Null while nothing is compared; otherwise the first is what the others are compared with. */
  sides: readonly CompareSide[] | null;
  /** By the side's text (`writeSide`). */
  loaded: Readonly<Record<string, ComparedForecast>>;
  /** The stored forecasts of the place whose comparison was opened, newest first. */
  fetches: readonly StoredFetch[];
  fetchesRequest: Request;
  /** The hours of the kept fetches of a place, the newest fetch first. */
  stored: readonly StoredSeries[];
};

export type CompareActions = {
  open(sides: readonly CompareSide[]): Promise<void>;
  /** Compares the place's last fetch with the previous one; if there is only one, with a new fetch. */
  openFetches(place: LatLng): Promise<void>;
  /** Changes which sides there are and their order; only new ones are loaded. */
  arrange(sides: readonly CompareSide[]): Promise<void>;
  /** Loads these sides again, or all. */
  retry(sides?: readonly CompareSide[]): Promise<void>;
  loadFetches(place: LatLng): Promise<void>;
  /** Loads the hours of the kept fetches, for the history of one hour: once for each fetch of the place. */
  loadStored(forecast: Pick<Forecast, 'query' | 'fetchedAt'>): Promise<void>;
  close(): void;
};

export const notLoaded: ComparedForecast = { forecast: null, request: idle };

const loadActions = laterModule(() => import('./compare-actions.ts'));

export function createCompareSlice(tools: SliceTools<CompareSlice>): Slice<CompareSlice> {
  return {
    onConnectionChange: { does: 'reset', keeping: ['sides'] },
    sides: null,
    loaded: {},
    fetches: [],
    fetchesRequest: idle,
    stored: [],
    ...laterActions(
      { open: true, openFetches: true, arrange: true, retry: true, loadFetches: true, loadStored: true, close: true },
      loadActions,
      ({ createCompareActions }) => createCompareActions(tools),
    ),
  };
}
