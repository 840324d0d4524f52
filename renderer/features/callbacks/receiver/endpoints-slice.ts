// The receiver's named paths and their own limits.
import type { Endpoint, EndpointState } from '@rainbell/contract/app-rpc';
import { idle, runRequest } from '../../../store/request.ts';
import type { SliceTools } from '../../../store/slice.ts';

export interface CallbackEndpointsSlice extends ReturnType<typeof createCallbackEndpointsSlice> {}

export function createCallbackEndpointsSlice({ client, change }: SliceTools<CallbackEndpointsSlice>) {
  return {
    onConnectionChange: { does: 'keep', because: 'endpoints are settings of the receiver' } as const,
    endpoints: null as readonly EndpointState[] | null,
    /** Unnamed paths of recent callbacks, newest first. */
    unnamedPaths: [] as readonly string[],
    endpointsRequest: idle,
    /** Null until they are read: what was read before may have changed elsewhere. */
    async loadEndpoints(): Promise<void> {
      change({ endpoints: null });
      const result = await runRequest(
        (endpointsRequest) => change({ endpointsRequest }),
        () => client.callbacks.endpoints(),
      );
      if (result) change(result);
    },
    async replaceEndpoints(endpoints: readonly Endpoint[]): Promise<boolean> {
      const saved = await runRequest(
        (endpointsRequest) => change({ endpointsRequest }),
        () => client.callbacks.replaceEndpoints({ endpoints: [...endpoints] }),
      );
      return saved !== undefined;
    },
  };
}
