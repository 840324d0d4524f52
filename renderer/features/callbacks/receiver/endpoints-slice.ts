// The receiver's named paths and their own limits.
import type { Endpoint, EndpointState } from '#contract/app-rpc/callbacks.ts';
import { idle, type Request, runRequest } from '#renderer/store/request.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';

export type CallbackEndpointsSlice = {
  endpoints: readonly EndpointState[] | null;
  /** Paths of late callbacks without a name, the newest first. */
  unnamedPaths: readonly string[];
  endpointsRequest: Request;
  /** Null until they are read: what was read before may have changed elsewhere. */
  loadEndpoints(): Promise<void>;
  replaceEndpoints(endpoints: readonly Endpoint[]): Promise<boolean>;
};

export function createCallbackEndpointsSlice({
  client,
  change,
}: SliceTools<CallbackEndpointsSlice>): Slice<CallbackEndpointsSlice> {
  return {
    onConnectionChange: { does: 'keep', because: 'endpoints are settings of the receiver' },
    endpoints: null,
    unnamedPaths: [],
    endpointsRequest: idle,
    async loadEndpoints() {
      change({ endpoints: null });
      const answer = await runRequest(
        (endpointsRequest) => change({ endpointsRequest }),
        () => client.callbacks.endpoints(),
      );
      if (answer) change(answer);
    },
    async replaceEndpoints(endpoints) {
      const kept = await runRequest(
        (endpointsRequest) => change({ endpointsRequest }),
        () => client.callbacks.replaceEndpoints({ endpoints: [...endpoints] }),
      );
      return kept !== undefined;
    },
  };
}
