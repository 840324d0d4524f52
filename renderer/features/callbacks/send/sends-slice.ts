// Requests made from callbacks: replays, edited ones, and what is forwarded by itself.
import type { CallbackSend, EditedRequest, ForwardState, ForwardTarget } from '#contract/app-rpc/callback-sends.ts';
import { idle, type Request, runRequest } from '#renderer/store/request.ts';
import type { OtherSlices } from '#renderer/store/app-state.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';

export type CallbackSendsSlice = {
  sending: Request;
  /** The newest answer; null before one was sent. */
  lastSend: CallbackSend | null;
  targets: readonly ForwardState[] | null;
  targetsRequest: Request;
  /** To the path it came to at this app's receiver (null), or to another address. */
  replay(id: number, url: string | null): Promise<CallbackSend | undefined>;
  resend(edited: EditedRequest): Promise<CallbackSend | undefined>;
  /** Null until they are read: what was read before may have changed elsewhere. */
  loadTargets(): Promise<void>;
  replaceTargets(targets: readonly ForwardTarget[]): Promise<boolean>;
};

export function createCallbackSendsSlice(
  { client, change }: SliceTools<CallbackSendsSlice>,
  { get }: OtherSlices,
): Slice<CallbackSendsSlice> {
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
    onConnectionChange: { does: 'keep', because: 'callbacks are replayed and forwarded by the app, to any URL' },
    sending: idle,
    lastSend: null,
    targets: null,
    targetsRequest: idle,
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
