// Wires the receiver: its thread, the user's settings for it, the pages that are read from its store, and which parts are notified
// of its port.
import type { DatabaseSync } from 'node:sqlite';
import { openCallbackDocuments } from '../callbacks/callback-documents.ts';
import type { ActiveConnection } from '../connection/active-connection.ts';
import type { Connections } from '../connection/connections.ts';
import type { StorageState } from '../database/storage-state.ts';
import { createAddressFile } from '../hosting/address-file.ts';
import type { CoreEventHub } from '../ports/events.ts';
import type { Host } from '../ports/host.ts';
import type { Log } from '../ports/log.ts';
import { createCallbackPages } from '../receiver/records/callback-pages.ts';
import { createReceiverAccess } from '../receiver/access/receiver-access.ts';
import { limitsWith } from '../receiver/access/receiver-limits.ts';
import { createReceiverRulesStore } from '../receiver/rules/receiver-rules.ts';
import { createReceiver } from '../receiver/server/receiver.ts';
import { createSandboxTrust } from '../sandbox/sandbox-trust.ts';
import type { AppSettings } from '../settings/app-settings.ts';
import type { Clock } from '@rainbell/shared';

type Dependencies = {
  events: CoreEventHub;
  db: DatabaseSync;
  /** Of the database. */
  file: string;
  dataFolder: string;
  secrets: Host['secrets'];
  settings: AppSettings;
  storage: StorageState;
  activeConnection: ActiveConnection;
  connections: Connections;
  receiverWorker: URL;
  clock: Clock;
  log: Log;
};

export function composeReceiver(dependencies: Dependencies) {
  const { events, db, secrets, settings, storage, activeConnection, connections, clock, log } = dependencies;
  const documents = openCallbackDocuments(db);
  const rules = createReceiverRulesStore(db);
  const receiverAccess = createReceiverAccess({ db, secrets, clock });
  const receiver = createReceiver({
    workerUrl: dependencies.receiverWorker,
    file: dependencies.file,
    port: settings.get().receiverPort,
    limits: () => limitsWith(settings.get().keptLimits),
    rules: rules.get,
    endpoints: documents.endpoints.get,
    access: receiverAccess.forListening,
    clock,
    log,
    onState: () => events.emit('receiverChanged'),
    onChanged: ({ newestId }) => events.emit('callbacksArrived', newestId),
    onOutcomes: () => events.emit('outcomesRecorded'),
    onHeld: () => events.emit('heldRequestsChanged'),
    onDamage: storage.foundDamage,
    isDamaged: storage.isDamaged,
  });
  secrets.onReadable?.(() => {
    receiverAccess
      .readAgain()
      .then((isOther) => (isOther ? receiver.reopen() : undefined))
      .catch((error: unknown) => log.error({ err: error }, 'the stored certificate authority could not be used'));
  });
  events.on('damageFound', () => void receiver.stopStoring());
  const pages = createCallbackPages(db);

  const addresses = createAddressFile(dependencies.dataFolder, (error) =>
    log.warn({ err: error }, 'addresses.json could not be written'),
  );
  const writeAddresses = () =>
    addresses.write({ service: connections.sandboxUrl(), receiver: receiver.state().baseUrl });
  events.on('receiverChanged', writeAddresses);
  events.on('connectionsChanged', writeAddresses);

  const trust = createSandboxTrust({
    activeConnection,
    authority: () => (receiverAccess.isTls() ? receiverAccess.authorityPem() : undefined),
    log,
  });
  events.on('connectionChanged', trust.save);
  events.on('receiverChanged', trust.save);
  return { documents, rules, receiverAccess, receiver, pages, addresses };
}
