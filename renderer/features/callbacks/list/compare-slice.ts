// The two callbacks that are compared side by side.
import type { Callback } from '@rainbell/contract/app-rpc';
import { idle, type Request, runCancelableRequest } from '../../../store/request.ts';
import type { Slice, SliceTools } from '../../../store/slice.ts';

export type CallbackCompareSlice = CallbackCompareActions & {
  compared: { older: Callback; newer: Callback } | null;
  comparing: Request;
};

export type CallbackCompareActions = {
  compare(olderId: number, newerId: number): Promise<void>;
};

export function createCallbackCompareSlice(tools: SliceTools<CallbackCompareSlice>): Slice<CallbackCompareSlice> {
  return {
    onConnectionChange: { does: 'keep', because: 'both callbacks come from the receiver' },
    compared: null,
    comparing: idle,
    ...createCallbackCompareActions(tools),
  };
}

function createCallbackCompareActions({ client, change }: SliceTools<CallbackCompareSlice>): CallbackCompareActions {
  return {
    async compare(olderId, newerId) {
      // What was compared before goes first: bodies are large.
      change({ compared: null });
      const pair = await runCancelableRequest(
        (comparing) => change({ comparing }),
        (signal) =>
          Promise.all([olderId, newerId].map((id) => client.callbacks.get({ id }, { signal }))) as Promise<
            [Callback, Callback]
          >,
      );
      if (pair) change({ compared: { older: pair[0], newer: pair[1] } });
    },
  };
}
