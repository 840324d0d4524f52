// What receives callbacks, wired together: the listening server in its thread, what the person chose for it, and the pages
// that are read from its store.
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '#shared/time/clock.ts';
import { type CallbackDocuments, openCallbackDocuments } from '#core/callbacks/callback-documents.ts';
import type { Host } from '#core/ports/host.ts';
import type { Log } from '#core/ports/log.ts';
import type { AppSettings } from '#core/settings/app-settings.ts';
import { type CallbackPages, createCallbackPages } from '#core/receiver/callback-pages.ts';
import { createReceiverAccess, type ReceiverAccessStore } from '#core/receiver/receiver-access.ts';
import { limitsWith } from '#core/receiver/receiver-limits.ts';
import { createReceiverRulesStore, type ReceiverRulesStore } from '#core/receiver/receiver-rules.ts';
import { createReceiver, type Receiver } from '#core/receiver/receiver.ts';

export type ReceiverSide = {
  receiver: Receiver;
  receiverAccess: ReceiverAccessStore;
  rules: ReceiverRulesStore;
  documents: CallbackDocuments;
  pages: CallbackPages;
};

type Parts = {
  /** The same file twice: the thread opens it for itself. */
  db: DatabaseSync;
  file: string;
  workerUrl: URL;
  host: Host;
  settings: AppSettings;
  clock: Clock;
  log: Log;
  onState: () => void;
  /** There may be new callbacks, up to this id. */
  onArrived: (newestId: number) => void;
  /** The receiver's thread found app.sqlite damaged. */
  onDamage: (detail: string) => void;
  isDamaged: () => boolean;
};

export function createReceiverSide(parts: Parts): ReceiverSide {
  const { db, file, workerUrl, host, settings, clock, log, onState, onArrived, onDamage, isDamaged } = parts;
  const documents = openCallbackDocuments(db);
  const rules = createReceiverRulesStore(db);
  const receiverAccess = createReceiverAccess({ db, secrets: host.secrets, clock });
  const receiver = createReceiver({
    workerUrl,
    file,
    port: settings.get().receiverPort,
    limits: () => limitsWith(settings.get().keptLimits),
    rules: rules.get,
    endpoints: documents.endpoints.get,
    access: receiverAccess.forListening,
    clock,
    log,
    onState,
    onChanged: ({ newestId }) => onArrived(newestId),
    onDamage,
    isDamaged,
  });
  host.secrets.onReadable?.(() => {
    receiverAccess
      .readAgain()
      .then((isOther) => (isOther ? receiver.reopen() : undefined))
      .catch((error: unknown) => log.error({ err: error }, 'the stored certificate authority could not be used'));
  });
  return { receiver, receiverAccess, rules, documents, pages: createCallbackPages(db) };
}
