// Why the signature of the selected callback does not verify, by core's signature doctor.
import type { SignatureDiagnosis } from '@rainbell/contract/app-rpc';
import type { SliceTools } from '../../../store/slice.ts';

export interface SignatureDiagnosisSlice extends ReturnType<typeof createSignatureDiagnosisSlice> {}

export function createSignatureDiagnosisSlice({ client, change }: SliceTools<SignatureDiagnosisSlice>) {
  let newest = 0;
  return {
    onConnectionChange: { does: 'reset', keeping: [] } as const,
    /** Null until core responded. */
    found: null as { callbackId: number; diagnosis: SignatureDiagnosis } | null,
    async diagnose(callbackId: number): Promise<void> {
      newest = callbackId;
      // Without a diagnosis the verdict says what is known.
      const diagnosis = await client.callbacks.diagnoseSignature({ id: callbackId }).catch(() => undefined);
      if (diagnosis && newest === callbackId) change({ found: { callbackId, diagnosis } });
    },
  };
}
