// The application's monitors: the list, and create, change, replace, delete. A delete is held by core for eight seconds, so it
// can be undone here, after a reload, or on another screen.
import type { AppMonitor, CallbackSummary } from '@rainbell/contract/app-rpc';
import { oneAtATime } from '../../../store/one-at-a-time.ts';
import type { OtherSlices } from '../../../store/app-state.ts';
import type { Slice, SliceTools } from '../../../store/slice.ts';
import { createBulkPart, type BulkPart } from './bulk-slice.ts';
import { createDeliveriesPart, type DeliveriesPart } from './deliveries-slice.ts';
import { createEditsPart, createUnsavedPart, type EditsPart, type UnsavedPart } from './edits-slice.ts';
import { createRainPart, type RainPart } from './rain-slice.ts';
import { createMonitorListState, type MonitorListState } from './monitor-list-slice.ts';

export interface MonitorsSlice
  extends DeliveriesPart, ListActions, BulkPart, EditsPart, RainPart, UnsavedPart, MonitorListState {}

export function createMonitorsSlice(
  tools: SliceTools<MonitorsSlice>,
  { get, show }: OtherSlices,
): Slice<MonitorsSlice> {
  const { read } = tools;
  return {
    onConnectionChange: { does: 'reset', keeping: [] },
    ...createMonitorListState(tools, show),
    ...createListActions(tools, show),
    ...createDeliveriesPart(tools, show, () => {
      read().setView({ text: '', state: 'off' });
      get().frame.goTo('monitors');
    }),
    ...createBulkPart(tools, { onEnd: () => void read().load(), show }),
    ...createEditsPart(tools, show),
    ...createRainPart(tools, show),
    ...createUnsavedPart(tools),
  };
}

interface ListActions extends ReturnType<typeof createListActions> {}

/** A callback is in the service's log shortly after it was answered; a thousand of them ask once. */
const factsPauseMs = 1000;

function createListActions(tools: SliceTools<MonitorsSlice>, show: OtherSlices['show']) {
  const { read, change } = tools;
  const loadFactsSoon = onceWithin(factsPauseMs, () => void read().loadFacts());
  return {
    /** Once the list is loaded: if the selected monitor is not in it, says so and selects none. */
    dropUnknownSelection(): void {
      const { selectedId, items, fetchedAt } = read();
      if (selectedId === null || fetchedAt === null || items.some(({ id }) => id === selectedId)) return;
      read().select(null);
      show({ tone: 'bad', message: `${selectedId} isn’t a monitor in this connection.` });
    },
    load: oneAtATime(async (): Promise<void> => {
      // Each of many writes gives a notice; the end of them reads once.
      if (read().bulk?.isRunning) return;
      await loadMonitors(tools);
      await Promise.all([read().loadFacts(), read().items.length > 0 && read().loadPlaces()]);
    }),
    /** Callbacks that arrived tell their monitors' last event, without asking the service again. */
    noteCallbacks(rows: readonly CallbackSummary[]): void {
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

async function loadMonitors({ client, read, change, runCancelable }: SliceTools<MonitorsSlice>): Promise<void> {
  const isFirst = read().fetchedAt === null;
  const result = await runCancelable('request', (signal) => client.monitors.list(undefined, { signal }));
  if (!result) return;
  const there = new Set(result.monitors.map(({ id }) => id));
  change({
    items: result.monitors,
    problems: result.problems,
    fetchedAt: Date.parse(result.fetchedAt),
    selection: new Set([...read().selection].filter((id) => there.has(id))),
  });
  const { selectedId } = read();
  if (selectedId === null || there.has(selectedId)) return;
  if (isFirst) read().dropUnknownSelection();
  else read().select(null);
}
