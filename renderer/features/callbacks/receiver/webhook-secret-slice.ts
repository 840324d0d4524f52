// The keys with which the signatures of the active connection's callbacks are verified. They pass through and are not stored here.
import type { WebhookKeySource } from '@rainbell/contract/app-rpc';
import { idle } from '../../../store/request.ts';
import type { SliceTools } from '../../../store/slice.ts';

export interface WebhookSecretSlice extends ReturnType<typeof createWebhookSecretSlice> {}

export function createWebhookSecretSlice({ client, read, change, run }: SliceTools<WebhookSecretSlice>) {
  return {
    onConnectionChange: { does: 'reset', keeping: [] } as const,
    /** The source of the secret; null until it is loaded. */
    source: null as WebhookKeySource | null,
    request: idle,
    async load(): Promise<void> {
      const secret = await run('request', () => client.callbacks.webhookSecret());
      if (secret) change({ source: secret.source });
    },
    /** Null deletes the typed secret. */
    async set(secret: string | null): Promise<boolean> {
      const saved = await run('request', () => client.callbacks.setWebhookSecret({ secret }));
      if (saved) await read().load();
      return saved !== undefined;
    },
  };
}
