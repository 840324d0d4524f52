// The application's monitors: the list, and create, change, replace, delete. A delete is held by core for eight seconds, so it
// can be undone here, after a reload, or on another screen.
import type { AppMonitor, CallbackSummary } from '@rainbell/contract/app-rpc';
import { oneAtATime } from '../../../store/one-at-a-time.ts';
import { idle, runCancelableRequest } from '../../../store/request.ts';
import type { OtherSlices } from '../../../store/app-state.ts';
import type { Slice, SliceTools } from '../../../store/slice.ts';
import { failedToast, type NewToast } from '../../../store/toasts-slice.ts';
import { createBulkPart, type BulkPart } from './bulk-slice.ts';
import { createDeletesPart, type DeletesPart } from './deletes-slice.ts';
import { createDeliveriesPart, type DeliveriesPart } from './deliveries-slice.ts';
import { createEditsPart, type EditsPart } from './edits-slice.ts';
import { createPlaceNamesActions, type PlaceNamesPart } from './place-names.ts';
import { createRainPart, type RainPart } from './rain-slice.ts';
import type { ListActions, MonitorListState } from './monitor-list-state.ts';
import { createUnsavedActions, type UnsavedPart } from './unsaved-slice.ts';
import { createNotesPart } from './notes-slice.ts';
import { defaultView } from './default-view.ts';
import { createViewActions, type ViewsPart } from './views-slice.ts';

export type MonitorsSlice = DeliveriesPart &
  ListActions &
  BulkPart &
  EditsPart &
  DeletesPart &
  PlaceNamesPart &
  RainPart &
  ViewsPart &
  UnsavedPart &
  MonitorListState;

export function createMonitorsSlice(
  tools: SliceTools<MonitorsSlice>,
  { get, show }: OtherSlices,
): Slice<MonitorsSlice> {
  const { client, read, change } = tools;
  const bulkActions = createBulkPart(
    { client, read, change },
    {
      onEnd: (writes) =>
        void read()
          .load()
          .then(() => read().rebaseOnList(writes)),
      show,
    },
  );
  return {
    onConnectionChange: { does: 'reset', keeping: [] },
    ...createDeliveriesPart({ client, read, change }, show, () => {
      read().setView({ text: '', state: 'off' });
      get().frame.goTo('monitors');
    }),
    bulk: null,
    ...bulkActions,
    ...createEditsPart(tools, show),
    unsavedFields: new Map(),
    unsavedNotes: new Map(),
    ...createUnsavedActions(tools),
    ...createRainPart(tools, show),
    places: new Map(),
    ...createPlaceNamesActions(tools),
    views: [],
    ...createViewActions({ client, change }, show),
    items: [],
    problems: [],
    frontTerms: new Map(),
    view: defaultView,
    fetchedAt: null,
    reads: 0,
    request: idle,
    saving: idle,
    dialog: null,
    panelTab: 'overview',
    selection: new Set(),
    history: null,
    setFrontTerms: (frontTerms) => change({ frontTerms }),
    setView: (part) => change({ view: { ...read().view, ...part } }),
    openDialog: (dialog) => change({ dialog, saving: idle }),
    showTab: (panelTab) => change({ panelTab }),
    setSelection: (ids) => change({ selection: new Set(ids) }),
    toggleSelected(id) {
      const selection = new Set(read().selection);
      if (!selection.delete(id)) selection.add(id);
      change({ selection });
    },
    ...createNotesPart(tools, show),
    ...createDeletesPart(tools, show),
    ...createListActions(tools, show),
  };
}

/** A callback is in the service's log shortly after it was answered; a thousand of them ask once. */
const factsPauseMs = 1000;

function createListActions(tools: SliceTools<MonitorsSlice>, show: OtherSlices['show']): ListActions {
  const { read, change } = tools;
  const loadFactsSoon = onceWithin(factsPauseMs, () => void read().loadFacts());
  return {
    dropUnknownSelection() {
      const { selectedId, items, fetchedAt } = read();
      if (selectedId === null || fetchedAt === null || items.some(({ id }) => id === selectedId)) return;
      read().select(null);
      show({ tone: 'bad', message: `${selectedId} isn’t a monitor in this connection.` });
    },
    load: oneAtATime(async () => {
      // Each of many writes gives a notice; the end of them reads once.
      if (read().bulk?.isRunning) return;
      const before = read().items;
      await loadMonitors(tools);
      for (const monitor of newlyStuck(read().items, before)) show(stuckToast(monitor, read));
      await Promise.all([read().loadFacts(), read().items.length > 0 && read().loadPlaces()]);
      change({ reads: read().reads + 1 });
    }),
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

/** Returns the monitors with their newest callbacks, or undefined if nothing is newer. */
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
  const result = await runCancelableRequest(
    (request) => change({ request }),
    (signal) => client.monitors.list(undefined, { signal }),
  );
  if (!result) return;
  const there = new Set(result.monitors.map(({ id }) => id));
  change({
    items: result.monitors,
    problems: result.problems,
    fetchedAt: Date.parse(result.fetchedAt),
    selection: new Set([...read().selection].filter((id) => there.has(id))),
  });
  const { selectedId } = read();
  if (selectedId === null) return;
  if (there.has(selectedId)) void read().loadHistory(selectedId);
  else if (isFirst) read().dropUnknownSelection();
  else read().select(null);
}

/** Those whose delete failed since the list was read before. */
function newlyStuck(items: readonly AppMonitor[], before: readonly AppMonitor[]): readonly AppMonitor[] {
  const wasStuck = new Set(before.filter(({ deletion }) => deletion?.state === 'failed').map(({ id }) => id));
  return items.filter(({ id, deletion }) => deletion?.state === 'failed' && !wasStuck.has(id)).slice(0, 3);
}

/** Shown on every screen: the delete was sent seconds after the user requested it. */
function stuckToast({ id, name, deletion }: AppMonitor, read: () => MonitorsSlice): NewToast {
  const { message = '', trafficId } = deletion?.state === 'failed' ? deletion : {};
  return {
    ...failedToast({ message, details: { trafficId } }, `${name || id} was not deleted`),
    action: { label: 'Try again', run: () => void read().deleteLater([id]) },
  };
}
