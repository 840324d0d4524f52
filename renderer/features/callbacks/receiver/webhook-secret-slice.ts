// The keys with which the signatures of the active connection's callbacks are verified. They pass through and are not stored here.
import type { WebhookKeySource } from '@rainbell/contract/app-rpc';
import { idle, type Request, runRequest } from '../../../store/request.ts';
import type { Slice, SliceTools } from '../../../store/slice.ts';

export type WebhookSecretSlice = WebhookSecretActions & {
  /** The source of the secret; null until it is loaded. */
  source: WebhookKeySource | null;
  request: Request;
};

export type WebhookSecretActions = {
  load(): Promise<void>;
  /** Null deletes the typed secret. */
  set(secret: string | null): Promise<boolean>;
};

export function createWebhookSecretSlice(tools: SliceTools<WebhookSecretSlice>): Slice<WebhookSecretSlice> {
  return {
    onConnectionChange: { does: 'reset', keeping: [] },
    source: null,
    request: idle,
    ...createWebhookSecretActions(tools),
  };
}

function createWebhookSecretActions({ client, read, change }: SliceTools<WebhookSecretSlice>): WebhookSecretActions {
  return {
    async load() {
      const secret = await runRequest(
        (request) => change({ request }),
        () => client.callbacks.webhookSecret(),
      );
      if (secret) change({ source: secret.source });
    },
    async set(secret) {
      const saved = await runRequest(
        (request) => change({ request }),
        () => client.callbacks.setWebhookSecret({ secret }),
      );
      if (saved) await read().load();
      return saved !== undefined;
    },
  };
}
