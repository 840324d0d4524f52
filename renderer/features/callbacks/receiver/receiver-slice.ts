// Who may reach the receiver, and how: TLS, the LAN, a public address.
import type { ReceiverAccess } from '@rainbell/contract/app-rpc';
import { idle } from '../../../store/request.ts';
import type { SliceTools } from '../../../store/slice.ts';

export interface ReceiverSlice extends ReturnType<typeof createReceiverSlice> {}

export function createReceiverSlice({ client, read, change, run, runCancelable }: SliceTools<ReceiverSlice>) {
  return {
    onConnectionChange: { does: 'keep', because: 'how the receiver is reached is a setting of the app' } as const,
    access: null as ReceiverAccess | null,
    accessRequest: idle,
    changing: idle,
    publicRequest: idle,
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
  };
}
