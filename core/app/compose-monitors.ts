// Wires the monitors of the active connection: actions on many, fronts, the watch over deliveries, and the sandbox whose weather makes
// monitors fire.
import type { DatabaseSync } from 'node:sqlite';
import type { CallbackValidator } from '#core/callbacks/callback-validator.ts';
import type { ActiveConnection } from '#core/connection/active-connection.ts';
import { createWriteGroup } from '#core/database/write-group.ts';
import { createBulkRuns } from '#core/monitors/bulk-runs.ts';
import { createBulkStore } from '#core/monitors/bulk-store.ts';
import { createBulkWork } from '#core/monitors/bulk-work.ts';
import { createCallThisApp } from '#core/monitors/call-this-app.ts';
import type { Deliveries } from '#core/monitors/deliveries.ts';
import { createDeliveryWatch } from '#core/monitors/delivery-watch.ts';
import type { FrontTracker } from '#core/monitors/front-tracker.ts';
import { createHeldDeletes } from '#core/monitors/held-deletes.ts';
import type { KnownMonitors } from '#core/monitors/known-monitors.ts';
import { createMonitorHistory } from '#core/monitors/monitor-history.ts';
import type { MonitorNotesStore } from '#core/monitors/monitor-notes.ts';
import { createMonitors } from '#core/monitors/monitors.ts';
import { mayNotify } from '#core/notifications/quiet-hours.ts';
import type { CoreEventHub } from '#core/ports/events.ts';
import type { CallbackPages } from '#core/receiver/records/callback-pages.ts';
import type { Receiver } from '#core/receiver/server/receiver.ts';
import { createSandboxControl } from '#core/sandbox/sandbox-control.ts';
import type { AppSettings } from '#core/settings/app-settings.ts';
import { userName } from '#storage/data-folder.ts';
import type { Clock } from '#shared/time/clock.ts';

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
