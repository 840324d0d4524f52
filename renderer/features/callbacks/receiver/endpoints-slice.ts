// The receiver's named paths and their own limits.
import type { Endpoint, EndpointState } from '#contract/app-rpc/callbacks.ts';
import { idle, type Request } from '#renderer/store/request.ts';
import { laterModule } from '#renderer/ui/hooks/load-later.ts';
import { laterActions } from '#renderer/store/later-actions.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';

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

const loadActions = laterModule(() => import('./receiver-actions.ts'));

export function createCallbackEndpointsSlice(tools: SliceTools<CallbackEndpointsSlice>): Slice<CallbackEndpointsSlice> {
  return {
    onConnectionChange: { does: 'keep', because: 'endpoints are settings of the receiver' },
    endpoints: null,
    unnamedPaths: [],
    endpointsRequest: idle,
    ...laterActions(
      { loadEndpoints: true, replaceEndpoints: true },
      loadActions,
      ({ createCallbackEndpointsActions }) => createCallbackEndpointsActions(tools),
    ),
  };
}
