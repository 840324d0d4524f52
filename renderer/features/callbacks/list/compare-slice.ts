// The two callbacks that are compared side by side.
import type { Callback } from '@rainbell/contract/app-rpc';
import { idle } from '../../../store/request.ts';
import type { SliceTools } from '../../../store/slice.ts';

export interface CallbackCompareSlice extends ReturnType<typeof createCallbackCompareSlice> {}

export function createCallbackCompareSlice({ client, change, runCancelable }: SliceTools<CallbackCompareSlice>) {
  return {
    onConnectionChange: { does: 'keep', because: 'both callbacks come from the receiver' } as const,
    compared: null as { older: Callback; newer: Callback } | null,
    comparing: idle,
    async compare(olderId: number, newerId: number): Promise<void> {
      // What was compared before goes first: bodies are large.
      change({ compared: null });
      const pair = await runCancelable('comparing', (signal) =>
        Promise.all([
          client.callbacks.get({ id: olderId }, { signal }),
          client.callbacks.get({ id: newerId }, { signal }),
        ]),
      );
      if (pair) change({ compared: { older: pair[0], newer: pair[1] } });
    },
  };
}
