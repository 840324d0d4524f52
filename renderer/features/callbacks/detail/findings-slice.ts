// What is found out about the selected callback: the delivery attempt of the active connection's service that brought it, and why its
// signature does not verify, by core's signature doctor.
import type { MatchedDelivery, SignatureDiagnosis } from '@rainbell/contract/app-rpc';
import type { SliceTools } from '../../../store/slice.ts';

export interface CallbackFindingsSlice extends ReturnType<typeof createCallbackFindingsSlice> {}

export function createCallbackFindingsSlice({ client, change }: SliceTools<CallbackFindingsSlice>) {
  /** The callbacks that were asked about last. */
  let [matchedId, diagnosedId] = [0, 0];
  return {
    onConnectionChange: { does: 'reset', keeping: [] } as const,
    /** `delivery` is null if the service knows none. */
    match: null as { callbackId: number; delivery: MatchedDelivery | null } | null,
    /** Null until core responded. */
    found: null as { callbackId: number; diagnosis: SignatureDiagnosis } | null,
    async findDelivery(callbackId: number): Promise<void> {
      matchedId = callbackId;
      // A service that fails or has no delivery log is not an error here: the callback is shown without its delivery.
      const delivery = await client.callbacks.delivery({ id: callbackId }).catch(() => null);
      if (matchedId === callbackId) change({ match: { callbackId, delivery } });
    },
    async diagnose(callbackId: number): Promise<void> {
      diagnosedId = callbackId;
      // Without a diagnosis the verdict says what is known.
      const diagnosis = await client.callbacks.diagnoseSignature({ id: callbackId }).catch(() => undefined);
      if (diagnosis && diagnosedId === callbackId) change({ found: { callbackId, diagnosis } });
    },
  };
}
