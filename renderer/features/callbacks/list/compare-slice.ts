// The two callbacks that are looked at beside each other.
import type { Callback } from '#contract/app-rpc/callbacks.ts';
import { idle, type Request, runRequest } from '#renderer/store/request.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';

export type CallbackCompareSlice = {
  compared: { older: Callback; newer: Callback } | null;
  comparing: Request;
  compare(olderId: number, newerId: number): Promise<void>;
};

export function createCallbackCompareSlice({
  client,
  change,
}: SliceTools<CallbackCompareSlice>): Slice<CallbackCompareSlice> {
  return {
    onConnectionChange: { does: 'keep', because: 'both callbacks come from the receiver' },
    compared: null,
    comparing: idle,
    async compare(olderId, newerId) {
      // What was compared before goes first: bodies are large.
      change({ compared: null });
      const pair = await runRequest(
        (comparing) => change({ comparing }),
        () => Promise.all([client.callbacks.get({ id: olderId }), client.callbacks.get({ id: newerId })]),
      );
      if (pair) change({ compared: { older: pair[0], newer: pair[1] } });
    },
  };
}
