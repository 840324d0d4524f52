// The application's monitors: the list, and create, change, replace, delete. A delete is held by core for eight seconds, so it
// can be undone here, after a reload, or on another screen.
import type { CallbackSummary } from '#contract/app-rpc/callbacks.ts';
import type { Front } from '#contract/app-rpc/monitor-fronts.ts';
import type { AppMonitor, CallbackTarget, MonitorHistoryEntry, MonitorNotes } from '#contract/app-rpc/monitors.ts';
import type { LatLng } from '#contract/service-api/geo.ts';
import { laterModule } from '#renderer/ui/hooks/load-later.ts';
import { laterActions } from '#renderer/store/later-actions.ts';
import { idle, type Request } from '#renderer/store/request.ts';
import type { OtherSlices } from '#renderer/store/app-state.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';
import type { BulkAction } from './bulk-action.ts';
import type { BulkPart } from './bulk-slice.ts';
import type { DeletesPart } from './deletes-slice.ts';
import { createDeliveriesPart, type DeliveriesPart } from './deliveries-slice.ts';
import type { EditsPart } from './edits-slice.ts';
import type { FrontsPart } from './fronts-slice.ts';
import type { MonitorView } from './monitor-view.ts';
import type { PlaceNamesPart } from './place-names.ts';
import type { RainPart } from './rain-slice.ts';
import type { UnsavedPart } from './unsaved-slice.ts';
import { defaultView } from './default-view.ts';
import type { ViewsPart } from './views-slice.ts';

export type MonitorDraft = { geo: LatLng; callback: CallbackTarget };

export type PanelTab = 'overview' | 'deliveries' | 'edit' | 'json';

/** Which dialog is open. */
export type MonitorDialog =
  | { kind: 'create'; at: LatLng | null }
  | { kind: 'edit'; monitor: AppMonitor }
  | { kind: 'import' }
  | { kind: 'acknowledge'; front: Front }
  | { kind: 'silence'; front: Front }
  /** Rain on a monitor in cool-down doesn't cause a callback. */
  | { kind: 'rain'; monitor: AppMonitor; nextAllowedAt: number }
  /** An edit met a monitor that is there no more. */
  | { kind: 'gone'; monitor: AppMonitor; changes: Partial<MonitorDraft> }
  | { kind: 'bulk'; action: BulkAction; monitors: readonly AppMonitor[] }
  | null;

/** Of the list as a whole; loaded later. */
export type ListActions = {
  load(): Promise<void>;
  /** Once the list is loaded: if the selected monitor is not in it, says so and selects none. */
  dropUnknownSelection(): void;
  /** Callbacks that arrived tell their monitors' last event, without asking the service again. */
  noteCallbacks(rows: readonly CallbackSummary[]): void;
};

export type MonitorsSlice = DeliveriesPart &
  ListActions &
  BulkPart &
  EditsPart &
  DeletesPart &
  FrontsPart &
  PlaceNamesPart &
  RainPart &
  ViewsPart &
  UnsavedPart & {
    items: readonly AppMonitor[];
    view: MonitorView;
    fetchedAt: number | null;
    request: Request;
    /** The open dialog's request. */
    saving: Request;
    dialog: MonitorDialog;
    /** Of the details; it stays from one monitor to the next. */
    panelTab: PanelTab;
    /** IDs of the monitors that are selected for an action on many. */
    selection: ReadonlySet<string>;
    /** Of the selected monitor, newest first. */
    history: { id: string; entries: readonly MonitorHistoryEntry[] } | null;
    setView(part: Partial<MonitorView>): void;
    loadHistory(id: string): Promise<void>;
    openDialog(dialog: MonitorDialog): void;
    showTab(tab: PanelTab): void;
    setSelection(ids: Iterable<string>): void;
    toggleSelected(id: string): void;
    setNotes(id: string, notes: MonitorNotes): Promise<boolean>;
  };

const loadEdits = laterModule(() => import('./edits-slice.ts'));
const loadUnsaved = laterModule(() => import('./unsaved-slice.ts'));
const loadPlaceNames = laterModule(() => import('./place-names.ts'));
const loadViewActions = laterModule(() => import('./views-slice.ts'));
const loadFrontActions = laterModule(() => import('./fronts-slice.ts'));
const loadNotes = laterModule(() => import('./notes-slice.ts'));
const loadDeletes = laterModule(() => import('./deletes-slice.ts'));
const loadBulk = laterModule(() => import('./bulk-slice.ts'));
const loadRain = laterModule(() => import('./rain-slice.ts'));
const loadListActions = laterModule(() => import('./list-actions.ts'));

export function createMonitorsSlice(
  tools: SliceTools<MonitorsSlice>,
  { get, show }: OtherSlices,
): Slice<MonitorsSlice> {
  const { client, read, change } = tools;
  const bulkActions = laterActions(
    {
      resumeBulk: true,
      runBulk: true,
      setCallbackOf: true,
      stopBulk: true,
      retryBulk: true,
      undoBulk: true,
      closeBulk: true,
    },
    loadBulk,
    ({ createBulkPart }) =>
      createBulkPart(
        { client, read, change },
        {
          onEnd: (writes) =>
            void read()
              .load()
              .then(() => read().rebaseOnList(writes)),
          show,
        },
      ),
  );
  return {
    onConnectionChange: { does: 'reset', keeping: [] },
    ...createDeliveriesPart({ client, read, change }, show, () => {
      read().setView({ text: '', state: 'off' });
      get().frame.goTo('monitors');
    }),
    bulk: null,
    ...bulkActions,
    ...laterActions(
      {
        create: true,
        update: true,
        updateInPlace: true,
        replace: true,
        duplicate: true,
        recreate: true,
        callThisApp: true,
      },
      loadEdits,
      ({ createEditsPart }) => createEditsPart(tools, show),
    ),
    unsavedFields: new Map(),
    unsavedNotes: new Map(),
    ...laterActions(
      { setUnsavedFields: true, setUnsavedNotes: true, rebaseFields: true, rebaseOnList: true },
      loadUnsaved,
      ({ createUnsavedActions }) => createUnsavedActions(tools),
    ),
    ...laterActions({ rainOn: true, rainNow: true, rainAfterCoolDown: true }, loadRain, ({ createRainPart }) =>
      createRainPart(tools, show),
    ),
    places: new Map(),
    ...laterActions({ loadPlaces: true }, loadPlaceNames, ({ createPlaceNamesActions }) =>
      createPlaceNamesActions(tools),
    ),
    views: [],
    ...laterActions({ loadViews: true, replaceViews: true }, loadViewActions, ({ createViewActions }) =>
      createViewActions({ client, change }, show),
    ),
    fronts: [],
    silences: [],
    ...laterActions(
      { loadFronts: true, acknowledgeFront: true, saveSilences: true },
      loadFrontActions,
      ({ createFrontActions }) => createFrontActions(tools, show),
    ),
    items: [],
    view: defaultView,
    fetchedAt: null,
    request: idle,
    saving: idle,
    dialog: null,
    panelTab: 'overview',
    selection: new Set(),
    history: null,
    setView: (part) => change({ view: { ...read().view, ...part } }),
    openDialog: (dialog) => change({ dialog, saving: idle }),
    showTab: (panelTab) => change({ panelTab }),
    setSelection: (ids) => change({ selection: new Set(ids) }),
    toggleSelected(id) {
      const selection = new Set(read().selection);
      if (!selection.delete(id)) selection.add(id);
      change({ selection });
    },
    ...laterActions({ loadHistory: true, setNotes: true }, loadNotes, ({ createNotesPart }) =>
      createNotesPart(tools, show),
    ),
    ...laterActions({ deleteLater: true, undoDelete: true }, loadDeletes, ({ createDeletesPart }) =>
      createDeletesPart(tools, show),
    ),
    ...laterActions(
      { load: true, dropUnknownSelection: true, noteCallbacks: true },
      loadListActions,
      ({ createListActions }) => createListActions(tools, show),
    ),
  };
}
