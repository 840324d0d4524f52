// The forecast shown: its place, the last fetch, the cursor on the timeline. A failed fetch keeps the old data.
import type { LatLng } from '@rainbell/contract/service-api';
import type { Forecast } from '@rainbell/contract/app-rpc';
import { idle, type Request, runCancelableRequest } from '../../../store/request.ts';
import type { OtherSlices } from '../../../store/app-state.ts';
import type { Slice, SliceTools } from '../../../store/slice.ts';
import { saveChoice, readChoice } from './saved-choice.ts';

export const inspectorTabs = ['point', 'json', 'headers', 'curl'] as const;
export type InspectorTab = (typeof inspectorTabs)[number];
export const defaultTab: InspectorTab = 'json';
const bubbles = ['full', 'short', 'off'] as const;
export type Bubble = (typeof bubbles)[number];
const paneStates = ['open', 'closed'] as const;

/** `at` is the time of the point. */
export type WantedPoint = { at: string; isPinned: boolean };

export type ForecastSlice = {
  forecast: Forecast | null;
  request: Request;
  /** The requested query; the forecast on screen may still be an older one. */
  query: LatLng | null;
  /**
   * Positions in `forecast.points`: where the keys left the cursor, the hour that a click or Enter pinned, and the one under the
   * pointer. `shownCursor` is where the one cursor of chart, pane, and table is.
   */
  cursor: number;
  pinned: number | null;
  hovered: number | null;
  /** What the bubble at the cursor names. */
  bubble: Bubble;
  /** Whether the pane is open beside the chart; in narrower windows, in which it covers the chart, see `isPaneRaised`. */
  isPaneOpen: boolean;
  isPaneRaised: boolean;
  isTable: boolean;
  /** What the inspector shows. */
  tab: InspectorTab;
  /** The point that a link requested; the cursor moves to it after the forecast is loaded. */
  wanted: WantedPoint | null;
  /** A place was chosen by keyboard: the timeline takes the focus as soon as it is rendered. */
  isFocusWanted: boolean;
  /** Failures since the last answer, for growing pauses. */
  failures: number;
  fetch(query: LatLng): Promise<void>;
  refetch(): Promise<void>;
  /** By keys or a link on the screen; a pin goes along. */
  moveCursor(index: number): void;
  hover(index: number | null): void;
  /** Pins the point at `index`; the pinned one is let go. */
  pin(index: number): void;
  unpin(): void;
  cycleBubble(): void;
  openPane(isOpen: boolean): void;
  raisePane(isRaised: boolean): void;
  toggleTable(): void;
  wantFocus(isWanted: boolean): void;
  showTab(tab: InspectorTab): void;
  /** Shows another place; the forecast is fetched now, or as soon as the service is ready. */
  openPlace(query: LatLng): void;
  /** Moves the cursor to a point, now or after the forecast is loaded; null moves it to the first one. */
  openPoint(wanted: WantedPoint | null): void;
};

/** Returns the position of the cursor: under the pointer, otherwise at the pinned hour, otherwise the last keyboard position. */
export function shownCursor({ hovered, pinned, cursor }: Pick<ForecastSlice, 'hovered' | 'pinned' | 'cursor'>): number {
  return hovered ?? pinned ?? cursor;
}

const tabKey = 'rainbell.forecast.tab';
const bubbleKey = 'rainbell.forecast.bubble';
const paneKey = 'rainbell.forecast.pane';

export function createForecastSlice(
  { client, read, change }: SliceTools<ForecastSlice>,
  { get, show }: OtherSlices,
): Slice<ForecastSlice> {
  let newest = 0;
  const openPoint = (wanted: WantedPoint | null, forecast: Forecast | null) => {
    if (wanted === null || forecast === null) {
      change({ wanted, cursor: 0, pinned: null, hovered: null });
      return;
    }
    const index = indexAt(forecast, wanted.at);
    change({ wanted: null, cursor: index ?? 0, pinned: (wanted.isPinned ? index : null) ?? null });
    if (index === undefined) show({ tone: 'bad', message: `The forecast has no point at ${wanted.at}.` });
  };
  return {
    onConnectionChange: { does: 'reset', keeping: ['query', 'isTable', 'tab', 'bubble', 'isPaneOpen'] },
    forecast: null,
    request: idle,
    query: null,
    cursor: 0,
    pinned: null,
    hovered: null,
    bubble: readChoice(bubbleKey, bubbles, 'full'),
    isPaneOpen: readChoice(paneKey, paneStates, 'open') === 'open',
    isPaneRaised: false,
    isTable: false,
    tab: readChoice(tabKey, inspectorTabs, defaultTab),
    wanted: null,
    isFocusWanted: false,
    failures: 0,
    async fetch(query) {
      const turn = ++newest;
      // The weather of one place is never shown under the name of another.
      change({ query, ...(isOf(read().forecast, query) ? {} : { forecast: null }) });
      const forecast = await runCancelableRequest(
        (request) => {
          if (turn !== newest) return;
          const failures =
            request.state === 'failed' ? read().failures + 1 : request.state === 'done' ? 0 : read().failures;
          change({ request, failures });
        },
        (signal) => client.forecast.get(query, { signal }),
      );
      if (!forecast || turn !== newest) return;
      const isCursorLost = read().forecast === null || read().cursor >= forecast.points.length;
      get().icons.retryFailed();
      change({ forecast, ...(isCursorLost ? { cursor: 0, pinned: null, hovered: null } : {}) });
      const { wanted } = read();
      if (wanted !== null) openPoint(wanted, forecast);
    },
    async refetch() {
      const { query } = read();
      if (query) await read().fetch(query);
    },
    moveCursor: (cursor) => change({ cursor, hovered: null, ...(read().pinned === null ? {} : { pinned: cursor }) }),
    hover(hovered) {
      if (hovered !== read().hovered) change({ hovered });
    },
    pin: (index) => change({ cursor: index, pinned: read().pinned === index ? null : index }),
    unpin: () => change({ pinned: null }),
    cycleBubble() {
      const bubble = bubbles[(bubbles.indexOf(read().bubble) + 1) % bubbles.length] ?? 'full';
      saveChoice(bubbleKey, bubble);
      change({ bubble });
    },
    openPane(isPaneOpen) {
      saveChoice(paneKey, isPaneOpen ? 'open' : 'closed');
      change({ isPaneOpen });
    },
    raisePane: (isPaneRaised) => change({ isPaneRaised }),
    toggleTable: () => change({ isTable: !read().isTable }),
    wantFocus: (isFocusWanted) => change({ isFocusWanted }),
    showTab(tab) {
      saveChoice(tabKey, tab);
      change({ tab });
    },
    openPlace(query) {
      const before = read().query;
      if (before?.lat === query.lat && before.lng === query.lng) return;
      change({ query, wanted: null, ...(isOf(read().forecast, query) ? {} : { forecast: null }) });
      // Otherwise it is fetched when the service becomes ready.
      if (get().frame.status?.connection.state === 'ready') void read().fetch(query);
    },
    openPoint(wanted) {
      openPoint(wanted, read().forecast);
    },
  };
}

function isOf(forecast: Forecast | null, { lat, lng }: LatLng): boolean {
  return forecast?.query.lat === lat && forecast.query.lng === lng;
}

/** The position of the point at that time; undefined if no point has it. */
function indexAt({ points }: Forecast, at: string): number | undefined {
  return points.find((point) => point.at !== null && Date.parse(point.at) === Date.parse(at))?.index;
}
