// Each monitor as it was last seen or written: for the history, for a response without a body, and to judge callbacks. Only of one
// service at a time, because another one can have monitors with the same IDs.
import { type LatLng, toLatLng } from '@rainbell/contract/service-api';
import type { ActiveConnection } from '../connection/active-connection.ts';
import type { Connection } from '../connection/connection.ts';
import type { WireMonitor } from './monitor-wire.ts';

export type KnownMonitors = ReturnType<typeof createKnownMonitors>;

type KnownList = {
  service: string;
  listedAt: number;
  ids: Set<string>;
  byId: Map<string, WireMonitor>;
  /** Created on demand; discarded with each change of an ID, URL, or location, and only then. */
  urls?: ReadonlyMap<string, string | null> | undefined;
};

export function createKnownMonitors(activeConnection: Pick<ActiveConnection, 'present'>) {
  let known: KnownList | undefined;

  function listOf(connection: Connection | undefined): KnownList | undefined {
    return connection && known?.service === serviceOf(connection) ? known : undefined;
  }

  function urlsOf(list: KnownList | undefined): ReadonlyMap<string, string | null> | undefined {
    if (!list) return undefined;
    list.urls ??= new Map([...list.ids].map((id) => [id, list.byId.get(id)?.callback_uri ?? null]));
    return list.urls;
  }

  return {
    /** Returns a monitor of this connection, also a deleted one until the next list. */
    get: (connection: Connection | undefined, id: string): WireMonitor | undefined => listOf(connection)?.byId.get(id),
    /** Where a monitor of the active connection is; undefined if it is unknown. */
    placeOf(id: string): LatLng | undefined {
      const monitor = listOf(activeConnection.present())?.byId.get(id);
      return monitor && toLatLng(monitor.geo);
    },
    /** Undefined before the first list. */
    count: (connection: Connection): number | undefined => listOf(connection)?.ids.size,
    /** When the list was requested; of later callbacks, the monitor may have been created or changed since. */
    listedAt: (): number => listOf(activeConnection.present())?.listedAt ?? Infinity,
    /** Callback URLs by ID, for the active connection; undefined before the first list. The same map while nothing changed. */
    urls: (): ReadonlyMap<string, string | null> | undefined => urlsOf(listOf(activeConnection.present())),
    /** A list was fetched. Returns whether its callback URLs or locations differ from those known before. */
    replaceAll(connection: Connection, monitors: readonly WireMonitor[], listedAt: number): boolean {
      const active = activeConnection.present();
      // A response that arrives after the user chose another connection says nothing about that one.
      if (!active || serviceOf(active) !== serviceOf(connection)) return false;
      const before = listOf(connection);
      const byId = new Map(monitors.map((monitor) => [monitor.id, monitor]));
      known = { service: serviceOf(connection), listedAt, ids: new Set(byId.keys()), byId };
      const isSame =
        before?.ids.size === byId.size &&
        monitors.every(
          (monitor) => before.ids.has(monitor.id) && factsOf(before.byId.get(monitor.id)) === factsOf(monitor),
        );
      if (isSame) known.urls = before.urls;
      return !isSame;
    },
    /** A listed monitor was created or changed. */
    set(connection: Connection, monitor: WireMonitor) {
      const list = listOf(connection);
      if (!list) return;
      const before = list.ids.has(monitor.id) ? list.byId.get(monitor.id) : undefined;
      list.ids.add(monitor.id);
      list.byId.set(monitor.id, monitor);
      if (factsOf(before) !== factsOf(monitor)) list.urls = undefined;
    },
    delete(connectionId: string, id: string) {
      const active = activeConnection.present();
      const list = active?.profile.id === connectionId ? listOf(active) : undefined;
      if (!list) return;
      list.ids.delete(id);
      list.urls = undefined;
    },
  };
}

/** A connection keeps its ID when it is edited to lead to another service. */
function serviceOf({ profile, baseUrl }: Connection): string {
  return `${profile.id} ${baseUrl}`;
}

/** What verdicts depend on. */
function factsOf(monitor: WireMonitor | undefined): string | undefined {
  return monitor && JSON.stringify([monitor.id, monitor.callback_uri, monitor.geo]);
}
