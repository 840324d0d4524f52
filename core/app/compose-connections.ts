// Wires connections, tokens, sign-in, and the requests to services.
import type { DatabaseSync } from 'node:sqlite';
import { createActiveConnection } from '../connection/active-connection.ts';
import { createConnectionTransfer } from '../connection/connection-transfer.ts';
import type { ConnectionDependencies } from '../connection/connection.ts';
import { createConnections } from '../connection/connections.ts';
import { createJsonReader } from '../http/json-reader.ts';
import type { CoreEventHub } from '../ports/events.ts';
import type { Host } from '../ports/host.ts';
import type { Log } from '../ports/log.ts';
import { createSession } from '../session/session.ts';
import type { AppSettings } from '../settings/app-settings.ts';
import { createReplay } from '../traffic/replay.ts';
import { createTrafficLog } from '../traffic/traffic-log.ts';
import type { Clock } from '@rainbell/shared';

type Dependencies = {
  events: CoreEventHub;
  db: DatabaseSync;
  host: Host;
  settings: AppSettings;
  jsonWorker: URL;
  clock: Clock;
  log: Log;
};

export function composeConnections({ events, db, host, settings, jsonWorker, clock, log }: Dependencies) {
  const { secrets } = host;
  const json = createJsonReader({ workerUrl: jsonWorker, clock });
  const traffic = createTrafficLog({
    db,
    clock,
    log,
    onChanged: (newestId) => events.emit('trafficChanged', newestId),
  });
  /** For a connection that is not the active one: one of a comparison, or one that is only tested. */
  const connectionDependencies: ConnectionDependencies = {
    clock,
    secrets,
    json,
    observe: traffic.record,
    onState: () => {},
  };
  const connectionChanged = () => events.emit('connectionChanged');
  const connectionsChanged = () => events.emit('connectionsChanged');
  const activeConnection = createActiveConnection({ clock, onState: connectionChanged });
  const connections = createConnections({
    settings,
    secrets,
    activeConnection,
    connectionDependencies: { ...connectionDependencies, onState: connectionChanged },
    clearBrowserSession: async (id) => host.clearBrowserSession?.(id),
    onChanged: connectionsChanged,
  });
  secrets.onReadable?.(() => connections.reopen());
  const connectionTransfer = createConnectionTransfer({ settings, clock, onChanged: connectionsChanged });
  const session = createSession({
    activeConnection,
    host,
    settings,
    clock,
    onChanged: () => events.emit('sessionChanged'),
  });
  const replay = createReplay({ traffic, activeConnection, connections, connectionDependencies });
  return { json, traffic, connectionDependencies, activeConnection, connections, connectionTransfer, session, replay };
}
