// What the active connection's service recorded of the delivery attempt that brought the selected callback.
import type { MatchedDelivery } from '@rainbell/contract/app-rpc';
import type { SliceTools } from '../../../store/slice.ts';

export interface DeliveryMatchSlice extends ReturnType<typeof createDeliveryMatchSlice> {}

export function createDeliveryMatchSlice({ client, change }: SliceTools<DeliveryMatchSlice>) {
  let newest = 0;
  return {
    onConnectionChange: { does: 'reset', keeping: [] } as const,
    /** Null until the service responded. */
    match: null as { callbackId: number; delivery: MatchedDelivery } | null,
    async find(callbackId: number): Promise<void> {
      newest = callbackId;
      // A service that fails or has no delivery log is not an error here: the callback is shown without its delivery.
      const delivery = await client.callbacks.delivery({ id: callbackId }).catch(() => undefined);
      if (delivery && newest === callbackId) change({ match: { callbackId, delivery } });
    },
  };
}
