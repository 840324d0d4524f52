// Why the signature of the selected callback does not verify, by core's signature doctor.
import type { SignatureDiagnosis } from '#contract/app-rpc/callbacks.ts';
import { laterActions } from '#renderer/store/later-actions.ts';
import { laterModule } from '#renderer/ui/hooks/load-later.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';

export type SignatureDiagnosisSlice = SignatureDiagnosisActions & {
  /** Null until core responded. */
  found: { callbackId: number; diagnosis: SignatureDiagnosis } | null;
};

export type SignatureDiagnosisActions = {
  diagnose(callbackId: number): Promise<void>;
};

const loadActions = laterModule(() => import('./explanation-actions.ts'));

export function createSignatureDiagnosisSlice(
  tools: SliceTools<SignatureDiagnosisSlice>,
): Slice<SignatureDiagnosisSlice> {
  return {
    onConnectionChange: { does: 'reset', keeping: [] },
    found: null,
    ...laterActions({ diagnose: true }, loadActions, ({ createSignatureDiagnosisActions }) =>
      createSignatureDiagnosisActions(tools),
    ),
  };
}
