// The keys with which the signatures of the active connection's callbacks are verified. They pass through and are not stored here.
import type { WebhookKeySource } from '@rainbell/contract/app-rpc';
import { idle } from '../../../store/request.ts';
import type { SliceTools } from '../../../store/slice.ts';

export interface WebhookSecretSlice extends ReturnType<typeof createWebhookSecretSlice> {}

export function createWebhookSecretSlice({ client, read, change, run, succeeds }: SliceTools<WebhookSecretSlice>) {
  return {
    onConnectionChange: { does: 'reset', keeping: [] } as const,
    /** The source of the secret; null until it is loaded. */
    source: null as WebhookKeySource | null,
    request: idle,
    load: (): Promise<void> => run('request', async () => change(await client.callbacks.webhookSecret())),
    /** Null deletes the typed secret. */
    async set(secret: string | null): Promise<boolean> {
      const isSaved = await succeeds('request', () => client.callbacks.setWebhookSecret({ secret }));
      if (isSaved) await read().load();
      return isSaved;
    },
  };
}
