// The secret with which the signatures of the active connection's callbacks are verified. The secret itself passes through.
import { idle, type Request, runRequest } from '#renderer/store/request.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';

export type WebhookSecretSlice = {
  /** Where the secret comes from; null until it is loaded. */
  source: 'none' | 'typed' | 'service' | null;
  request: Request;
  load(): Promise<void>;
  /** Null deletes the typed secret. */
  set(secret: string | null): Promise<boolean>;
};

export function createWebhookSecretSlice({
  client,
  read,
  change,
}: SliceTools<WebhookSecretSlice>): Slice<WebhookSecretSlice> {
  return {
    onConnectionChange: { does: 'reset', keeping: [] },
    source: null,
    request: idle,
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
