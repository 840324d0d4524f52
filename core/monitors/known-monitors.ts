// Each monitor as it was last seen or written: for a response without a body, and to judge callbacks. Only of one service at a time,
// because another one can have monitors with the same IDs.
import { type LatLng, toLatLng } from '@rainbell/contract/service-api';
import type { ActiveConnection } from '../connection/active-connection.ts';
import type { Connection } from '../connection/connection.ts';
import type { WireMonitor } from './monitor-wire.ts';

export type KnownMonitors = ReturnType<typeof createKnownMonitors>;

type KnownList = {
  service: string;
  listedAt: number;
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
    list.urls ??= new Map([...list.byId].map(([id, { callback_uri: url }]) => [id, url ?? null]));
    return list.urls;
  }

  return {
    get: (connection: Connection | undefined, id: string): WireMonitor | undefined => listOf(connection)?.byId.get(id),
    placeOf(id: string): LatLng | undefined {
      const monitor = listOf(activeConnection.present())?.byId.get(id);
      return monitor && toLatLng(monitor.geo);
    },
    /** Undefined before the first list. */
    count: (connection: Connection): number | undefined => listOf(connection)?.byId.size,
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
      known = { service: serviceOf(connection), listedAt, byId };
      const isSame =
        before?.byId.size === byId.size &&
        monitors.every((monitor) => factsOf(before.byId.get(monitor.id)) === factsOf(monitor));
      if (isSame) known.urls = before.urls;
      return !isSame;
    },
    set(connection: Connection, monitor: WireMonitor) {
      const list = listOf(connection);
      if (!list) return;
      const before = list.byId.get(monitor.id);
      list.byId.set(monitor.id, monitor);
      if (factsOf(before) !== factsOf(monitor)) list.urls = undefined;
    },
    delete(connectionId: string, id: string) {
      const active = activeConnection.present();
      const list = active?.profile.id === connectionId ? listOf(active) : undefined;
      if (!list) return;
      list.byId.delete(id);
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
