// What depends on the active connection's service: the delivery attempt of the selected callback, the keys that verify signatures, and
// the inbox that receives webhooks of any sender while the app is closed.
import type { InboxState, MatchedDelivery, SignatureDiagnosis, WebhookKeySource } from '@rainbell/contract/app-rpc';
import { idle } from '../../../store/request.ts';
import type { SliceTools } from '../../../store/slice.ts';

export interface CallbackServiceSlice extends ReturnType<typeof createCallbackServiceSlice> {}

export function createCallbackServiceSlice({ client, read, change, run, succeeds }: SliceTools<CallbackServiceSlice>) {
  /** The callbacks of the most recent requests. */
  let [matchedId, diagnosedId] = [0, 0];
  const runInbox = (call: () => Promise<InboxState>): Promise<void> =>
    run('inboxRequest', async () => change({ inbox: await call() }));
  return {
    onConnectionChange: { does: 'reset', keeping: [] } as const,
    /** `delivery` is null if the service has none. */
    match: null as { callbackId: number; delivery: MatchedDelivery | null } | null,
    /** Why a signature does not verify, by core's signature doctor. */
    found: null as { callbackId: number; diagnosis: SignatureDiagnosis } | null,
    keySource: null as WebhookKeySource | null,
    keysRequest: idle,
    inbox: null as InboxState | null,
    inboxRequest: idle,
    async findDelivery(callbackId: number): Promise<void> {
      matchedId = callbackId;
      // A service that fails or has no delivery log is not an error here: the callback is shown without its delivery.
      const delivery = await client.callbacks.delivery({ id: callbackId }).catch(() => null);
      if (matchedId === callbackId) change({ match: { callbackId, delivery } });
    },
    async diagnose(callbackId: number): Promise<void> {
      diagnosedId = callbackId;
      // If this fails, the verdict is shown without a diagnosis.
      const diagnosis = await client.callbacks.diagnoseSignature({ id: callbackId }).catch(() => undefined);
      if (diagnosis && diagnosedId === callbackId) change({ found: { callbackId, diagnosis } });
    },
    loadKeys: (): Promise<void> =>
      run('keysRequest', async () => change({ keySource: (await client.callbacks.webhookSecret()).source })),
    /** Null deletes the keys that were typed. They pass through and are not stored here. */
    async setKeys(secret: string | null): Promise<boolean> {
      const isSaved = await succeeds('keysRequest', () => client.callbacks.setWebhookSecret({ secret }));
      if (isSaved) await read().loadKeys();
      return isSaved;
    },
    loadInbox: () => runInbox(() => client.feed.inbox()),
    openInbox: () => runInbox(() => client.feed.openInbox()),
    closeInbox: () => runInbox(() => client.feed.closeInbox()),
  };
}
