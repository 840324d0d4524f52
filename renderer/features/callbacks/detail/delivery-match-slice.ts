// What the active connection's service recorded of the delivery attempt that brought the selected callback.
import type { MatchedDelivery } from '@rainbell/contract/app-rpc';
import type { Slice, SliceTools } from '../../../store/slice.ts';

export type DeliveryMatchSlice = DeliveryMatchActions & {
  /** Null until the service responded. */
  match: { callbackId: number; delivery: MatchedDelivery } | null;
};

export type DeliveryMatchActions = {
  find(callbackId: number): Promise<void>;
};

export function createDeliveryMatchSlice(tools: SliceTools<DeliveryMatchSlice>): Slice<DeliveryMatchSlice> {
  return {
    onConnectionChange: { does: 'reset', keeping: [] },
    match: null,
    ...createDeliveryMatchActions(tools),
  };
}

function createDeliveryMatchActions({ client, change }: SliceTools<DeliveryMatchSlice>): DeliveryMatchActions {
  let newest = 0;
  return {
    async find(callbackId) {
      newest = callbackId;
      // A service that fails or has no delivery log is not an error here: the callback is shown without its delivery.
      const delivery = await client.callbacks.delivery({ id: callbackId }).catch(() => undefined);
      if (delivery && newest === callbackId) change({ match: { callbackId, delivery } });
    },
  };
}
