// Requests the explanation of the selected callback: loaded after the first screen.
import type { SliceTools } from '#renderer/store/slice.ts';
import type { DeliveryMatchActions, DeliveryMatchSlice } from './delivery-match-slice.ts';
import type { SignatureDiagnosisActions, SignatureDiagnosisSlice } from './signature-diagnosis-slice.ts';

export function createDeliveryMatchActions({ client, change }: SliceTools<DeliveryMatchSlice>): DeliveryMatchActions {
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

export function createSignatureDiagnosisActions({
  client,
  change,
}: SliceTools<SignatureDiagnosisSlice>): SignatureDiagnosisActions {
  let newest = 0;
  return {
    async diagnose(callbackId) {
      newest = callbackId;
      // Without a diagnosis the verdict says what is known.
      const diagnosis = await client.callbacks.diagnoseSignature({ id: callbackId }).catch(() => undefined);
      if (diagnosis && newest === callbackId) change({ found: { callbackId, diagnosis } });
    },
  };
}
