// The receiver's named paths and their own limits.
import type { Endpoint, EndpointState } from '@rainbell/contract/app-rpc';
import { idle, type Request, runRequest } from '../../../store/request.ts';
import type { Slice, SliceTools } from '../../../store/slice.ts';

export type CallbackEndpointsSlice = CallbackEndpointsActions & {
  endpoints: readonly EndpointState[] | null;
  /** Unnamed paths of recent callbacks, newest first. */
  unnamedPaths: readonly string[];
  endpointsRequest: Request;
};

export type CallbackEndpointsActions = {
  /** Null until they are read: what was read before may have changed elsewhere. */
  loadEndpoints(): Promise<void>;
  replaceEndpoints(endpoints: readonly Endpoint[]): Promise<boolean>;
};

export function createCallbackEndpointsSlice(tools: SliceTools<CallbackEndpointsSlice>): Slice<CallbackEndpointsSlice> {
  return {
    onConnectionChange: { does: 'keep', because: 'endpoints are settings of the receiver' },
    endpoints: null,
    unnamedPaths: [],
    endpointsRequest: idle,
    ...createCallbackEndpointsActions(tools),
  };
}

function createCallbackEndpointsActions({
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
