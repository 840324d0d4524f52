// Sends requests made from callbacks: loaded after the first screen.
import type { CallbackSend } from '#contract/app-rpc/callback-sends.ts';
import { runRequest } from '#renderer/store/request.ts';
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
  async function send(id: number, call: () => Promise<CallbackSend>): Promise<CallbackSend | undefined> {
    change({ lastSend: null });
    const sent = await runRequest((sending) => change({ sending }), call);
    if (sent) {
      change({ lastSend: sent });
      onSent(id);
    }
    return sent;
  }
  return {
    replay: (id, url) => send(id, () => client.callbacks.replay({ id, url })),
    resend: (edited) => send(edited.id, () => client.callbacks.editAndResend(edited)),
    async loadTargets() {
      change({ targets: null });
      const answer = await runRequest(
        (targetsRequest) => change({ targetsRequest }),
        () => client.callbacks.forwardTargets(),
      );
      if (answer) change({ targets: answer.targets });
    },
    async replaceTargets(targets) {
      const answer = await runRequest(
        (targetsRequest) => change({ targetsRequest }),
        () => client.callbacks.replaceForwardTargets({ targets: [...targets] }),
      );
      if (answer) change({ targets: answer.targets });
      return answer !== undefined;
    },
  };
}
