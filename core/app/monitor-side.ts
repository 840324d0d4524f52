// Monitors of the connection in use, wired together: the manager, how their deliveries stand, and "monitor to this app".
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '#shared/time/clock.ts';
import type { ActiveConnection } from '#core/connection/active-connection.ts';
import type { CallbackPages } from '#core/receiver/callback-pages.ts';
import type { Receiver } from '#core/receiver/receiver.ts';
import type { AppSettings } from '#core/settings/app-settings.ts';
import { type CallThisApp, createCallThisApp } from '#core/monitors/call-this-app.ts';
import { createDeliveries, type Deliveries } from '#core/monitors/deliveries.ts';
import { accountName, createMonitorHistory } from '#core/monitors/monitor-history.ts';
import { createMonitorNotes } from '#core/monitors/monitor-notes.ts';
import { createMonitors, type Monitors } from '#core/monitors/monitors.ts';

export type MonitorSide = { monitors: Monitors; deliveries: Deliveries; callThisApp: CallThisApp };

type Parts = {
  db: DatabaseSync;
  connection: ActiveConnection;
  receiver: Receiver;
  pages: CallbackPages;
  settings: AppSettings;
  clock: Clock;
  onChanged: () => void;
};

export function createMonitorSide({ db, connection, receiver, pages, settings, clock, onChanged }: Parts): MonitorSide {
  const monitors = createMonitors({
    activeConnection: connection,
    receiver,
    publicBase: () => settings.get().publicBase,
    callbacks: pages,
    notes: createMonitorNotes(db),
    history: createMonitorHistory({ db, clock, account: accountName() }),
    clock,
    onChanged,
  });
  const deliveries = createDeliveries({ activeConnection: connection, clock, onChanged });
  const callThisApp = createCallThisApp({ monitors, deliveries, callbacks: pages, clock });
  return { monitors, deliveries, callThisApp };
}
