// Sends requests made from callbacks: loaded after the first screen.
import type { CallbackSend } from '#contract/app-rpc/callback-sends.ts';
import { runCancelableRequest, runRequest } from '#renderer/store/request.ts';
import type { OtherSlices } from '#renderer/store/app-state.ts';
import type { SliceTools } from '#renderer/store/slice.ts';
import type { CallbackSendsActions, CallbackSendsSlice } from './sends-slice.ts';

export function createCallbackSendsActions(
  { client, change }: SliceTools<CallbackSendsSlice>,
  { get }: OtherSlices,
): CallbackSendsActions {
  const onSent = (callbackId: number) => {
    const { selectedId, select } = get().callbacks;
    if (selectedId === callbackId) void select(callbackId);
  };
  async function send(
    id: number,
    call: (signal: AbortSignal) => Promise<CallbackSend>,
  ): Promise<CallbackSend | undefined> {
    change({ lastSend: null });
    const sent = await runCancelableRequest(
      (sending) => change({ sending }),
      call,
      'The target may have received the callback already.',
    );
    if (sent) change({ lastSend: sent });
    // A canceled one is in the list, too.
    onSent(id);
    return sent;
  }
  return {
    replay: (id, url) => send(id, (signal) => client.callbacks.replay({ id, url }, { signal })),
    resend: (edited) => send(edited.id, (signal) => client.callbacks.editAndResend(edited, { signal })),
    async loadTargets() {
      change({ targets: null });
      const result = await runRequest(
        (targetsRequest) => change({ targetsRequest }),
        () => client.callbacks.forwardTargets(),
      );
      if (result) change({ targets: result.targets });
    },
    async replaceTargets(targets) {
      const result = await runRequest(
        (targetsRequest) => change({ targetsRequest }),
        () => client.callbacks.replaceForwardTargets({ targets: [...targets] }),
      );
      if (result) change({ targets: result.targets });
      return result !== undefined;
    },
  };
}
