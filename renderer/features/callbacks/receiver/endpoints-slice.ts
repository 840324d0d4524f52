// The receiver's named paths and their own limits.
import type { Endpoint, EndpointState } from '@rainbell/contract/app-rpc';
import { idle } from '../../../store/request.ts';
import type { SliceTools } from '../../../store/slice.ts';

export type EndpointSender = { id: string; name: string; secretName: string };
export type OpenedAt = { path?: string; sender?: string };

export interface CallbackEndpointsSlice extends ReturnType<typeof createCallbackEndpointsSlice> {}

export function createCallbackEndpointsSlice({ client, change, run, succeeds }: SliceTools<CallbackEndpointsSlice>) {
  return {
    onConnectionChange: { does: 'keep', because: 'endpoints are settings of the receiver' } as const,
    endpoints: null as readonly EndpointState[] | null,
    /** What a path's sender can be. */
    senders: [] as readonly EndpointSender[],
    /** Whether the dialog is open, and at which path: of a request whose sender is named. Null: closed. */
    opened: null as OpenedAt | null,
    endpointsRequest: idle,
    open: (opened: OpenedAt | null) => change({ opened }),
    /** Null until they are read: what was read before may have changed elsewhere. */
    loadEndpoints(): Promise<void> {
      change({ endpoints: null });
      return run('endpointsRequest', async () => change(await client.callbacks.endpoints()));
    },
    /** `newSecrets` by endpoint ID; an empty list deletes all of it. */
    replaceEndpoints: (endpoints: readonly Endpoint[], newSecrets: Record<string, string[]>): Promise<boolean> =>
      succeeds('endpointsRequest', () => client.callbacks.replaceEndpoints({ endpoints: [...endpoints], newSecrets })),
  };
}
