// The application's monitors: the list, and create, change, replace, delete. A delete is held for eight seconds, so it can be
// undone; the held ones are sent when the window goes (`flushDeletes`).
import type { CallbackSummary } from '#contract/procedures/callbacks.ts';
import type { AppMonitor, CallbackTarget } from '#contract/procedures/monitors.ts';
import type { LatLng } from '#contract/geo.ts';
import { oneAtATime } from '#renderer/store/one-at-a-time.ts';
import { idle, type Request, runRequest, toFailure } from '#renderer/store/request.ts';
import type { SliceTools } from '#renderer/store/slice.ts';
import type { NewToast } from '#renderer/store/toasts-slice.ts';
import { createDeliveriesPart, type DeliveriesPart, noDeliveries } from './deliveries-slice.ts';

export type MonitorDraft = { geo: LatLng; callback: CallbackTarget };

/** Which dialog stands open. */
export type MonitorDialog = { kind: 'create'; at: LatLng | null } | { kind: 'edit'; monitor: AppMonitor } | null;

export type MonitorsSlice = DeliveriesPart & {
  items: readonly AppMonitor[];
  fetchedAt: number | null;
  request: Request;
  /** The open dialog's request. */
  saving: Request;
  dialog: MonitorDialog;
  /** Ids whose delete is held back. */
  held: ReadonlySet<string>;
  load(): Promise<void>;
  /** Another connection is in use: drops the list, and the held deletes, which would reach the wrong service. */
  forget(): void;
  openDialog(dialog: MonitorDialog): void;
  create(draft: MonitorDraft): Promise<boolean>;
  /** PATCH with the changed fields only. */
  update(id: string, changes: Partial<MonitorDraft>): Promise<boolean>;
  /** PUT with everything. */
  replace(id: string, draft: MonitorDraft): Promise<boolean>;
  /** POST with the same fields. */
  duplicate(draft: MonitorDraft): Promise<boolean>;
  deleteLater(id: string): void;
  /** Callbacks that arrived tell their monitors' last event, without asking the service again. */
  noteCallbacks(rows: readonly CallbackSummary[]): void;
  /** Sends the held deletes now, before the window or the connection goes. */
  flushDeletes(): Promise<void>;
};

export const undoSeconds = 8;

export function createMonitorsSlice(tools: SliceTools<MonitorsSlice>, show: (toast: NewToast) => void): MonitorsSlice {
  const { client, read, change } = tools;
  const deliveries = createDeliveriesPart({ client, read, change }, show);
  const loadFactsSoon = onceWithin(factsPauseMs, () => void read().loadFacts());
  const save = async (call: () => Promise<AppMonitor>, done: (monitor: AppMonitor) => string): Promise<boolean> => {
    const saved = await runRequest((saving) => change({ saving }), call);
    if (!saved) return false;
    const others = read().items.filter((monitor) => monitor.id !== saved.id);
    const place = read().items.findIndex((monitor) => monitor.id === saved.id);
    change({ items: others.toSpliced(place < 0 ? others.length : place, 0, saved), dialog: null });
    show({ tone: 'good', message: done(saved) });
    void read().load();
    return true;
  };
  return {
    ...deliveries,
    items: [],
    fetchedAt: null,
    request: idle,
    saving: idle,
    dialog: null,
    held: new Set(),
    load: oneAtATime(async () => {
      await loadMonitors(tools);
      await read().loadFacts();
    }),
    openDialog: (dialog) => change({ dialog, saving: idle }),
    create: (draft) =>
      save(
        () => client.monitors.create(draft),
        (monitor) => `${monitor.id} is registered${monitor.toThisApp ? ' and calls this app' : ''}.`,
      ),
    update: (id, changes) =>
      save(
        () => client.monitors.update({ id, changes }),
        () => `${id} is changed.`,
      ),
    replace: (id, draft) =>
      save(
        () => client.monitors.replace({ id, ...draft }),
        () => `${id} is replaced.`,
      ),
    duplicate: (draft) =>
      save(
        () => client.monitors.create(draft),
        ({ id }) => `${id} is registered as a copy.`,
      ),
    noteCallbacks(rows) {
      const items = withCallbacks(read().items, rows);
      if (items) change({ items });
      if (items && !read().isUntold) loadFactsSoon();
    },
    ...heldDeletes(tools, show),
  };
}

/** A callback is in the service's log shortly after it was answered; a thousand of them ask once. */
const factsPauseMs = 1000;

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
    if (row.monitorId !== null && row.id > (newest.get(row.monitorId)?.id ?? 0)) newest.set(row.monitorId, row);
  }
  const isNewer = (monitor: AppMonitor) => (newest.get(monitor.id)?.id ?? 0) > (monitor.lastCallback?.id ?? 0);
  if (!items.some(isNewer)) return undefined;
  return items.map((monitor) => {
    const row = newest.get(monitor.id);
    return row && isNewer(monitor) ? { ...monitor, lastCallback: { id: row.id, receivedAt: row.receivedAt } } : monitor;
  });
}

async function loadMonitors({ client, change }: SliceTools<MonitorsSlice>): Promise<void> {
  const answer = await runRequest(
    (request) => change({ request }),
    () => client.monitors.list(),
  );
  if (answer) change({ items: answer.monitors, fetchedAt: Date.parse(answer.fetchedAt) });
}

function heldDeletes({ client, read, change }: SliceTools<MonitorsSlice>, show: (toast: NewToast) => void) {
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const release = (id: string) => {
    clearTimeout(timers.get(id));
    timers.delete(id);
    change({ held: new Set([...read().held].filter((held) => held !== id)) });
  };
  const send = async (id: string) => {
    timers.delete(id);
    try {
      await client.monitors.delete({ id });
      change({ items: read().items.filter((monitor) => monitor.id !== id) });
    } catch (error) {
      show({ tone: 'bad', message: `${id} was not deleted: ${toFailure(error).message}` });
    }
    release(id);
  };
  return {
    deleteLater(id: string) {
      change({ held: new Set([...read().held, id]) });
      timers.set(
        id,
        setTimeout(() => void send(id), undoSeconds * 1000),
      );
      show({
        tone: 'plain',
        message: `${id} is being deleted.`,
        seconds: undoSeconds,
        action: { label: 'Undo', run: () => release(id) },
      });
    },
    async flushDeletes() {
      await Promise.all(
        [...timers].map(([id, timer]) => {
          clearTimeout(timer);
          return send(id);
        }),
      );
    },
    forget() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
      change({ ...noDeliveries, items: [], fetchedAt: null, request: idle, dialog: null, held: new Set() });
    },
  };
}
