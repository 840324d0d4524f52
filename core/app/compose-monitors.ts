// Wires the monitors of the active connection: actions on many, fronts, the watch over deliveries, and the sandbox whose weather makes
// monitors fire.
import type { DatabaseSync } from 'node:sqlite';
import type { CallbackValidator } from '../callbacks/callback-validator.ts';
import type { ActiveConnection } from '../connection/active-connection.ts';
import { createWriteGroup } from '../database/write-group.ts';
import { createBulkRuns } from '../monitors/bulk-runs.ts';
import { createBulkStore } from '../monitors/bulk-store.ts';
import { createBulkWork } from '../monitors/bulk-work.ts';
import { createCallThisApp } from '../monitors/call-this-app.ts';
import type { Deliveries } from '../monitors/deliveries.ts';
import { createDeliveryWatch } from '../monitors/delivery-watch.ts';
import type { FrontTracker } from '../monitors/front-tracker.ts';
import { createHeldDeletes } from '../monitors/held-deletes.ts';
import type { KnownMonitors } from '../monitors/known-monitors.ts';
import { createMonitorHistory } from '../monitors/monitor-history.ts';
import type { MonitorNotesStore } from '../monitors/monitor-notes.ts';
import { createMonitors } from '../monitors/monitors.ts';
import { mayNotify } from '../notifications/quiet-hours.ts';
import type { CoreEventHub } from '../ports/events.ts';
import type { CallbackPages } from '../receiver/records/callback-pages.ts';
import type { Receiver } from '../receiver/server/receiver.ts';
import { createSandboxControl } from '../sandbox/sandbox-control.ts';
import type { AppSettings } from '../settings/app-settings.ts';
import { userName } from '@rainbell/shared/node';
import type { Clock } from '@rainbell/shared';

type Dependencies = {
  events: CoreEventHub;
  db: DatabaseSync;
  settings: AppSettings;
  activeConnection: ActiveConnection;
  knownMonitors: KnownMonitors;
  deliveries: Deliveries;
  validator: Pick<CallbackValidator, 'newestOf'>;
  pages: CallbackPages;
  receiver: Receiver;
  notes: MonitorNotesStore;
  fronts: FrontTracker;
  clock: Clock;
};

/** Between two lists that are fetched because of a callback: anyone can send one. */
const fetchAgainMs = 30_000;

export function composeMonitors(dependencies: Dependencies) {
  const { events, db, settings, activeConnection, knownMonitors, deliveries, validator } = dependencies;
  const { pages, receiver, notes, fronts, clock } = dependencies;
  const connectionId = () => settings.get().selectedConnection;
  const monitorsChanged = () => events.emit('monitorsChanged');

  const writes = createWriteGroup(db, clock);
  const sandbox = createSandboxControl({ activeConnection, onChanged: () => events.emit('sandboxChanged') });
  const monitors = createMonitors({
    activeConnection,
    known: knownMonitors,
    receiver,
    publicBase: () => settings.get().publicBase,
    callbacks: validator,
    notes,
    heldDeletes: createHeldDeletes(db, writes),
    isOwnService: (connection) => connection.isSandbox || deliveries.hasDeliveryLog(),
    history: createMonitorHistory({ db, clock, writes, account: userName() ?? 'this computer' }),
    clock,
    onChanged: monitorsChanged,
    onListed: () => events.emit('callbacksChanged'),
  });
  const bulkRuns = createBulkRuns({
    activeConnection,
    store: createBulkStore(db),
    work: createBulkWork({
      monitors,
      deliveries,
      notes,
      rain: { start: sandbox.startRain, end: sandbox.endScenario },
    }),
    clock,
    onEnd: monitorsChanged,
  });

  const deliveryWatch = createDeliveryWatch({
    tell: fronts.filter,
    readStates: deliveries.states,
    canLook: activeConnection.canReadMonitors,
    connectionId,
    mayNotify: () => mayNotify(settings.get().notifications, clock.now()),
    notify: (notice) => events.emit('userNotice', notice),
    clock,
  });
  // Fronts first: the watch uses them to group monitors.
  events.on('deliveryStatesRead', fronts.note);
  events.on('deliveryStatesRead', deliveryWatch.look);

  const callThisApp = createCallThisApp({ monitors, deliveries, callbacks: pages, clock });
  let mayFetchAt = 0;
  let planned: (() => void) | undefined;
  events.on('monitorsOutdated', () => {
    planned ??= clock.after(Math.max(0, mayFetchAt - clock.elapsed()), () => {
      planned = undefined;
      mayFetchAt = clock.elapsed() + fetchAgainMs;
      if (activeConnection.canReadMonitors())
        monitors.list().then(
          () => events.emit('callbacksChanged'),
          () => {},
        );
    });
  });
  // Rain or a moved clock changes the status of deliveries.
  events.on('sandboxChanged', monitorsChanged);
  return { monitors, bulkRuns, deliveryWatch, callThisApp, sandbox, flushWrites: writes.flush };
}
