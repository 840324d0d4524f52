// The monitors of the connected application (docs/interface.md §4.5), with the app's data about them: whether a monitor calls this
// receiver, its newest callback, the user's notes, and whether it is about to be deleted.
import { type Clock, formatInstant, isLoopback, plural, within } from '@rainbell/shared';
import { monitorSchema, optionsOf, toGeoPoint, toLatLng } from '@rainbell/contract/service-api';
import type { AppMonitor, MonitorNotes } from '@rainbell/contract/app-rpc';
import { AppFailure } from '../errors/app-failure.ts';
import type { ApiCall } from '../connection/api-client.ts';
import type { Connection } from '../connection/connection.ts';
import type { HttpResponse } from '../http/http-sender.ts';
import type { ActiveConnection } from '../connection/active-connection.ts';
import type { Receiver } from '../receiver/server/receiver.ts';
import type { KnownMonitors } from './known-monitors.ts';
import { createPendingDeletes } from './pending-deletes.ts';
import { isEmptyNotes, noNotes, type MonitorNotesStore } from './monitor-notes.ts';
import { createPaces } from './write-pace.ts';
import {
  bodyOf,
  fetchMonitors,
  monitorsPath,
  pathOf,
  readBody,
  type MonitorInput,
  type MonitorList,
  type WireMonitor,
} from './monitor-wire.ts';

/**
 * `connection`: that of an action on many, which must not go on at another one. `signal` ends the request; the service may have
 * carried it out anyway.
 */
type WriteOptions = { connection?: Connection; signal?: AbortSignal | undefined };
export type UpdateOptions = WriteOptions & { readBack?: boolean };
export type NewMonitor = MonitorInput & { notes?: MonitorNotes | undefined };

export type Monitors = ReturnType<typeof createMonitors>;

type OwnAddresses = { receiver: Pick<Receiver, 'state'>; publicBase: () => string | null };

type MonitorsDependencies = OwnAddresses & {
  receiver: Pick<Receiver, 'started'>;
  activeConnection: ActiveConnection;
  known: KnownMonitors;
  /** `newestOf` finds the last event that is proven to be of a monitor of the active connection. */
  callbacks: { newestOf: (monitorId: string) => AppMonitor['lastCallback'] };
  notes: MonitorNotesStore;
  /** Whether the connection's service is Rainbell's, which has no limit on requests. */
  isOwnService: (connection: Connection) => boolean;
  clock: Clock;
  onChanged: () => void;
  /** Another list was fetched than the one before: callbacks may be validated differently. */
  onListed?: () => void;
};

/** After this, the request fails with the receiver's notice. */
const receiverStartMs = 5_000;

export function createMonitors(dependencies: MonitorsDependencies) {
  const { activeConnection, known, callbacks, notes, clock, onChanged } = dependencies;
  const paced = createPaces(clock, dependencies.isOwnService);
  const deletes = createPendingDeletes({
    clock,
    send: (connection, id) => call(connection, { method: 'DELETE', path: pathOf(id) }),
    onDeleted: known.delete,
    onChanged,
  });

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

  function call(connection: Connection, wanted: ApiCall): Promise<HttpResponse> {
    return paced(connection, () => {
      // It may have waited for its turn.
      wanted.signal?.throwIfAborted();
      return connection.api.call(wanted);
    });
  }

  const toAppMonitor = (connection: Connection, monitor: WireMonitor, written?: MonitorNotes): AppMonitor => ({
    ...(written ?? notes.get(connection.profile.id, monitor.id) ?? noNotes),
    ...describeMonitor(monitor),
    toThisApp: callsThisApp(monitor.callback_uri, dependencies),
    lastCallback: callbacks.newestOf(monitor.id),
    deletion: deletes.deletionOf(connection.profile.id, monitor.id),
  });

  /** A newcomer may create a monitor before the receiver listens. */
  async function waitForReceiver({ callback }: Partial<MonitorInput>): Promise<void> {
    if (callback?.kind === 'this-app') await within(clock, receiverStartMs, dependencies.receiver.started());
  }

  async function send(id: string | undefined, input: NewMonitor, { connection, signal }: WriteOptions) {
    const current = connection ?? (await activeConnection.current());
    await waitForReceiver(input);
    const body = bodyOf(input, () => receiverBaseFor(current.profile.baseUrl, dependencies));
    const earlier = id === undefined ? undefined : known.get(current, id);
    // PUT without them would remove the monitor's own events.
    const kept = id !== undefined && !input.options && earlier ? optionsOf(earlier) : undefined;
    const json = { monitor_type: 'precipitation', ...body, ...kept };
    const write: ApiCall =
      id === undefined
        ? { method: 'POST', path: monitorsPath, json, signal }
        : { method: 'PUT', path: pathOf(id), json, signal };
    const response = await call(current, write).catch((error: unknown) => {
      throw id === undefined ? explainMonitorLimit(error, known.count(current)) : error;
    });
    // The interface promises the monitor (docs/interface.md §4.5); if a service responds to PUT without a body, its list has it.
    const isEmpty = id !== undefined && response.body.length === 0;
    const monitor = isEmpty ? await fetchOne(current, id) : await readBody(response, monitorSchema);
    known.set(current, monitor);
    const written = input.notes;
    if (written && !isEmptyNotes(written)) notes.set(current.profile.id, monitor.id, written);
    onChanged();
    return toAppMonitor(current, monitor, written);
  }

  return {
    /** `problems`: what of the list can't be read, in sentences. */
    async list(signal?: AbortSignal): Promise<{ monitors: AppMonitor[]; problems: string[]; fetchedAt: string }> {
      const current = await activeConnection.current();
      const { monitors: objects, problems } = await fetchList(current, signal);
      const written = notes.of(current.profile.id);
      return {
        monitors: objects.map((monitor) => toAppMonitor(current, monitor, written.get(monitor.id) ?? noNotes)),
        problems,
        fetchedAt: formatInstant(clock.now()),
      };
    },
    create: (input: NewMonitor, options: WriteOptions = {}): Promise<AppMonitor> => send(undefined, input, options),
    replace: (id: string, input: MonitorInput, options: WriteOptions = {}): Promise<AppMonitor> =>
      send(id, input, options),
    async update(
      id: string,
      changes: Partial<MonitorInput>,
      { readBack = true, connection, signal }: UpdateOptions = {},
    ): Promise<AppMonitor> {
      const current = connection ?? (await activeConnection.current());
      await waitForReceiver(changes);
      const { options } = changes;
      const removed = options && { payload: null, events: null, conditions: null };
      const body = { ...removed, ...bodyOf(changes, () => receiverBaseFor(current.profile.baseUrl, dependencies)) };
      if (Object.keys(body).length === 0)
        throw new AppFailure('INVALID_INPUT', 'Nothing was changed.', { field: 'changes' });
      const earlier = known.get(current, id);
      await call(current, { method: 'PATCH', path: pathOf(id), json: body, signal });
      onChanged();
      if (readBack || !earlier) return toAppMonitor(current, await fetchOne(current, id));
      const written = patched(earlier, body);
      known.set(current, written);
      return toAppMonitor(current, written);
    },
    async delete(id: string) {
      const current = await activeConnection.current();
      await call(current, { method: 'DELETE', path: pathOf(id) });
      known.delete(current.profile.id, id);
      onChanged();
    },
    deleteLater: async (ids: readonly string[]): Promise<void> => deletes.hold(await activeConnection.current(), ids),
    undoDelete: async (ids: readonly string[]): Promise<{ restored: string[] }> => ({
      restored: deletes.undo(await activeConnection.current(), ids),
    }),
    flushDeletes: (): Promise<void> => deletes.flush(),
    async setNotes(id: string, written: MonitorNotes) {
      notes.set((await activeConnection.current()).profile.id, id, written);
      onChanged();
    },
    /** As it was last seen, without a request; undefined if it is unknown. */
    knownUrl: (id: string): string | undefined => known.get(activeConnection.present(), id)?.callback_uri,
    /** Runs a request about monitors at the pace that the connection's service allows. */
    paced,
  };
}

function describeMonitor(monitor: WireMonitor) {
  const { id, monitor_type: monitorType, callback_uri: callbackUri, geo, uri } = monitor;
  const options = optionsOf(monitor);
  const known = { id, monitorType, callbackUri: callbackUri ?? null, geo: toLatLng(geo), uri: uri ?? null };
  return options ? { ...known, options } : known;
}

function patched(monitor: WireMonitor, body: ReturnType<typeof bodyOf>): WireMonitor {
  const {
    callback_uri: address,
    geo,
    payload = monitor.payload,
    events = monitor.events,
    conditions = monitor.conditions,
  } = body;
  return {
    ...monitor,
    payload: payload ?? undefined,
    events: events ?? undefined,
    conditions: conditions ?? undefined,
    ...(address === undefined ? {} : { callback_uri: address }),
    ...(geo ? { geo: toGeoPoint(geo) } : {}),
  };
}

/**
 * Explains a refused POST to the user. docs/interface.md §8: a plan limits the number of monitors, but which answer refuses one more is
 * not shown. A service that gives no reason gets the likely one, with what to do. `listed` is the number of monitors known.
 */
export function explainMonitorLimit(error: unknown, listed: number | undefined): unknown {
  if (!(error instanceof AppFailure) || error.code !== 'ACCESS_REFUSED') return error;
  const { httpStatus, error: errorCode, needs } = error.details;
  if (httpStatus !== 403 || errorCode !== undefined || needs !== undefined) return error;
  const sentences = [
    error.message,
    ...(listed === undefined
      ? []
      : [plural(listed, ['It currently lists # monitor.', 'It currently lists # monitors.'])]),
    'The plan may not allow more: delete one, or choose a larger plan on the service’s website.',
  ];
  return new AppFailure('ACCESS_REFUSED', sentences.join(' '), error.details);
}

/**
 * Returns where a service reaches this app's receiver: at this machine's own URL, or, from another machine, at the public one. Throws
 * AppFailure UNAVAILABLE while there is none.
 */
export function receiverBaseFor(serviceUrl: string, { receiver, publicBase }: OwnAddresses): string {
  const { baseUrl, notice } = receiver.state();
  const isElsewhere = !isLoopback(URL.parse(serviceUrl)?.hostname ?? '');
  const base = (isElsewhere ? publicBase() : null) ?? baseUrl;
  if (base !== null) return base;
  throw new AppFailure('UNAVAILABLE', notice ?? 'The callback receiver is still starting. Try again in a moment.');
}

/** Whether an address leads to the receiver: this machine, its port and its scheme, or its public base, under any path. */
export function callsThisApp(uri: string | undefined, { receiver, publicBase }: OwnAddresses): boolean {
  const url = URL.parse(uri ?? '');
  const own = URL.parse(receiver.state().baseUrl ?? '');
  if (!url) return false;
  if (url.origin === publicBase()) return true;
  if (!own) return false;
  return ['127.0.0.1', 'localhost'].includes(url.hostname) && url.protocol === own.protocol && url.port === own.port;
}
