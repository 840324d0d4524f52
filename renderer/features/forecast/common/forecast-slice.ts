// The forecast shown: its place, the last fetch, the cursor on the timeline. A failed fetch leaves the old data standing.
import type { LatLng } from '#contract/service-api/geo.ts';
import type { Forecast } from '#contract/app-rpc/forecast.ts';
import { idle, type Request, runRequest } from '#renderer/store/request.ts';
import type { OtherSlices } from '#renderer/store/app-state.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';

export type ForecastSlice = {
  forecast: Forecast | null;
  /** The fetch before, of the same place. */
  previous: Forecast | null;
  request: Request;
  /** The asked-for query; the forecast on screen may still be an older one. */
  query: LatLng | null;
  /** Position in `forecast.points` under the cursor, and the one that Enter pinned. */
  cursor: number;
  pinned: number | null;
  isTable: boolean;
  /** A place was chosen by keys: the timeline takes the focus as soon as it is there. */
  isFocusWanted: boolean;
  /** Failures since the last answer, for growing pauses. */
  failures: number;
  fetch(query: LatLng): Promise<void>;
  refetch(): Promise<void>;
  moveCursor(index: number): void;
  togglePin(): void;
  toggleTable(): void;
  wantFocus(isWanted: boolean): void;
};

export function createForecastSlice(
  { client, read, change }: SliceTools<ForecastSlice>,
  { get }: OtherSlices,
): Slice<ForecastSlice> {
  let newest = 0;
  return {
    onConnectionChange: { does: 'reset', keeping: ['query', 'isTable'] },
    forecast: null,
    previous: null,
    request: idle,
    query: null,
    cursor: 0,
    pinned: null,
    isTable: false,
    isFocusWanted: false,
    failures: 0,
    async fetch(query) {
      const turn = ++newest;
      change({ query });
      const forecast = await runRequest(
        (request) => {
          if (turn !== newest) return;
          const failures =
            request.state === 'failed' ? read().failures + 1 : request.state === 'done' ? 0 : read().failures;
          change({ request, failures });
        },
        () => client.forecast.get(query),
      );
      if (!forecast || turn !== newest) return;
      const isOtherPlace = JSON.stringify(read().forecast?.query) !== JSON.stringify(forecast.query);
      const isCursorLost = isOtherPlace || read().cursor >= forecast.points.length;
      const previous = isOtherPlace ? null : read().forecast;
      get().icons.retryFailed();
      change({ forecast, previous, ...(isCursorLost ? { cursor: 0, pinned: null } : {}) });
    },
    async refetch() {
      const { query } = read();
      if (query) await read().fetch(query);
    },
    moveCursor: (cursor) => change({ cursor }),
    togglePin: () => change({ pinned: read().pinned === null ? read().cursor : null }),
    toggleTable: () => change({ isTable: !read().isTable }),
    wantFocus: (isFocusWanted) => change({ isFocusWanted }),
  };
}
