// Requests sent from callbacks: replays, edited ones, and automatically forwarded ones.
import type { CallbackSend, EditedRequest, ForwardState, ForwardTarget } from '#contract/app-rpc/callback-sends.ts';
import { laterActions } from '#renderer/store/later-actions.ts';
import { idle, type Request } from '#renderer/store/request.ts';
import type { OtherSlices } from '#renderer/store/app-state.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';
import { laterModule } from '#renderer/ui/hooks/load-later.ts';

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

const loadActions = laterModule(() => import('./sends-actions.ts'));

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
    ...laterActions(
      { replay: true, resend: true, loadTargets: true, replaceTargets: true },
      loadActions,
      ({ createCallbackSendsActions }) => createCallbackSendsActions(tools, others),
    ),
  };
}
