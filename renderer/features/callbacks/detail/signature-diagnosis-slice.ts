// Why the signature of the selected callback does not verify, by core's signature doctor.
import type { SignatureDiagnosis } from '@rainbell/contract/app-rpc';
import type { Slice, SliceTools } from '../../../store/slice.ts';

export type SignatureDiagnosisSlice = SignatureDiagnosisActions & {
  /** Null until core responded. */
  found: { callbackId: number; diagnosis: SignatureDiagnosis } | null;
};

export type SignatureDiagnosisActions = {
  diagnose(callbackId: number): Promise<void>;
};

export function createSignatureDiagnosisSlice(
  tools: SliceTools<SignatureDiagnosisSlice>,
): Slice<SignatureDiagnosisSlice> {
  return {
    onConnectionChange: { does: 'reset', keeping: [] },
    found: null,
    ...createSignatureDiagnosisActions(tools),
  };
}

function createSignatureDiagnosisActions({
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
