// The monitors of the active connection: actions on one and on many, and the watch over their deliveries.
import type { Base } from '../app/base.ts';
import type { CallbackValidator } from '../callbacks/callback-validator.ts';
import type { ActiveConnection } from '../connection/active-connection.ts';
import { mayNotify } from '../notifications/quiet-hours.ts';
import type { Receiver } from '../receiver/server/receiver.ts';
import type { SandboxControl } from '../sandbox/sandbox-control.ts';
import { createBulkRuns } from './bulk-runs.ts';
import { createBulkWork } from './bulk-work.ts';
import { createDeliveryWatch } from './delivery-watch.ts';
import { createMonitors } from './monitors.ts';
import type { openDeliveries } from './open-deliveries.ts';

type Needs = Base &
  ReturnType<typeof openDeliveries> & {
    activeConnection: ActiveConnection;
    connectionId: () => string;
    receiver: Receiver;
    sandbox: SandboxControl;
    validator: Pick<CallbackValidator, 'newestOf'>;
  };

/** Between two lists that are fetched because of a callback: anyone can send one. */
const fetchAgainMs = 30_000;
/** Events of other new monitors mostly arrive at the same time. */
const gatherMs = 1000;

export function openMonitors(needs: Needs) {
  const { events, settings, activeConnection, connectionId, receiver, sandbox, validator, clock } = needs;
  const { knownMonitors, deliveries, monitorNotes: notes, notified } = needs;
  const monitorsChanged = () => events.emit('monitorsChanged');

  const monitors = createMonitors({
    activeConnection,
    known: knownMonitors,
    receiver,
    publicBase: () => settings.get().publicBase,
    callbacks: validator,
    notes,
    isOwnService: (connection) => connection.isSandbox || deliveries.hasDeliveryLog(),
    clock,
    onChanged: monitorsChanged,
    onListed: () => events.emit('callbacksChanged'),
  });
  const bulkRuns = createBulkRuns({
    activeConnection,
    work: createBulkWork({
      monitors,
      deliveries,
      notes,
      clock,
      rain: { start: sandbox.startRain, end: sandbox.endScenario },
    }),
    onEnd: monitorsChanged,
  });

  const deliveryWatch = createDeliveryWatch({
    isQuiet: (id) => notified.isQuiet(id),
    callbackOf: (id) => knownMonitors.urls()?.get(id) ?? undefined,
    readStates: deliveries.states,
    canLook: activeConnection.canReadMonitors,
    connectionId,
    mayNotify: () => mayNotify(settings.get().notifications, clock.now()),
    notify: needs.notifyUser,
    clock,
  });
  events.on('deliveryStatesRead', deliveryWatch.look);

  let mayFetchAt = 0;
  let planned: (() => void) | undefined;
  events.on('monitorsOutdated', () => {
    planned ??= clock.after(Math.max(gatherMs, mayFetchAt - clock.elapsed()), () => {
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
  return {
    monitors,
    bulkRuns,
    async endMonitors() {
      await monitors.flushDeletes();
      deliveryWatch.close();
    },
  };
}
