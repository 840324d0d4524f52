// What the active connection's service recorded of the delivery attempt that brought the selected callback.
import type { MatchedDelivery } from '#contract/app-rpc/callbacks.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';

export type DeliveryMatchSlice = {
  /** Null until the service responded. */
  match: { callbackId: number; delivery: MatchedDelivery } | null;
  find(callbackId: number): Promise<void>;
};

export function createDeliveryMatchSlice({
  client,
  change,
}: SliceTools<DeliveryMatchSlice>): Slice<DeliveryMatchSlice> {
  let newest = 0;
  return {
    onConnectionChange: { does: 'reset', keeping: [] },
    match: null,
    async find(callbackId) {
      newest = callbackId;
      // A service that fails or has no delivery log is not an error here: the callback is shown without its delivery.
      const delivery = await client.callbacks.delivery({ id: callbackId }).catch(() => undefined);
      if (delivery && newest === callbackId) change({ match: { callbackId, delivery } });
    },
  };
}
