// Reads and changes the receiver's address, its named paths, and the keys of signatures: loaded after the first screen.
import { idle, runCancelableRequest, runRequest } from '#renderer/store/request.ts';
import type { SliceTools } from '#renderer/store/slice.ts';
import type { CallbackEndpointsActions, CallbackEndpointsSlice } from './endpoints-slice.ts';
import type { ReceiverActions, ReceiverSlice } from './receiver-slice.ts';
import type { WebhookSecretActions, WebhookSecretSlice } from './webhook-secret-slice.ts';

export function createReceiverActions({ client, read, change }: SliceTools<ReceiverSlice>): ReceiverActions {
  return {
    async load() {
      change({ changing: idle, publicRequest: idle });
      const access = await runRequest(
        (accessRequest) => change({ accessRequest }),
        () => client.app.receiverAccess(),
      );
      if (access) change({ access });
    },
    async changeAccess(wanted) {
      if (read().changing.state === 'loading') return;
      const access = await runRequest(
        (changing) => change({ changing }),
        () => client.app.changeReceiverAccess(wanted),
      );
      if (access) change({ access });
    },
    async changePublicBase(base) {
      const done = await runCancelableRequest(
        (publicRequest) => change({ publicRequest }),
        (signal) => client.app.changePublicBase({ base }, { signal }),
      );
      return done !== undefined;
    },
  };
}

export function createCallbackEndpointsActions({
  client,
  change,
}: SliceTools<CallbackEndpointsSlice>): CallbackEndpointsActions {
  return {
    async loadEndpoints() {
      change({ endpoints: null });
      const result = await runRequest(
        (endpointsRequest) => change({ endpointsRequest }),
        () => client.callbacks.endpoints(),
      );
      if (result) change(result);
    },
    async replaceEndpoints(endpoints) {
      const saved = await runRequest(
        (endpointsRequest) => change({ endpointsRequest }),
        () => client.callbacks.replaceEndpoints({ endpoints: [...endpoints] }),
      );
      return saved !== undefined;
    },
  };
}

export function createWebhookSecretActions({
  client,
  read,
  change,
}: SliceTools<WebhookSecretSlice>): WebhookSecretActions {
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
