// The keys with which the signatures of the active connection's callbacks are verified. They pass through and are not stored here.
import type { WebhookKeySource } from '#contract/app-rpc/callbacks.ts';
import { idle, type Request } from '#renderer/store/request.ts';
import { laterModule } from '#renderer/ui/hooks/load-later.ts';
import { laterActions } from '#renderer/store/later-actions.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';

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

const loadActions = laterModule(() => import('./receiver-actions.ts'));

export function createWebhookSecretSlice(tools: SliceTools<WebhookSecretSlice>): Slice<WebhookSecretSlice> {
  return {
    onConnectionChange: { does: 'reset', keeping: [] },
    source: null,
    request: idle,
    ...laterActions({ load: true, set: true }, loadActions, ({ createWebhookSecretActions }) =>
      createWebhookSecretActions(tools),
    ),
  };
}
