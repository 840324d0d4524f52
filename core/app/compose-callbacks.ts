// Wires stored callbacks: verdicts, delivery attempts, requests made from callbacks, and what is read.
import type { DatabaseSync } from 'node:sqlite';
import type { CallbackDocuments } from '../callbacks/callback-documents.ts';
import { createCallbackNotifier } from '../callbacks/callback-notifier.ts';
import { createCallbackService } from '../callbacks/callback-service.ts';
import { createCallbackValidator } from '../callbacks/callback-validator.ts';
import { createDeliveryRecords } from '../callbacks/delivery-records.ts';
import { createPublicBase } from '../callbacks/public-base.ts';
import { createReadMarks } from '../callbacks/read-marks.ts';
import { createSendGuard } from '../callbacks/send-guard.ts';
import { createRequestSender } from '../callbacks/send-request.ts';
import { createWeatherLookup } from '../callbacks/weather-lookup.ts';
import { createWebhookSecrets } from '../callbacks/webhook-secrets.ts';
import type { ActiveConnection } from '../connection/active-connection.ts';
import { sandboxId } from '../connection/connection.ts';
import { createAppEndpointCheck } from '../endpoint-check/app-endpoint-check.ts';
import { plainTransport } from '../http/transport.ts';
import type { Deliveries } from '../monitors/deliveries.ts';
import type { KnownMonitors } from '../monitors/known-monitors.ts';
import type { CoreEventHub } from '../ports/events.ts';
import type { Host } from '../ports/host.ts';
import type { Log } from '../ports/log.ts';
import type { CallbackPages } from '../receiver/records/callback-pages.ts';
import type { ReceiverAccessStore } from '../receiver/access/receiver-access.ts';
import type { Receiver } from '../receiver/server/receiver.ts';
import type { AppSettings } from '../settings/app-settings.ts';
import type { Clock } from '@rainbell/shared';

type Dependencies = {
  events: CoreEventHub;
  db: DatabaseSync;
  version: string;
  secrets: Host['secrets'];
  mask: (text: string) => string;
  settings: AppSettings;
  activeConnection: ActiveConnection;
  /** Of Rainbell's own servers on this machine, which nothing may be sent to. */
  adminPorts: () => number[];
  knownMonitors: KnownMonitors;
  deliveries: Deliveries;
  documents: CallbackDocuments;
  receiverAccess: ReceiverAccessStore;
  receiver: Receiver;
  pages: CallbackPages;
  /** Whether the user is not to be notified of a monitor's events. */
  isQuiet: (monitorId: string) => boolean;
  /** Whether the store was found damaged since the start. */
  isDamaged: () => boolean;
  clock: Clock;
  log: Log;
};

export function composeCallbacks(dependencies: Dependencies) {
  const { events, db, version, secrets, settings, activeConnection, deliveries } = dependencies;
  const { documents, receiverAccess, receiver, pages, isDamaged, clock, log } = dependencies;
  const callbacksChanged = () => events.emit('callbacksChanged');
  const connectionId = () => settings.get().selectedConnection;

  const webhookSecrets = createWebhookSecrets({
    activeConnection,
    secrets,
    connectionIds: () => [sandboxId, ...settings.get().connections.map(({ id }) => id)],
    hasDeliveryLog: deliveries.hasDeliveryLog,
    clock,
    log,
    onChanged: callbacksChanged,
  });
  const validator = createCallbackValidator({
    pages,
    monitors: dependencies.knownMonitors.urls,
    monitorsListedAt: dependencies.knownMonitors.listedAt,
    onOutdated: () => events.emit('monitorsOutdated'),
    ownOrigins: () => [receiver.state().baseUrl, settings.get().publicBase].filter((origin) => origin !== null),
    deliveryLog: deliveries.knownLog,
    signing: () => ({ ...webhookSecrets.facts(), hasDeliveryLog: deliveries.hasDeliveryLog() }),
    isDamaged,
    connectionId: () => activeConnection.present()?.profile.id,
  });
  let isClosing = false;
  let validatedFor = activeConnection.present()?.profile.id;
  events.on('connectionChanged', () => {
    const id = activeConnection.present()?.profile.id;
    // A service can come or go after the store was closed.
    if (isClosing || id === validatedFor) return;
    validatedFor = id;
    callbacksChanged();
  });

  const sending = {
    clock,
    guard: createSendGuard({ adminPorts: dependencies.adminPorts }),
    authority: receiverAccess.authorityPem,
    transport: () => activeConnection.present()?.profile ?? plainTransport,
  };
  const sender = createRequestSender(sending);
  const endpointCheck = createAppEndpointCheck({ ...sending, secrets: webhookSecrets.current });
  const deliveryRecords = createDeliveryRecords({
    db,
    pages,
    deliveries,
    canRead: () => activeConnection.canReadMonitors() && !isDamaged(),
    connectionId,
    clock,
    onStored: callbacksChanged,
  });
  const callbacks = createCallbackService({
    db,
    pages,
    webhookSecrets,
    connection() {
      const profile = activeConnection.present()?.profile;
      return profile ? { name: profile.name, baseUrl: profile.baseUrl } : null;
    },
    validator,
    documents,
    receiver,
    sender,
    deliveryRecords,
    version,
    mask: dependencies.mask,
    clock,
    log,
    isDamaged,
    onChanged: callbacksChanged,
  });
  const clearVerdicts = () => {
    validator.clear();
    callbacks.clearVerdicts();
  };
  for (const name of ['callbacksChanged', 'monitorsChanged', 'receiverChanged', 'damageFound'] as const)
    events.on(name, clearVerdicts);

  const readMarks = createReadMarks({ db, pages, log, onChanged: () => events.emit('callbacksRead') });
  const publicBase = createPublicBase({ sender, pages, receiver, settings, onChanged: callbacksChanged });
  const notifier = createCallbackNotifier({
    choice: () => settings.get().notifications,
    pages,
    validator,
    isQuiet: dependencies.isQuiet,
    weatherAt: createWeatherLookup(activeConnection, clock),
    notify: (notice) => events.emit('userNotice', notice),
    clock,
  });
  events.on('callbacksArrived', callbacks.forwarder.arrived);
  events.on('callbacksArrived', notifier.arrived);
  events.on('callbacksArrived', deliveryRecords.arrived);

  return {
    webhookSecrets,
    validator,
    callbacks,
    endpointCheck,
    readMarks,
    publicBase,
    /** The service may start or stop in the meantime; `closeCallbacks` follows. */
    stopValidating() {
      isClosing = true;
    },
    async closeCallbacks() {
      notifier.close();
      deliveryRecords.close();
      endpointCheck.close();
      await callbacks.close();
    },
  };
}
