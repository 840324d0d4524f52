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
    async load(): Promise<void> {
      change({ changing: idle, publicRequest: idle });
      const access = await run('accessRequest', () => client.app.receiverAccess());
      if (access) change({ access });
    },
    async changeAccess(wanted: { tls: boolean; lan: boolean }): Promise<void> {
      if (read().changing.state === 'loading') return;
      const access = await run('changing', () => client.app.changeReceiverAccess(wanted));
      if (access) change({ access });
    },
    /** The address of a tunnel; null for none. Whether it leads here. */
    async changePublicBase(base: string | null): Promise<boolean> {
      const done = await runCancelable('publicRequest', (signal) => client.app.changePublicBase({ base }, { signal }));
      return done !== undefined;
    },
  };
}
