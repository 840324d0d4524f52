// The strips' data: how many callbacks arrived when, by verdict, and when one monitor's arrived.
import type { AppClient } from '#contract/app-rpc/contract.ts';
import type { CallbackHistogram } from '#contract/app-rpc/callbacks.ts';
import type { OtherSlices } from '#renderer/store/app-state.ts';
import { laterActions } from '#renderer/store/later-actions.ts';
import { idle, type Request } from '#renderer/store/request.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';
import { laterModule } from '#renderer/ui/hooks/load-later.ts';

type Hours = Awaited<ReturnType<AppClient['callbacks']['hours']>>['monitors'][number]['callbacks'];

export type CallbackStripsSlice = CallbackStripsActions & {
  histogram: CallbackHistogram | null;
  histogramRequest: Request;
  hours: { monitorId: string; from: number; to: number; callbacks: Hours } | null;
  hoursRequest: Request;
};

export type CallbackStripsActions = {
  /** Of the view of the list. Goes on while verdicts are still being found and the list is on show. */
  loadHistogram(): Promise<void>;
  loadHours(monitorId: string): Promise<void>;
};

const loadActions = laterModule(() => import('./strips-actions.ts'));

export function createCallbackStripsSlice(
  tools: SliceTools<CallbackStripsSlice>,
  others: OtherSlices,
): Slice<CallbackStripsSlice> {
  return {
    onConnectionChange: { does: 'keep', because: 'the counts come from the receiver' },
    histogram: null,
    histogramRequest: idle,
    hours: null,
    hoursRequest: idle,
    ...laterActions({ loadHistogram: true, loadHours: true }, loadActions, ({ createCallbackStripsActions }) =>
      createCallbackStripsActions(tools, others),
    ),
  };
}
