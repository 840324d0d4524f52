// The two callbacks that are compared side by side.
import type { Callback } from '#contract/app-rpc/callbacks.ts';
import { idle, type Request } from '#renderer/store/request.ts';
import { laterModule } from '#renderer/ui/hooks/load-later.ts';
import { laterActions } from '#renderer/store/later-actions.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';

export type CallbackCompareSlice = CallbackCompareActions & {
  compared: { older: Callback; newer: Callback } | null;
  comparing: Request;
};

export type CallbackCompareActions = {
  compare(olderId: number, newerId: number): Promise<void>;
};

const loadActions = laterModule(() => import('./compare-actions.ts'));

export function createCallbackCompareSlice(tools: SliceTools<CallbackCompareSlice>): Slice<CallbackCompareSlice> {
  return {
    onConnectionChange: { does: 'keep', because: 'both callbacks come from the receiver' },
    compared: null,
    comparing: idle,
    ...laterActions({ compare: true }, loadActions, ({ createCallbackCompareActions }) =>
      createCallbackCompareActions(tools),
    ),
  };
}
