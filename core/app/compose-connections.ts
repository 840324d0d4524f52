// Wires connections, tokens, sign-in, and the requests to services.
import type { DatabaseSync } from 'node:sqlite';
import { createActiveConnection } from '#core/connection/active-connection.ts';
import { createConnectionTransfer } from '#core/connection/connection-transfer.ts';
import type { ConnectionDependencies } from '#core/connection/connection.ts';
import { createConnections } from '#core/connection/connections.ts';
import { createJsonReader } from '#core/http/json-reader.ts';
import type { CoreEventHub } from '#core/ports/events.ts';
import type { Host } from '#core/ports/host.ts';
import type { Log } from '#core/ports/log.ts';
import { createSession } from '#core/session/session.ts';
import type { AppSettings } from '#core/settings/app-settings.ts';
import { createReplay } from '#core/traffic/replay.ts';
import { createTrafficLog } from '#core/traffic/traffic-log.ts';
import type { Clock } from '#shared/time/clock.ts';

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
