// The list of monitors, and what is open over it: what every part of the slice of monitors may read.
import type { AppMonitor, CallbackTarget } from '@rainbell/contract/app-rpc';
import type { LatLng, MonitorOptions } from '@rainbell/contract/service-api';
import { idle } from '../../../store/request.ts';
import type { SliceTools } from '../../../store/slice.ts';
import type { BulkAction } from './bulk-action.ts';
import type { MonitorView } from './monitor-view.ts';

/** `options`: all of its members for events; absent if they stay. */
export type MonitorDraft = { geo: LatLng; callback: CallbackTarget; options?: MonitorOptions };

export type PanelTab = 'overview' | 'edit' | 'json';

/** Which dialog is open. */
export type MonitorDialog =
  | { kind: 'create'; at: LatLng | null }
  | { kind: 'import' }
  | { kind: 'rain'; monitor: AppMonitor }
  | { kind: 'bulk'; action: BulkAction; monitors: readonly AppMonitor[] }
  | null;

/** How the screen looks before anything is filtered or sorted. */
export const defaultView: MonitorView = {
  text: '',
  state: 'any',
  sort: { by: 'name', isDescending: false },
  isMapOpen: false,
};

export interface MonitorListState extends ReturnType<typeof createMonitorListState> {}

export function createMonitorListState({ read, change }: SliceTools<MonitorListState>) {
  return {
    items: [] as readonly AppMonitor[],
    /** What of the list can't be shown, in sentences. */
    problems: [] as readonly string[],
    view: defaultView,
    fetchedAt: null as number | null,
    /** Grows when the list and its delivery states were read. */
    reads: 0,
    request: idle,
    /** The open dialog's request. */
    saving: idle,
    dialog: null as MonitorDialog,
    /** The tab of the details; it stays from one monitor to the next. */
    panelTab: 'overview' as PanelTab,
    /** Until the form of the selected monitor shows and has the focus. */
    isEditRequested: false,
    /** IDs of the monitors that are selected for an action on many. */
    selection: new Set() as ReadonlySet<string>,
    setView: (part: Partial<MonitorView>): void => change({ view: { ...read().view, ...part } }),
    openDialog: (dialog: MonitorDialog): void => change({ dialog, saving: idle }),
    showTab: (panelTab: PanelTab): void => change({ panelTab }),
    requestEdit: (isEditRequested: boolean): void =>
      change({ isEditRequested, ...(isEditRequested && { panelTab: 'edit' }) }),
    setSelection: (ids: Iterable<string>): void => change({ selection: new Set(ids) }),
    toggleSelected(id: string): void {
      const selection = new Set(read().selection);
      if (!selection.delete(id)) selection.add(id);
      change({ selection });
    },
  };
}
