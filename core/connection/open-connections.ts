// The saved connections, and the one in use.
import type { Base } from '../app/base.ts';
import { createJsonReader } from '../http/json-reader.ts';
import { createActiveConnection } from './active-connection.ts';
import { type Connection, type ConnectionDependencies, createConnection } from './connection.ts';
import { Connections } from './connections.ts';

export type WithConnection = ReturnType<typeof openConnections>['withConnection'];

export function openConnections({ events, host, secrets, settings, traffic, workers, command, clock }: Base) {
  const json = createJsonReader(workers.json);
  const connectionDependencies: ConnectionDependencies = {
    clock,
    secrets,
    json,
    observe: traffic.record,
    onState: () => {},
  };
  const connectionChanged = () => events.emit('connectionChanged');
  const activeConnection = createActiveConnection({ clock, onState: connectionChanged });
  const connections = new Connections({
    settings,
    secrets,
    isCommand: command !== undefined,
    activeConnection,
    connectionDependencies: { ...connectionDependencies, onState: connectionChanged },
    clearBrowserSession: async (id) => host.clearBrowserSession?.(id),
    onChanged: () => events.emit('connectionsChanged'),
  });
  secrets.onReadable?.(() => connections.reopen());
  const adminPorts: (() => readonly number[])[] = [
    () => host.adminPorts?.() ?? [],
    () => {
      const url = connections.sandboxUrl();
      return url === null ? [] : [Number(new URL(url).port)];
    },
  ];
  return {
    json,
    activeConnection,
    connections,
    /** For a connection that is only tested. */
    connectionDependencies,
    /** Works with a saved connection, whether it is in use or not. */
    async withConnection<Result>(id: string, work: (connection: Connection) => Promise<Result>): Promise<Result> {
      if (id === activeConnection.present()?.profile.id) return work(await activeConnection.current());
      const other = createConnection(await connections.profileOf(id), connectionDependencies);
      try {
        return await work(other);
      } finally {
        // Its token may still be in transit; save it.
        await other.retire();
      }
    },
    connectionId: () => settings.get().selectedConnection,
    /** Ports of Rainbell's own servers on this machine, which nothing may be sent to. */
    adminPorts,
  };
}
