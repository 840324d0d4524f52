// The forecast shown: its place, the last fetch, the cursor on the timeline. A failed fetch keeps the old data.
import type { LatLng } from '@rainbell/contract/service-api';
import type { Forecast } from '@rainbell/contract/app-rpc';
import { idle, runCancelableRequest } from '../../../store/request.ts';
import type { OtherSlices } from '../../../store/app-state.ts';
import type { SliceTools } from '../../../store/slice.ts';
import { readSavedChoice, readSavedList, save } from '../../../ui/window-storage.ts';

export const inspectorTabs = ['point', 'json', 'headers', 'curl'] as const;
export type InspectorTab = (typeof inspectorTabs)[number];
export const tabNames: Readonly<Record<InspectorTab, string>> = {
  point: 'Point',
  json: 'JSON',
  headers: 'Headers',
  curl: 'cURL',
};
const defaultTab: InspectorTab = 'json';
const paneStates = ['open', 'closed'] as const;

export interface ForecastSlice extends ReturnType<typeof createForecastSlice> {}

/** Returns the position of the cursor: under the pointer, otherwise where the keys or a click left it. */
export function shownCursor({ hovered, cursor }: Pick<ForecastSlice, 'hovered' | 'cursor'>): number {
  return hovered ?? cursor;
}

const tabKey = 'rainbell.forecast.tab';
const paneKey = 'rainbell.forecast.pane';
const layersKey = 'rainbell.forecast.layers';

const defaultLayers = ['temperature', 'precipitation', 'wind'];

export function createForecastSlice({ client, read, change }: SliceTools<ForecastSlice>, { get, show }: OtherSlices) {
  let newest = 0;
  return {
    onConnectionChange: { does: 'reset', keeping: ['query', 'isTable', 'tab', 'isPaneOpen', 'layers'] } as const,
    forecast: null as Forecast | null,
    request: idle,
    /** The requested query; the forecast on screen may still be an older one. */
    query: null as LatLng | null,
    /**
     * Positions in `forecast.points`: where the keys or a click left the cursor, and the one under the pointer. `shownCursor` is where
     * the one cursor of chart, pane, and table is.
     */
    cursor: 0,
    hovered: null as number | null,
    /** Whether the pane is there to inspect the response; without it, the screen is for reading. */
    isPaneOpen: readSavedChoice(paneKey, paneStates, 'closed') === 'open',
    isTable: false,
    layers: new Set(readSavedList(layersKey) ?? defaultLayers) as ReadonlySet<string>,
    /** The points with a match of the search in the JSON; the chart marks them. */
    hits: [] as readonly number[],
    tab: readSavedChoice(tabKey, inspectorTabs, defaultTab) as InspectorTab,
    /** The time of the point that a link requested; the cursor moves to it after the forecast is loaded. */
    wanted: null as string | null,
    /** A place was chosen by keyboard: the timeline takes the focus as soon as it is rendered. */
    isFocusWanted: false,
    /** Failures since the last answer, for growing pauses. */
    failures: 0,
    async fetch(query: LatLng): Promise<void> {
      const turn = ++newest;
      // The weather of one place is never shown under the name of another.
      change({ query, ...(isOf(read().forecast, query) ? {} : { forecast: null }) });
      const forecast = await runCancelableRequest(
        (request) => {
          const failures =
            request.state === 'failed' ? read().failures + 1 : request.state === 'done' ? 0 : read().failures;
          change({ request, failures });
        },
        (signal) => client.forecast.get(query, { signal }),
        { isCurrent: () => turn === newest },
      );
      if (!forecast) return;
      const isCursorLost = read().forecast === null || read().cursor >= forecast.points.length;
      get().icons.retryFailed();
      change({ forecast, ...(isCursorLost ? { cursor: 0, hovered: null } : {}) });
      const { wanted } = read();
      if (wanted !== null) read().openPoint(wanted);
    },
    async refetch(): Promise<void> {
      const { query } = read();
      if (query) await read().fetch(query);
    },
    /** By keys or a link on the screen. */
    moveCursor: (cursor: number): void => change({ cursor, hovered: null }),
    hover(hovered: number | null): void {
      if (hovered !== read().hovered) change({ hovered });
    },
    /** Shows what the service sent about the point at `index`. */
    inspect(index: number): void {
      change({ cursor: index });
      read().openPane(true);
    },
    openPane(isPaneOpen: boolean): void {
      save(paneKey, isPaneOpen ? 'open' : 'closed');
      change({ isPaneOpen });
    },
    toggleLayer(layer: string): void {
      const layers = new Set(read().layers);
      if (!layers.delete(layer)) layers.add(layer);
      save(layersKey, JSON.stringify([...layers]));
      change({ layers });
    },
    showHits: (hits: readonly number[]): void => change({ hits }),
    toggleTable: (): void => change({ isTable: !read().isTable }),
    wantFocus: (isFocusWanted: boolean): void => change({ isFocusWanted }),
    showTab(tab: InspectorTab): void {
      save(tabKey, tab);
      change({ tab });
    },
    /** Shows another place; the forecast is fetched now, or as soon as the service is ready. */
    openPlace(query: LatLng): void {
      const before = read().query;
      if (before?.lat === query.lat && before.lng === query.lng) return;
      change({ query, wanted: null, ...(isOf(read().forecast, query) ? {} : { forecast: null }) });
      // Otherwise it is fetched when the service becomes ready.
      if (get().frame.status?.connection.state === 'ready') void read().fetch(query);
    },
    /** Moves the cursor to a point, now or after the forecast is loaded; null moves it to the first one. */
    openPoint(wanted: string | null): void {
      const { forecast } = read();
      if (wanted === null || forecast === null) {
        change({ wanted, cursor: 0, hovered: null });
        return;
      }
      const found = forecast.points.find(({ at }) => at !== null && Date.parse(at) === Date.parse(wanted));
      change({ wanted: null, cursor: found?.index ?? 0 });
      if (!found) show({ tone: 'bad', message: `The forecast has no point at ${wanted}.` });
    },
  };
}

function isOf(forecast: Forecast | null, { lat, lng }: LatLng): boolean {
  return forecast?.query.lat === lat && forecast.query.lng === lng;
}
