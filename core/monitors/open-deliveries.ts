// The monitors and deliveries that the service returned, with which callbacks are checked.
import type { Base } from '../app/base.ts';
import type { ActiveConnection } from '../connection/active-connection.ts';
import { createDeliveries } from './deliveries.ts';
import { createKnownMonitors } from './known-monitors.ts';
import { createMonitorNotes } from './monitor-notes.ts';

export type Notified = {
  /** Whether the user is not to be notified of a monitor's events. A feature that knows more replaces it. */
  isQuiet: (monitorId: string) => boolean;
};

export function openDeliveries({ events, db, activeConnection, clock }: Base & { activeConnection: ActiveConnection }) {
  const deliveries = createDeliveries({
    activeConnection,
    clock,
    onChanged: () => events.emit('monitorsChanged'),
    onStates: (states) => events.emit('deliveryStatesRead', states),
    onLogRead: (monitorId) => events.emit('deliveryLogRead', monitorId),
  });
  const notified: Notified = { isQuiet: () => false };
  return {
    knownMonitors: createKnownMonitors(activeConnection),
    deliveries,
    monitorNotes: createMonitorNotes(db),
    notified,
  };
}
