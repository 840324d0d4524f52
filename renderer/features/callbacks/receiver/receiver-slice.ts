// Who may reach the receiver, and how: TLS, the LAN, a public address.
import type { ReceiverAccess } from '#contract/app-rpc/app.ts';
import { idle, type Request } from '#renderer/store/request.ts';
import { laterModule } from '#renderer/ui/hooks/load-later.ts';
import { laterActions } from '#renderer/store/later-actions.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';

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

const loadActions = laterModule(() => import('./receiver-actions.ts'));

export function createReceiverSlice(tools: SliceTools<ReceiverSlice>): Slice<ReceiverSlice> {
  return {
    onConnectionChange: { does: 'keep', because: 'how the receiver is reached is a setting of the app' },
    access: null,
    accessRequest: idle,
    changing: idle,
    publicRequest: idle,
    ...laterActions(
      { load: true, changeAccess: true, changePublicBase: true },
      loadActions,
      ({ createReceiverActions }) => createReceiverActions(tools),
    ),
  };
}
