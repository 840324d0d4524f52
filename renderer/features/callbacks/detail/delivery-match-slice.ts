// What the active connection's service recorded of the delivery attempt that brought the selected callback.
import type { MatchedDelivery } from '#contract/app-rpc/callbacks.ts';
import { laterActions } from '#renderer/store/later-actions.ts';
import { laterModule } from '#renderer/ui/hooks/load-later.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';

export type DeliveryMatchSlice = DeliveryMatchActions & {
  /** Null until the service responded. */
  match: { callbackId: number; delivery: MatchedDelivery } | null;
};

export type DeliveryMatchActions = {
  find(callbackId: number): Promise<void>;
};

const loadActions = laterModule(() => import('./explanation-actions.ts'));

export function createDeliveryMatchSlice(tools: SliceTools<DeliveryMatchSlice>): Slice<DeliveryMatchSlice> {
  return {
    onConnectionChange: { does: 'reset', keeping: [] },
    match: null,
    ...laterActions({ find: true }, loadActions, ({ createDeliveryMatchActions }) => createDeliveryMatchActions(tools)),
  };
}
