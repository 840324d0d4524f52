// Who may reach the receiver, and how: TLS, the LAN, a public address.
import type { ReceiverAccess } from '@rainbell/contract/app-rpc';
import { idle, type Request, runCancelableRequest, runRequest } from '../../../store/request.ts';
import type { Slice, SliceTools } from '../../../store/slice.ts';

export type ReceiverSlice = ReceiverActions & {
  access: ReceiverAccess | null;
  accessRequest: Request;
  changing: Request;
  publicRequest: Request;
};

export type ReceiverActions = {
  load(): Promise<void>;
  changeAccess(wanted: { tls: boolean; lan: boolean }): Promise<void>;
  /** The address of a tunnel; null for none. Whether it leads here. */
  changePublicBase(base: string | null): Promise<boolean>;
};

export function createReceiverSlice(tools: SliceTools<ReceiverSlice>): Slice<ReceiverSlice> {
  return {
    onConnectionChange: { does: 'keep', because: 'how the receiver is reached is a setting of the app' },
    access: null,
    accessRequest: idle,
    changing: idle,
    publicRequest: idle,
    ...createReceiverActions(tools),
  };
}

function createReceiverActions({ client, read, change }: SliceTools<ReceiverSlice>): ReceiverActions {
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
