// The list of monitors, and what is open over it: what every part of the slice of monitors may read.
import type { AppMonitor, CallbackTarget, SavedMonitorView } from '@rainbell/contract/app-rpc';
import type { LatLng, MonitorOptions } from '@rainbell/contract/service-api';
import { idle } from '../../../store/request.ts';
import type { SliceTools } from '../../../store/slice.ts';
import { callOrToast, type NewToast } from '../../../store/toasts-slice.ts';
import { formatPlace } from '../../../ui/text/format-place.ts';
import { oneAtATime } from '../../../store/one-at-a-time.ts';
import type { BulkAction } from './bulk-tasks.ts';

/** `options`: all of its members for events; absent if they stay. */
export type MonitorDraft = { geo: LatLng; callback: CallbackTarget; options?: MonitorOptions };

type PanelTab = 'overview' | 'edit';

export type MonitorDialog =
  | { kind: 'create'; at: LatLng | null }
  | { kind: 'import' }
  | { kind: 'rain'; monitor: AppMonitor }
  | { kind: 'bulk'; action: BulkAction; monitors: readonly AppMonitor[] }
  | null;

export const monitorConditions = ['any', 'ready', 'cool-down', 'failing', 'off', 'paused', 'unknown'] as const;
/** Which state is shown; every other condition is a term of the filter. */
export type ShownCondition = (typeof monitorConditions)[number];

export const monitorSortKeys = ['name', 'place', 'state', 'callback', 'last', 'next', 'created'] as const;
export type MonitorSort = { by: (typeof monitorSortKeys)[number]; isDescending: boolean };

export type MonitorView = {
  /** The filter, as monitor-query.ts reads it. */
  text: string;
  state: ShownCondition;
  sort: MonitorSort;
  isMapOpen: boolean;
};

export const defaultView: MonitorView = {
  text: '',
  state: 'any',
  sort: { by: 'name', isDescending: false },
  isMapOpen: false,
};

export type PlaceNames = ReadonlyMap<string, string>;

const maxPlacesAtOnce = 20_000;

export function placeKey({ lat, lng }: LatLng): string {
  return `${lat} ${lng}`;
}

export interface MonitorListState extends ReturnType<typeof createMonitorListState> {}

export function createMonitorListState(
  { client, read, change }: SliceTools<MonitorListState>,
  show: (toast: NewToast) => void,
) {
  return {
    items: [] as readonly AppMonitor[],
    /** What of the list can't be shown, in sentences. */
    problems: [] as readonly string[],
    view: defaultView,
    fetchedAt: null as number | null,
    request: idle,
    /** The open dialog's request. */
    saving: idle,
    dialog: null as MonitorDialog,
    /** The tab of the details; it stays from one monitor to the next. */
    panelTab: 'overview' as PanelTab,
    /** IDs of the monitors that are selected for an action on many. */
    selection: new Set() as ReadonlySet<string>,
    views: [] as readonly SavedMonitorView[],
    /** The towns by location (`placeKey`), which core finds offline; empty far from any. */
    places: new Map() as PlaceNames,
    /** Each location is requested once. */
    loadPlaces: oneAtATime(async (): Promise<void> => {
      const { items, places } = read();
      const missing = new Map(
        items.filter(({ geo }) => !places.has(placeKey(geo))).map(({ geo }) => [placeKey(geo), geo]),
      );
      const keys = [...missing.keys()].slice(0, maxPlacesAtOnce);
      if (keys.length === 0) return;
      try {
        const found = await client.places.nearest({ locations: [...missing.values()].slice(0, maxPlacesAtOnce) });
        const names = keys.map((key, index) => {
          const place = found[index];
          return [key, place ? formatPlace(place) : ''] as const;
        });
        change({ places: new Map([...read().places, ...names]) });
      } catch {
        // Rows show coordinates until the next list.
      }
    }),
    async loadViews(): Promise<void> {
      // Views are a convenience; the list reports what is wrong with core.
      const result = await client.monitors.views().catch(() => null);
      if (result) change({ views: result.views });
    },
    async replaceViews(views: readonly SavedMonitorView[]): Promise<void> {
      const replace = () => client.monitors.replaceViews({ views: [...views] });
      if (await callOrToast(show, replace, 'Couldn’t save the view')) change({ views });
    },
    setView: (part: Partial<MonitorView>): void => change({ view: { ...read().view, ...part } }),
    openDialog: (dialog: MonitorDialog): void => change({ dialog, saving: idle }),
    showTab: (panelTab: PanelTab): void => change({ panelTab }),
    setSelection: (ids: Iterable<string>): void => change({ selection: new Set(ids) }),
    toggleSelected(id: string): void {
      const selection = new Set(read().selection);
      if (!selection.delete(id)) selection.add(id);
      change({ selection });
    },
  };
}
