// The monitors of the connected application (docs/interface.md §4.5), with the app's data about them: whether a monitor calls this
// receiver, its newest callback, the user's notes, and whether it is about to be deleted. Every write adds an entry to the history.
import { type Clock, formatInstant, within } from '@rainbell/shared';
import { type LatLng, monitorSchema, toGeoPoint, toLatLng } from '@rainbell/contract/service-api';
import type { AppMonitor, MonitorBase, MonitorHistoryEntry, MonitorNotes } from '@rainbell/contract/app-rpc';
import { AppFailure } from '../errors/app-failure.ts';
import type { Connection } from '../connection/connection.ts';
import type { ActiveConnection } from '../connection/active-connection.ts';
import type { LastCallback } from '../receiver/records/callback-pages.ts';
import type { Receiver } from '../receiver/server/receiver.ts';
import type { HeldDeletes } from './held-deletes.ts';
import type { KnownMonitors } from './known-monitors.ts';
import { createPendingDeletes } from './pending-deletes.ts';
import { requireUnchanged } from './monitor-conflict.ts';
import type { EditKind, MonitorHistory } from './monitor-history.ts';
import { isEmptyNotes, noNotes, type MonitorNotesStore } from './monitor-notes.ts';
import { callsThisApp, receiverBaseFor, type OwnAddresses } from './receiver-base.ts';
import { explainMonitorLimit } from './explain-monitor-limit.ts';
import { createPaces } from './write-pace.ts';
import {
  bodyOf,
  fetchMonitors,
  fieldChanges,
  monitorsPath,
  pathOf,
  readBody,
  type MonitorInput,
  type MonitorList,
  type WireMonitor,
} from './monitor-wire.ts';

/** `connection`: that of an action on many, which must not go on at another one. */
/** `signal`: ends the request; the service may have carried it out anyway. */
type WriteOptions = { connection?: Connection; signal?: AbortSignal | undefined };
export type UpdateOptions = WriteOptions & { base?: MonitorBase | undefined; readBack?: boolean };
export type NewMonitor = MonitorInput & { notes?: MonitorNotes | undefined };

export type Monitors = {
  /** `problems`: what of the list can't be read, in sentences. */
  list(signal?: AbortSignal): Promise<{ monitors: AppMonitor[]; problems: string[]; fetchedAt: string }>;
  create: (input: NewMonitor, options?: WriteOptions) => Promise<AppMonitor>;
  update: (id: string, changes: Partial<MonitorInput>, options?: UpdateOptions) => Promise<AppMonitor>;
  replace: (id: string, input: MonitorInput, options?: Omit<UpdateOptions, 'readBack'>) => Promise<AppMonitor>;
  delete: (id: string) => Promise<void>;
  deleteLater: (ids: readonly string[]) => Promise<{ sendsAt: string }>;
  undoDelete: (ids: readonly string[]) => Promise<{ restored: string[] }>;
  /** Sends the deletes that are held back. */
  flushDeletes: () => Promise<void>;
  setNotes: (id: string, notes: MonitorNotes) => Promise<void>;
  /** As it was last seen, without a request; undefined before the first list. */
  known: (id: string) => KnownMonitor | undefined;
  /** Runs a request about monitors at the pace that the connection's service allows. */
  paced: <Result>(connection: Connection, send: () => Promise<Result>) => Promise<Result>;
  history: (id: string) => Promise<MonitorHistoryEntry[]>;
};

/** What the service returned of a monitor. */
export type KnownMonitor = { geo: LatLng; callbackUri: string | null };

type MonitorsDependencies = OwnAddresses & {
  receiver: Pick<Receiver, 'started'>;
  activeConnection: ActiveConnection;
  known: KnownMonitors;
  /** `newestOf` finds the last event that is proven to be of a monitor of the active connection. */
  callbacks: { newestOf: (monitorId: string) => LastCallback | null };
  notes: MonitorNotesStore;
  history: MonitorHistory;
  heldDeletes: HeldDeletes;
  /** Whether the connection's service is Rainbell's, which has no limit on requests. */
  isOwnService: (connection: Connection) => boolean;
  clock: Clock;
  onChanged: () => void;
  /** Another list was fetched than the one before: callbacks may be validated differently. */
  onListed?: () => void;
};

/** After this, the request fails with the receiver's notice. */
const receiverStartMs = 5_000;

export function createMonitors(dependencies: MonitorsDependencies): Monitors {
  const { activeConnection, known, callbacks, notes, history, clock, onChanged } = dependencies;
  const paced = createPaces(clock, dependencies.isOwnService);
  const deletes = createPendingDeletes({
    clock,
    stored: dependencies.heldDeletes,
    send: (connection, id) => paced(connection, () => connection.api.call({ method: 'DELETE', path: pathOf(id) })),
    onDeleted: (connectionId, id) => noteDeleted(connectionId, id),
    onChanged,
  });

  function noteDeleted(connectionId: string, id: string): void {
    known.delete(connectionId, id);
    history.record(connectionId, id, 'deleted', []);
  }

  function toAppMonitor({ profile }: Connection, monitor: WireMonitor, written?: MonitorNotes): AppMonitor {
    return {
      ...(written ?? notes.get(profile.id, monitor.id) ?? noNotes),
      id: monitor.id,
      monitorType: monitor.monitor_type,
      callbackUri: monitor.callback_uri ?? null,
      toThisApp: callsThisApp(monitor.callback_uri, dependencies),
      geo: toLatLng(monitor.geo),
      uri: monitor.uri ?? null,
      lastCallback: callbacks.newestOf(monitor.id),
      deletion: deletes.deletionOf(profile.id, monitor.id),
    };
  }

  async function fetchList(current: Connection, signal?: AbortSignal): Promise<MonitorList> {
    const listedAt = clock.now();
    const list = await fetchMonitors(current.api, signal);
    if (known.replaceAll(current, list.monitors, listedAt)) dependencies.onListed?.();
    return list;
  }

  async function fetchOne(current: Connection, id: string): Promise<WireMonitor> {
    const monitor = (await fetchList(current)).monitors.find((candidate) => candidate.id === id);
    if (monitor) return monitor;
    throw new AppFailure('NOT_FOUND', `Monitor ${id} was changed, but the service no longer lists it.`);
  }

  /** Returns the monitor before a write; if the edit has a base, the monitor must not have changed since. */
  async function before(
    current: Connection,
    id: string,
    base: MonitorBase | undefined,
    body: ReturnType<typeof bodyOf>,
    signal: AbortSignal | undefined,
  ): Promise<WireMonitor | undefined> {
    if (!base) return known.get(current, id);
    const fresh = (await fetchList(current, signal)).monitors.find((candidate) => candidate.id === id);
    requireUnchanged(id, base, fresh, body);
    return fresh;
  }

  /** A newcomer may create a monitor before the receiver listens. */
  async function waitForReceiver({ callback }: Partial<MonitorInput>): Promise<void> {
    if (callback?.kind === 'this-app') await within(clock, receiverStartMs, dependencies.receiver.started());
  }

  async function send(
    kind: EditKind,
    id: string | undefined,
    input: NewMonitor,
    { base, connection, signal }: UpdateOptions,
  ) {
    const current = connection ?? (await activeConnection.current());
    await waitForReceiver(input);
    const body = bodyOf(input, () => receiverBaseFor(current.profile.baseUrl, dependencies));
    const earlier = id === undefined ? undefined : await before(current, id, base, body, signal);
    const write = () => {
      // It may have waited for its turn.
      signal?.throwIfAborted();
      return current.api.call({
        method: id === undefined ? 'POST' : 'PUT',
        path: id === undefined ? monitorsPath : pathOf(id),
        json: { monitor_type: 'precipitation', ...body },
        signal,
      });
    };
    const response = await paced(current, write).catch((error: unknown) => {
      throw id === undefined ? explainMonitorLimit(error, known.count(current)) : error;
    });
    // The interface promises the monitor (docs/interface.md §4.5); if a service responds to PUT without a body, its list has it.
    const isEmpty = id !== undefined && response.body.length === 0;
    const monitor = isEmpty ? await fetchOne(current, id) : await readBody(response, monitorSchema);
    known.set(current, monitor);
    history.record(current.profile.id, monitor.id, kind, fieldChanges(earlier, body));
    const written = input.notes;
    if (written && !isEmptyNotes(written)) notes.set(current.profile.id, monitor.id, written);
    onChanged();
    return toAppMonitor(current, monitor, written);
  }

  return {
    async list(signal) {
      const current = await activeConnection.current();
      const { monitors: objects, problems } = await fetchList(current, signal);
      const written = notes.of(current.profile.id);
      return {
        monitors: objects.map((monitor) => toAppMonitor(current, monitor, written.get(monitor.id) ?? noNotes)),
        problems,
        fetchedAt: formatInstant(clock.now()),
      };
    },
    create: (input, options = {}) => send('created', undefined, input, options),
    replace: (id, input, options = {}) => send('replaced', id, input, options),
    async update(id, changes, { base, readBack = true, connection, signal } = {}) {
      const current = connection ?? (await activeConnection.current());
      await waitForReceiver(changes);
      const body = bodyOf(changes, () => receiverBaseFor(current.profile.baseUrl, dependencies));
      if (Object.keys(body).length === 0)
        throw new AppFailure('INVALID_INPUT', 'Nothing was changed.', { field: 'changes' });
      const earlier = await before(current, id, base, body, signal);
      await paced(current, () => {
        signal?.throwIfAborted();
        return current.api.call({ method: 'PATCH', path: pathOf(id), json: body, signal });
      });
      history.record(current.profile.id, id, 'changed', fieldChanges(earlier, body));
      onChanged();
      if (readBack || !earlier) return toAppMonitor(current, await fetchOne(current, id));
      const written = patched(earlier, body);
      known.set(current, written);
      return toAppMonitor(current, written);
    },
    async delete(id) {
      const current = await activeConnection.current();
      await paced(current, () => current.api.call({ method: 'DELETE', path: pathOf(id) }));
      noteDeleted(current.profile.id, id);
      onChanged();
    },
    deleteLater: async (ids) => deletes.hold(await activeConnection.current(), ids),
    undoDelete: async (ids) => ({ restored: deletes.undo(await activeConnection.current(), ids) }),
    flushDeletes: () => deletes.flush(),
    async setNotes(id, written) {
      notes.set((await activeConnection.current()).profile.id, id, written);
      onChanged();
    },
    known(id) {
      const current = activeConnection.present();
      const monitor = known.get(current, id);
      return monitor && { geo: toLatLng(monitor.geo), callbackUri: monitor.callback_uri ?? null };
    },
    paced,
    history: async (id) => history.of((await activeConnection.current()).profile.id, id),
  };
}

function patched(monitor: WireMonitor, { callback_uri: address, geo }: ReturnType<typeof bodyOf>): WireMonitor {
  return {
    ...monitor,
    ...(address === undefined ? {} : { callback_uri: address }),
    ...(geo ? { geo: toGeoPoint(geo) } : {}),
  };
}
