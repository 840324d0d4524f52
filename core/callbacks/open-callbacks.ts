// Stored callbacks, their verdicts and delivery attempts.
import type { Base } from '../app/base.ts';
import type { openConnections } from '../connection/open-connections.ts';
import type { WebhookSecrets } from '../connection/webhook-secrets.ts';
import type { openDeliveries } from '../monitors/open-deliveries.ts';
import type { openReceiver } from '../receiver/open-receiver.ts';
import { createCallbackAttempts } from './callback-attempts.ts';
import { createCallbackIndex } from './callback-index.ts';
import { createCallbackService } from './callback-service.ts';
import { createCallbackValidator } from './callback-validator.ts';
import { createSenderFacts } from './sender-facts.ts';

type Needs = Base &
  ReturnType<typeof openConnections> &
  ReturnType<typeof openReceiver> &
  ReturnType<typeof openDeliveries> & { webhookSecrets: WebhookSecrets };

export function openCallbacks(needs: Needs) {
  const { events, db, settings, activeConnection, deliveries } = needs;
  const { knownMonitors, receiver, pages, webhookSecrets } = needs;
  const { isDamaged } = needs.storage;
  let isClosing = false;
  // A service can come or go, and answer, after the store was closed.
  const callbacksChanged = () => void (isClosing || events.emit('callbacksChanged'));
  /** Forgets the verdicts of all callbacks, or of one monitor's. */
  function verdictsChanged(monitorId?: string): void {
    validator.clear();
    index.clear(monitorId);
    callbacksChanged();
  }
  const profile = () => activeConnection.present()?.profile;
  const paths = { endpoints: needs.endpointsWithSecrets, publicBase: () => settings.get().publicBase };
  const index = createCallbackIndex({
    db,
    verdictOf: (id) => validator.validateById(id).verdictName,
    onWhole: verdictsChanged,
    onJudged(id) {
      // Other requests can be large, and no listener uses them.
      const { isOther, kind } = validator.validateById(id);
      const callback = isOther || kind === 'refused' ? undefined : pages.get(id);
      if (callback && callback.monitorId !== null) events.emit('callbackJudged', callback);
    },
  });
  const validator = createCallbackValidator({
    pages,
    sameEvent: index.sameEvent,
    monitors: knownMonitors,
    facts: () => ({
      signing: { ...webhookSecrets.facts(), hasDeliveryLog: deliveries.hasDeliveryLog() },
      ownOrigins: [receiver.state().baseUrl, settings.get().publicBase].filter((origin) => origin !== null),
      connectionId: profile()?.id,
      deliveryLog: deliveries.knownLog,
      endpoints: paths.endpoints(),
      publicBase: paths.publicBase(),
      isDamaged: isDamaged(),
    }),
    onOutdated: () => events.emit('monitorsOutdated'),
  });
  let validatedFor = profile()?.id;
  events.on('connectionChanged', () => {
    if (profile()?.id === validatedFor) return;
    validatedFor = profile()?.id;
    callbacksChanged();
  });

  const attempts = createCallbackAttempts({
    ...needs,
    index,
    canRead: () => activeConnection.canReadMonitors() && !isDamaged(),
  });
  const callbacks = createCallbackService({
    ...needs,
    facts: createSenderFacts({
      secrets: webhookSecrets,
      isEvent: (callback) => validator.validate(callback).isOther !== true,
      ...paths,
    }),
    connection: () => profile() ?? null,
    validator,
    index,
    attempts,
    // A command without a service has no monitors and no keys.
    canJudge: () => !needs.command || activeConnection.present() !== undefined,
    onChanged: callbacksChanged,
    onVerdictsChanged: verdictsChanged,
  });
  for (const name of ['callbacksChanged', 'monitorsChanged', 'receiverChanged', 'damageFound'] as const) {
    events.on(name, () => {
      // Without callbacks, the facts need not be known, nor the service asked for its keys. The receiver ends after the store.
      if (db.isOpen && pages.counts().total > 0 && validator.refresh()) index.clear();
    });
  }
  events.on('webhookKeysChanged', callbacksChanged);
  events.on('deliveryLogRead', verdictsChanged);
  events.on('callbacksArrived', index.keepUp);
  events.on('callbackJudged', attempts.judged);

  return {
    validator,
    callbacks,
    /** Rows that screens have may look different now. */
    callbacksChanged,
    /** The service may start or stop in the meantime; `closeCallbacks` follows. */
    stopValidating() {
      isClosing = true;
    },
    async closeCallbacks() {
      attempts.close();
      await callbacks.close();
    },
  };
}
