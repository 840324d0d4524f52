// Connections, and the log of the requests to their services.
import type { Base } from '../app/base.ts';
import { createJsonReader } from '../http/json-reader.ts';
import { createTrafficLog } from '../traffic/traffic-log.ts';
import { createActiveConnection } from './active-connection.ts';
import type { ConnectionDependencies } from './connection.ts';
import { createConnections } from './connections.ts';

export function openConnections({ events, screens, db, host, secrets, settings, workers, command, clock, log }: Base) {
  const json = createJsonReader({ workerUrl: workers.json, clock });
  const traffic = createTrafficLog({
    db,
    clock,
    log,
    onChanged: (newestId) => screens.publish({ topic: 'traffic', newestId }),
  });
  const connectionDependencies: ConnectionDependencies = {
    clock,
    secrets,
    json,
    observe: traffic.record,
    onState: () => {},
  };
  const connectionChanged = () => events.emit('connectionChanged');
  const activeConnection = createActiveConnection({ clock, onState: connectionChanged });
  const connections = createConnections({
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
    traffic,
    activeConnection,
    connections,
    /** For a connection that is not the active one: one of a comparison, or one that is only tested. */
    connectionDependencies,
    connectionId: () => settings.get().selectedConnection,
    /** Ports of Rainbell's own servers on this machine, which nothing may be sent to. */
    adminPorts,
  };
}
