// Requests sent from callbacks: replays, edited ones, and automatically forwarded ones.
import type { CallbackSend, EditedRequest, ForwardState, ForwardTarget } from '@rainbell/contract/app-rpc';
import { idle, type Request, runCancelableRequest, runRequest } from '../../../store/request.ts';
import type { OtherSlices } from '../../../store/app-state.ts';
import type { Slice, SliceTools } from '../../../store/slice.ts';

export type CallbackSendsSlice = CallbackSendsActions & {
  sending: Request;
  /** The newest answer; null before one was sent. */
  lastSend: CallbackSend | null;
  targets: readonly ForwardState[] | null;
  targetsRequest: Request;
};

export type CallbackSendsActions = {
  /** Sends to its own path at this app's receiver (null), or to another URL. */
  replay(id: number, url: string | null): Promise<CallbackSend | undefined>;
  resend(edited: EditedRequest): Promise<CallbackSend | undefined>;
  /** Null until they are read: what was read before may have changed elsewhere. */
  loadTargets(): Promise<void>;
  replaceTargets(targets: readonly ForwardTarget[]): Promise<boolean>;
};

export function createCallbackSendsSlice(
  tools: SliceTools<CallbackSendsSlice>,
  others: OtherSlices,
): Slice<CallbackSendsSlice> {
  return {
    onConnectionChange: { does: 'keep', because: 'callbacks are replayed and forwarded by the app, to any URL' },
    sending: idle,
    lastSend: null,
    targets: null,
    targetsRequest: idle,
    ...createCallbackSendsActions(tools, others),
  };
}

function createCallbackSendsActions(
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
