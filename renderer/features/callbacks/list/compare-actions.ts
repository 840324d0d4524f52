// Loads the two callbacks of a comparison: loaded after the first screen.
import type { Callback } from '#contract/app-rpc/callbacks.ts';
import { runCancelableRequest } from '#renderer/store/request.ts';
import type { SliceTools } from '#renderer/store/slice.ts';
import type { CallbackCompareActions, CallbackCompareSlice } from './compare-slice.ts';

export function createCallbackCompareActions({
  client,
  change,
}: SliceTools<CallbackCompareSlice>): CallbackCompareActions {
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
