// How the receiver is reached (TLS, the LAN, a public address), and its named paths.
import type { Endpoint, EndpointState, ReceiverAccess } from '@rainbell/contract/app-rpc';
import { idle } from '../../../store/request.ts';
import type { SliceTools } from '../../../store/slice.ts';

export type EndpointSender = { id: string; name: string; secretName: string };
export type OpenedAt = { path?: string; sender?: string };

export interface ReceiverSlice extends ReturnType<typeof createReceiverSlice> {}

export function createReceiverSlice({ client, read, change, run, succeeds, runCancelable }: SliceTools<ReceiverSlice>) {
  return {
    onConnectionChange: { does: 'keep', because: 'these are settings of the receiver' } as const,
    access: null as ReceiverAccess | null,
    accessRequest: idle,
    changing: idle,
    publicRequest: idle,
    endpoints: null as readonly EndpointState[] | null,
    senders: [] as readonly EndpointSender[],
    endpointsRequest: idle,
    /** What the dialog of paths shows first: the path of a request, and the sender if it is known. Null: closed. */
    openedPaths: null as OpenedAt | null,
    openPaths: (openedPaths: OpenedAt | null) => change({ openedPaths }),
    load(): Promise<void> {
      change({ changing: idle, publicRequest: idle });
      return run('accessRequest', async () => change({ access: await client.app.receiverAccess() }));
    },
    async changeAccess(wanted: { tls: boolean; lan: boolean }): Promise<void> {
      if (read().changing.state === 'loading') return;
      await run('changing', async () => change({ access: await client.app.changeReceiverAccess(wanted) }));
    },
    /** The address of a tunnel; null for none. Whether it leads here. */
    async changePublicBase(base: string | null): Promise<boolean> {
      const done = await runCancelable('publicRequest', (signal) => client.app.changePublicBase({ base }, { signal }));
      return done !== undefined;
    },
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
