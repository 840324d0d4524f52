// Opens what features may use of each other: each part uses those above it, and they close in reverse order.
import { openCallbacks } from '../callbacks/open-callbacks.ts';
import { sandboxId } from '../connection/connection.ts';
import { openConnections } from '../connection/open-connections.ts';
import { createWebhookSecrets } from '../connection/webhook-secrets.ts';
import { openDeliveries } from '../monitors/open-deliveries.ts';
import { openMonitors } from '../monitors/open-monitors.ts';
import { createPlaceSearch } from '../places/place-search.ts';
import { openReceiver } from '../receiver/open-receiver.ts';
import { createSandboxControl } from '../sandbox/sandbox-control.ts';
import { openSends } from '../sends/open-sends.ts';
import { createSession } from '../session/session.ts';
import { type CoreOptions, openBase } from './base.ts';

export function openParts(options: CoreOptions) {
  const base = openBase(options);
  const { events, screens, workers, log } = base;
  const places = options.places ?? createPlaceSearch({ workerUrl: workers.places, log });
  const connected = { ...base, places, ...openConnections(base) };
  const session = createSession({ ...connected, onChanged: () => screens.publish({ topic: 'session' }) });
  const sandbox = createSandboxControl({ ...connected, onChanged: () => events.emit('sandboxChanged') });
  const receiving = { ...connected, session, sandbox, ...openReceiver(connected) };
  const delivering = { ...receiving, ...openDeliveries(receiving) };
  const webhookSecrets = createWebhookSecrets({
    ...delivering,
    connectionIds: () => [sandboxId, ...base.settings.get().connections.map(({ id }) => id)],
    hasDeliveryLog: delivering.deliveries.hasDeliveryLog,
    onChanged: () => events.emit('webhookKeysChanged'),
  });
  const verifying = { ...delivering, webhookSecrets };
  const checking = { ...verifying, ...openCallbacks(verifying) };
  const sending = { ...checking, ...openSends(checking) };
  const all = { ...sending, ...openMonitors(sending) };
  return {
    ...all,
    async closeParts() {
      // The receiver's thread removes what was deleted, so callbacks close before it.
      await all.endMonitors();
      all.closeSends();
      await all.closeCallbacks();
      if (!options.places) await places.close();
      await Promise.all([all.bulkRuns.end(), all.activeConnection.close(), all.receiver.close()]);
      all.traffic.close();
      all.closeDatabase();
    },
  };
}
