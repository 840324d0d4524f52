// Requests sent from callbacks: replays, edited ones, and automatically forwarded ones.
import {
  type CallbackChoice,
  type CallbackSend,
  type EditedRequest,
  type ForwardState,
  type ForwardTarget,
  type ReplayResult,
  type ReplaySigning,
  runReplay,
} from '@rainbell/contract/app-rpc';
import { idle, runCancelableRequest, runRequest } from '../../../store/request.ts';
import type { OtherSlices } from '../../../store/app-state.ts';
import type { SliceTools } from '../../../store/slice.ts';

export type ReplayRequest = { url: string | null; signing: ReplaySigning };

/** Many replays, one after the other. */
export type ReplayRunState = ReplayRequest & {
  /** In order, without the responses' headers and bodies. */
  results: readonly ReplayResult[];
  /** What was not sent yet. */
  rest: readonly number[];
};

export interface CallbackSendsSlice extends ReturnType<typeof createCallbackSendsSlice> {}

export function createCallbackSendsSlice(
  { client, read, change }: SliceTools<CallbackSendsSlice>,
  { get }: OtherSlices,
) {
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
  let isStopped = false;
  async function goOn(run: ReplayRunState): Promise<void> {
    const { url, signing, rest } = run;
    let now = run;
    isStopped = false;
    change({ run });
    await runRequest(
      (replaying) => change({ replaying }),
      () =>
        runReplay({
          client,
          ids: rest,
          request: { url, signing },
          isStopped: () => isStopped,
          onResult(result) {
            // The bodies of 10,000 responses would be too much; each callback's Sent tab has its own.
            const { outcome } = result;
            const kept = outcome.kind === 'answered' ? { ...outcome, headers: [], bodyBase64: '' } : outcome;
            now = { ...now, results: [...now.results, { ...result, outcome: kept }], rest: now.rest.slice(1) };
            change({ run: now });
          },
        }),
    );
  }
  return {
    onConnectionChange: {
      does: 'keep',
      because: 'callbacks are replayed and forwarded by the app, to any URL',
    } as const,
    sending: idle,
    /** The newest answer; null before one was sent. */
    lastSend: null as CallbackSend | null,
    targets: null as readonly ForwardState[] | null,
    targetsRequest: idle,
    /** Sends to its own path at this app's receiver (null), or to another URL. */
    replay: (id: number, url: string | null, signing: ReplaySigning): Promise<CallbackSend | undefined> =>
      send(id, (signal) => client.callbacks.replay({ id, url, signing }, { signal })),
    resend: (edited: EditedRequest): Promise<CallbackSend | undefined> =>
      send(edited.id, (signal) => client.callbacks.editAndResend(edited, { signal })),
    /** The newest one of many; null before. It goes on while its dialog is closed. */
    run: null as ReplayRunState | null,
    replaying: idle,
    async replayMany(choice: CallbackChoice, request: ReplayRequest): Promise<void> {
      change({ run: null });
      const found = await runRequest(
        (replaying) => change({ replaying }),
        () => client.callbacks.replayIds({ choice }),
      );
      if (found) await goOn({ ...request, results: [], rest: found.ids });
    },
    /** After the response that is awaited. */
    stopReplay: (): void => void (isStopped = true),
    async continueReplay(): Promise<void> {
      const { run } = read();
      if (run) await goOn(run);
    },
    /** Null until they are read: what was read before may have changed elsewhere. */
    async loadTargets(): Promise<void> {
      change({ targets: null });
      const result = await runRequest(
        (targetsRequest) => change({ targetsRequest }),
        () => client.callbacks.forwardTargets(),
      );
      if (result) change({ targets: result.targets });
    },
    async replaceTargets(targets: readonly ForwardTarget[]): Promise<boolean> {
      const result = await runRequest(
        (targetsRequest) => change({ targetsRequest }),
        () => client.callbacks.replaceForwardTargets({ targets: [...targets] }),
      );
      if (result) change({ targets: result.targets });
      return result !== undefined;
    },
  };
}
