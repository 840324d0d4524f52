// The application's monitors: the list, and create, change, replace, delete. A delete is held by core for eight seconds, so it
// can be undone here, after a reload, or on another screen.
import type { CallbackSummary } from '#contract/app-rpc/callbacks.ts';
import type { Front } from '#contract/app-rpc/monitor-fronts.ts';
import type { AppMonitor, CallbackTarget, MonitorHistoryEntry, MonitorNotes } from '#contract/app-rpc/monitors.ts';
import type { LatLng } from '#contract/service-api/geo.ts';
import { laterModule } from '#renderer/ui/hooks/load-later.ts';
import { laterActions } from '#renderer/store/later-actions.ts';
import { oneAtATime } from '#renderer/store/one-at-a-time.ts';
import { idle, type Request, runCancelableRequest } from '#renderer/store/request.ts';
import type { OtherSlices } from '#renderer/store/app-state.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';
import { failedToast, type NewToast } from '#renderer/store/toasts-slice.ts';
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
import { usualView } from './usual-view.ts';
import type { ViewsPart } from './views-slice.ts';

export type MonitorDraft = { geo: LatLng; callback: CallbackTarget };

/** Which dialog is open. */
export type MonitorDialog =
  | { kind: 'create'; at: LatLng | null }
  | { kind: 'edit'; monitor: AppMonitor }
  | { kind: 'import' }
  | { kind: 'silence'; front: Front }
  /** Rain on a monitor in its cool-down causes no callback. */
  | { kind: 'rain'; monitor: AppMonitor; nextAllowedAt: number }
  /** An edit met a monitor that is there no more. */
  | { kind: 'gone'; monitor: AppMonitor; changes: Partial<MonitorDraft> }
  | { kind: 'bulk'; action: BulkAction; monitors: readonly AppMonitor[] }
  | null;

export type MonitorsSlice = DeliveriesPart &
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
    /** IDs of the monitors that are selected for an action on many. */
    marked: ReadonlySet<string>;
    /** Of the selected monitor, the newest first. */
    history: { id: string; entries: readonly MonitorHistoryEntry[] } | null;
    setView(part: Partial<MonitorView>): void;
    /** Once the list is loaded: if the selected monitor is not in it, says so and selects none. */
    dropUnknownSelection(): void;
    load(): Promise<void>;
    loadHistory(id: string): Promise<void>;
    openDialog(dialog: MonitorDialog): void;
    mark(ids: Iterable<string>): void;
    setNotes(id: string, notes: MonitorNotes): Promise<boolean>;
    /** Callbacks that arrived tell their monitors' last event, without asking the service again. */
    noteCallbacks(rows: readonly CallbackSummary[]): void;
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

/** A callback is in the service's log shortly after it was answered; a thousand of them ask once. */
const factsPauseMs = 1000;

export function createMonitorsSlice(tools: SliceTools<MonitorsSlice>, { show }: OtherSlices): Slice<MonitorsSlice> {
  const { client, read, change } = tools;
  const loadFactsSoon = onceWithin(factsPauseMs, () => void read().loadFacts());
  const bulkActions = laterActions(
    {
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
    ...createDeliveriesPart({ client, read, change }, show),
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
      { keepFields: true, keepNotes: true, rebaseFields: true, rebaseOnList: true },
      loadUnsaved,
      ({ createUnsavedActions }) => createUnsavedActions(tools),
    ),
    ...laterActions(
      { rainOn: true, rainNow: true, rainOnMany: true, rainAfterCoolDown: true },
      loadRain,
      ({ createRainPart }) => createRainPart(tools, show),
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
    view: usualView,
    fetchedAt: null,
    request: idle,
    saving: idle,
    dialog: null,
    marked: new Set(),
    history: null,
    dropUnknownSelection() {
      const { selectedId, items, fetchedAt } = read();
      if (selectedId === null || fetchedAt === null || items.some(({ id }) => id === selectedId)) return;
      read().select(null);
      show({ tone: 'bad', message: `${selectedId} is not among the monitors of this connection.` });
    },
    setView: (part) => change({ view: { ...read().view, ...part } }),
    load: oneAtATime(async () => {
      // Each of many writes gives a notice; the end of them reads once.
      if (read().bulk?.isRunning) return;
      const before = read().items;
      await loadMonitors(tools);
      for (const monitor of newlyStuck(read().items, before)) show(stuckToast(monitor, read));
      await Promise.all([read().loadFacts(), read().items.length > 0 && read().loadPlaces()]);
      if (read().items.length > 0 || read().fronts.length > 0) await read().loadFronts();
    }),
    openDialog: (dialog) => change({ dialog, saving: idle }),
    mark: (ids) => change({ marked: new Set(ids) }),
    ...laterActions({ loadHistory: true, setNotes: true }, loadNotes, ({ createNotesPart }) =>
      createNotesPart(tools, show),
    ),
    ...laterActions({ deleteLater: true, undoDelete: true }, loadDeletes, ({ createDeletesPart }) =>
      createDeletesPart(tools, show),
    ),
    noteCallbacks(rows) {
      const items = withCallbacks(read().items, rows);
      if (items) change({ items });
      if (items && !read().hasNoDeliveryLog) loadFactsSoon();
    },
  };
}

function onceWithin(pauseMs: number, run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      run();
    }, pauseMs);
  };
}

/** The monitors with their newest callbacks, or undefined where nothing is newer. */
function withCallbacks(
  items: readonly AppMonitor[],
  rows: readonly CallbackSummary[],
): readonly AppMonitor[] | undefined {
  const newest = new Map<string, CallbackSummary>();
  for (const row of rows) {
    // Core found out whether it is proven to be of a monitor of this connection.
    const isEvent = row.kind === 'event' || row.kind === 'retry';
    if (isEvent && row.monitorId !== null && row.id > (newest.get(row.monitorId)?.id ?? 0))
      newest.set(row.monitorId, row);
  }
  const isNewer = (monitor: AppMonitor) => (newest.get(monitor.id)?.id ?? 0) > (monitor.lastCallback?.id ?? 0);
  if (!items.some(isNewer)) return undefined;
  return items.map((monitor) => {
    const row = newest.get(monitor.id);
    return row && isNewer(monitor) ? { ...monitor, lastCallback: { id: row.id, receivedAt: row.receivedAt } } : monitor;
  });
}

async function loadMonitors({ client, read, change }: SliceTools<MonitorsSlice>): Promise<void> {
  const isFirst = read().fetchedAt === null;
  const answer = await runCancelableRequest(
    (request) => change({ request }),
    (signal) => client.monitors.list(undefined, { signal }),
  );
  if (!answer) return;
  const there = new Set(answer.monitors.map(({ id }) => id));
  change({
    items: answer.monitors,
    fetchedAt: Date.parse(answer.fetchedAt),
    marked: new Set([...read().marked].filter((id) => there.has(id))),
  });
  const { selectedId } = read();
  if (selectedId === null) return;
  if (there.has(selectedId)) void read().loadHistory(selectedId);
  else if (isFirst) read().dropUnknownSelection();
  else read().select(null);
}

/** Those whose delete failed since the list was read before. */
function newlyStuck(items: readonly AppMonitor[], before: readonly AppMonitor[]): readonly AppMonitor[] {
  const wasStuck = new Set(before.filter(({ going }) => going?.state === 'failed').map(({ id }) => id));
  return items.filter(({ id, going }) => going?.state === 'failed' && !wasStuck.has(id)).slice(0, 3);
}

/** Shown on every screen: the delete was sent seconds after it was asked for. */
function stuckToast({ id, name, going }: AppMonitor, read: () => MonitorsSlice): NewToast {
  const { message = '', exchangeId } = going?.state === 'failed' ? going : {};
  return {
    ...failedToast({ message, details: { exchangeId } }, `${name || id} was not deleted`),
    action: { label: 'Try again', run: () => void read().deleteLater([id]) },
  };
}
