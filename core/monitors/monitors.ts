// The monitors of the connected application (docs/interface.md §4.5), joined with what this app knows of them: whether
// a monitor calls here, its newest callback, what a person wrote of it, and whether it is about to be deleted. Every
// write leaves a line of history.
import type { Clock } from '#shared/time/clock.ts';
import { collectionSchema } from '#contract/service-api/collection.ts';
import { toGeoPoint, toLatLng } from '#contract/service-api/geo.ts';
import { monitorSchema } from '#contract/service-api/monitor.ts';
import type { AppMonitor, MonitorBase, MonitorHistoryEntry, MonitorNotes } from '#contract/app-rpc/monitors.ts';
import { formatInstant } from '#contract/service-api/timestamp.ts';
import { AppFailure } from '#core/errors/app-failure.ts';
import type { Connection } from '../connection/connection.ts';
import type { ActiveConnection } from '../connection/active-connection.ts';
import type { LastCallback } from '../receiver/callback-pages.ts';
import type { HeldDeletes } from './held-deletes.ts';
import { createPendingDeletes } from './pending-deletes.ts';
import { requireUnchanged } from './monitor-conflict.ts';
import type { EditKind, MonitorHistory } from './monitor-history.ts';
import { isEmptyNotes, noNotes, type MonitorNotesStore } from './monitor-notes.ts';
import { callsThisApp, receiverBaseFor, type OwnAddresses } from './receiver-base.ts';
import { explainMonitorLimit } from './explain-monitor-limit.ts';
import { createPaces } from './write-pace.ts';
import {
  bodyOf,
  fieldChanges,
  monitorsPath,
  pathOf,
  readBody,
  type MonitorInput,
  type WireMonitor,
} from './monitor-wire.ts';

/** `connection`: that of an action on many, which must not go on at another one. */
type Of = { connection?: Connection };
export type UpdateOptions = Of & { base?: MonitorBase | undefined; readBack?: boolean };
export type NewMonitor = MonitorInput & { notes?: MonitorNotes | undefined };

export type Monitors = {
  /** Callback URLs by ID in the list as it was last fetched; undefined before that. The same map while nothing changed. */
  knownUrls: () => ReadonlyMap<string, string | null> | undefined;
  list(signal?: AbortSignal): Promise<{ monitors: AppMonitor[]; fetchedAt: string }>;
  create: (input: NewMonitor, of?: Of) => Promise<AppMonitor>;
  update: (id: string, changes: Partial<MonitorInput>, options?: UpdateOptions) => Promise<AppMonitor>;
  replace: (id: string, input: MonitorInput, base?: MonitorBase) => Promise<AppMonitor>;
  delete: (id: string) => Promise<void>;
  deleteLater: (ids: readonly string[]) => Promise<{ sendsAt: string }>;
  undoDelete: (ids: readonly string[]) => Promise<{ kept: string[] }>;
  /** Sends the deletes that are held back. */
  flushDeletes: () => Promise<void>;
  setNotes: (id: string, notes: MonitorNotes) => Promise<void>;
  /** As it was last seen, without a request; undefined before the first list. */
  known: (id: string) => AppMonitor | undefined;
  /** Runs a request about monitors at the pace that the connection's service allows. */
  paced: <Result>(connection: Connection, send: () => Promise<Result>) => Promise<Result>;
  history: (id: string) => Promise<MonitorHistoryEntry[]>;
};

type MonitorsDependencies = OwnAddresses & {
  activeConnection: ActiveConnection;
  /** `newestOf` finds the last event that is proven to be of a monitor of the active connection. */
  callbacks: { newestOf: (monitorId: string) => LastCallback | null };
  notes: MonitorNotesStore;
  history: MonitorHistory;
  heldDeletes: HeldDeletes;
  /** Whether the connection's service is Rainbell's, which has no limit on requests. */
  isOwnService: (connection: Connection) => boolean;
  clock: Clock;
  onChanged: () => void;
  /** Another list was fetched than the one before: callbacks may be judged otherwise. */
  onListed?: () => void;
};

type KnownList = {
  service: string;
  ids: Set<string>;
  byId: Map<string, WireMonitor>;
  /** Made when asked for; dropped with each change. */
  urls?: ReadonlyMap<string, string | null> | undefined;
};

export function createMonitors(dependencies: MonitorsDependencies): Monitors {
  const { activeConnection, callbacks, notes, history, clock, onChanged } = dependencies;
  /**
   * Each monitor as it was last seen or written, for the history and for a response without a body. Only of one service at a
   * time: another one can have monitors with the same IDs.
   */
  let known: KnownList | undefined;
  const paced = createPaces(clock, dependencies.isOwnService);
  const deletes = createPendingDeletes({
    clock,
    stored: dependencies.heldDeletes,
    send: (connection, id) => paced(connection, () => connection.api.call({ method: 'DELETE', path: pathOf(id) })),
    onDeleted: (connectionId, id) => noteDeleted(connectionId, id),
    onChanged,
  });

  function knownAt(current: Connection | undefined): KnownList | undefined {
    return current && known?.service === serviceOf(current) ? known : undefined;
  }

  function urlsOf(of: KnownList | undefined): ReadonlyMap<string, string | null> | undefined {
    if (!of) return undefined;
    of.urls ??= new Map([...of.ids].map((id) => [id, of.byId.get(id)?.callback_uri ?? null]));
    return of.urls;
  }

  function noteDeleted(connectionId: string, id: string): void {
    const current = activeConnection.present();
    const list = current?.profile.id === connectionId ? knownAt(current) : undefined;
    if (list) {
      list.ids.delete(id);
      list.urls = undefined;
    }
    history.record(connectionId, id, 'deleted', []);
  }

  function toAppMonitor({ profile }: Connection, monitor: WireMonitor, written = notes.of(profile.id)): AppMonitor {
    return {
      ...(written.get(monitor.id) ?? noNotes),
      id: monitor.id,
      monitorType: monitor.monitor_type,
      callbackUri: monitor.callback_uri ?? null,
      toThisApp: callsThisApp(monitor.callback_uri, dependencies),
      geo: toLatLng(monitor.geo),
      uri: monitor.uri ?? null,
      lastCallback: callbacks.newestOf(monitor.id),
      going: deletes.goingOf(profile.id, monitor.id),
    };
  }

  async function fetchList(current: Connection, signal?: AbortSignal): Promise<WireMonitor[]> {
    const exchange = await current.api.call({ method: 'GET', path: monitorsPath, signal });
    const { objects } = await readBody(exchange, collectionSchema(monitorSchema));
    const active = activeConnection.present();
    // A response that arrives after the user chose another connection says nothing about that one.
    if (active && serviceOf(active) === serviceOf(current)) {
      const byId = new Map(objects.map((monitor) => [monitor.id, monitor]));
      const before = urlsOf(knownAt(current));
      known = { service: serviceOf(current), ids: new Set(byId.keys()), byId };
      if (JSON.stringify([...(before ?? [])]) !== JSON.stringify([...(urlsOf(known) ?? [])])) dependencies.onListed?.();
    }
    return objects;
  }

  async function fetchOne(current: Connection, id: string): Promise<WireMonitor> {
    const monitor = (await fetchList(current)).find((candidate) => candidate.id === id);
    if (monitor) return monitor;
    throw new AppFailure('NOT_FOUND', `The monitor ${id} was changed, but the service no longer lists it.`);
  }

  /** The monitor as it stands before a write; where the edit has a base, it must not have moved since. */
  async function before(
    current: Connection,
    id: string,
    base: MonitorBase | undefined,
    body: ReturnType<typeof bodyOf>,
  ): Promise<WireMonitor | undefined> {
    if (!base) return knownAt(current)?.byId.get(id);
    const fresh = (await fetchList(current)).find((candidate) => candidate.id === id);
    requireUnchanged(id, base, fresh, body);
    return fresh;
  }

  async function send(kind: EditKind, id: string | undefined, input: NewMonitor, { base, connection }: UpdateOptions) {
    const current = connection ?? (await activeConnection.current());
    const body = bodyOf(input, () => receiverBaseFor(current.profile.baseUrl, dependencies));
    const earlier = id === undefined ? undefined : await before(current, id, base, body);
    const exchange = await paced(current, () =>
      current.api.call({
        method: id === undefined ? 'POST' : 'PUT',
        path: id === undefined ? monitorsPath : pathOf(id),
        json: { monitor_type: 'precipitation', ...body },
      }),
    ).catch((error: unknown) => {
      throw id === undefined ? explainMonitorLimit(error, knownAt(current)?.ids.size) : error;
    });
    // The interface promises the monitor (docs/interface.md §4.5); where a service answers PUT without a body, its list
    // has it.
    const isEmpty = id !== undefined && exchange.body.length === 0;
    const monitor = isEmpty ? await fetchOne(current, id) : await readBody(exchange, monitorSchema);
    const list = knownAt(current);
    if (list) {
      list.ids.add(monitor.id);
      list.byId.set(monitor.id, monitor);
      list.urls = undefined;
    }
    history.record(current.profile.id, monitor.id, kind, fieldChanges(earlier, body));
    const written = input.notes;
    if (written && !isEmptyNotes(written)) notes.set(current.profile.id, monitor.id, written);
    onChanged();
    return toAppMonitor(current, monitor, written && new Map([[monitor.id, written]]));
  }

  return {
    knownUrls: () => urlsOf(knownAt(activeConnection.present())),
    async list(signal) {
      const current = await activeConnection.current();
      const objects = await fetchList(current, signal);
      const written = notes.of(current.profile.id);
      return {
        monitors: objects.map((monitor) => toAppMonitor(current, monitor, written)),
        fetchedAt: formatInstant(clock.now()),
      };
    },
    create: (input, of = {}) => send('created', undefined, input, of),
    replace: (id, input, base) => send('replaced', id, input, { base }),
    async update(id, changes, { base, readBack = true, connection } = {}) {
      const current = connection ?? (await activeConnection.current());
      const body = bodyOf(changes, () => receiverBaseFor(current.profile.baseUrl, dependencies));
      if (Object.keys(body).length === 0)
        throw new AppFailure('INVALID_INPUT', 'Nothing was changed.', { field: 'changes' });
      const earlier = await before(current, id, base, body);
      await paced(current, () => current.api.call({ method: 'PATCH', path: pathOf(id), json: body }));
      history.record(current.profile.id, id, 'changed', fieldChanges(earlier, body));
      onChanged();
      if (readBack || !earlier) return toAppMonitor(current, await fetchOne(current, id));
      const written = patched(earlier, body);
      const list = knownAt(current);
      list?.byId.set(id, written);
      if (list) list.urls = undefined;
      return toAppMonitor(current, written);
    },
    async delete(id) {
      const current = await activeConnection.current();
      await paced(current, () => current.api.call({ method: 'DELETE', path: pathOf(id) }));
      noteDeleted(current.profile.id, id);
      onChanged();
    },
    deleteLater: async (ids) => deletes.hold(await activeConnection.current(), ids),
    undoDelete: async (ids) => ({ kept: deletes.undo(await activeConnection.current(), ids) }),
    flushDeletes: () => deletes.flush(),
    async setNotes(id, written) {
      notes.set((await activeConnection.current()).profile.id, id, written);
      onChanged();
    },
    known(id) {
      const current = activeConnection.present();
      const monitor = current && knownAt(current)?.byId.get(id);
      return current && monitor && toAppMonitor(current, monitor);
    },
    paced,
    history: async (id) => history.of((await activeConnection.current()).profile.id, id),
  };
}

/** A connection keeps its ID when it is edited to lead to another service. */
function serviceOf({ profile, baseUrl }: Connection): string {
  return `${profile.id} ${baseUrl}`;
}

function patched(monitor: WireMonitor, { callback_uri: address, geo }: ReturnType<typeof bodyOf>): WireMonitor {
  return {
    ...monitor,
    ...(address === undefined ? {} : { callback_uri: address }),
    ...(geo ? { geo: toGeoPoint(geo) } : {}),
  };
}
