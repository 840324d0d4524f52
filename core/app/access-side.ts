// How the app gets into services, wired together: connections, their tokens and sign-ins, and what was exchanged with them.
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '#shared/time/clock.ts';
import type { Notice } from '#contract/app-rpc/app.ts';
import type { Host } from '#core/ports/host.ts';
import type { Log } from '#core/ports/log.ts';
import type { NoticeHub } from '#core/ports/notices.ts';
import { createSession, type Session } from '#core/session/session.ts';
import type { AppSettings } from '#core/settings/app-settings.ts';
import { createReplay, type Replay } from '#core/traffic/replay.ts';
import { createTrafficLog, type TrafficLog } from '#core/traffic/traffic-log.ts';
import { type ActiveConnection, createActiveConnection } from '#core/connection/active-connection.ts';
import { type ConnectionTransfer, createConnectionTransfer } from '#core/connection/connection-transfer.ts';
import type { ConnectionDependencies } from '#core/connection/connection.ts';
import { type Connections, createConnections } from '#core/connection/connections.ts';
import type { JsonReader } from '#core/connection/json-reader.ts';

export type AccessSide = {
  /** The connection in use. */
  connection: ActiveConnection;
  connections: Connections;
  transfer: ConnectionTransfer;
  session: Session;
  traffic: TrafficLog;
  replay: Replay;
  /** What a connection lives in that is not the one in use: one of a comparison, or one that is only tested. */
  elsewhere: ConnectionDependencies;
  /** For a screen that has just opened. */
  presentNotices: () => Notice[];
};

type Parts = {
  db: DatabaseSync;
  host: Host;
  settings: AppSettings;
  notices: Pick<NoticeHub, 'publish'>;
  /** The connection in use, or its tokens, are others now. */
  onConnection: () => void;
  json: JsonReader;
  clock: Clock;
  log: Log;
};

export function createAccessSide({ db, host, settings, notices, onConnection, json, clock, log }: Parts): AccessSide {
  const { secrets } = host;
  const connectionsChanged = () => notices.publish({ topic: 'connections' });
  const sessionChanged = () => notices.publish({ topic: 'session' });
  const tokensChanged = () => {
    notices.publish({ topic: 'status' });
    sessionChanged();
    onConnection();
  };
  const traffic = createTrafficLog({
    db,
    clock,
    log,
    onChanged: (newest) => notices.publish({ topic: 'traffic', newestId: newest }),
  });
  const elsewhere: ConnectionDependencies = { clock, secrets, json, observe: traffic.record, onState: () => {} };
  const connection = createActiveConnection({ clock, onState: tokensChanged });
  const connections = createConnections({
    settings,
    secrets,
    activeConnection: connection,
    connectionDependencies: { ...elsewhere, onState: tokensChanged },
    forgetBrowserSession: async (id) => host.forgetBrowserSession?.(id),
    onChanged: connectionsChanged,
  });
  secrets.onReadable?.(() => connections.reopen());
  return {
    connection,
    connections,
    transfer: createConnectionTransfer({ settings, secrets, clock, onChanged: connectionsChanged }),
    session: createSession({ activeConnection: connection, host, settings, clock, onChanged: sessionChanged }),
    traffic,
    replay: createReplay({ traffic, activeConnection: connection, connections, connectionDependencies: elsewhere }),
    elsewhere,
    presentNotices: () => [
      { topic: 'connections' },
      { topic: 'session' },
      { topic: 'traffic', newestId: traffic.newestId() },
    ],
  };
}
