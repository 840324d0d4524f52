// Requests sent from callbacks: replays, edited ones, and automatically forwarded ones.
import type {
  CallbackSend,
  ForwardState,
  ForwardTarget,
  ReplayRunState,
  SendRequest,
} from '@rainbell/contract/app-rpc';
import { idle } from '../../../store/request.ts';
import { oneAtATime } from '../../../store/one-at-a-time.ts';
import type { OtherSlices } from '../../../store/app-state.ts';
import type { SliceTools } from '../../../store/slice.ts';

export interface CallbackSendsSlice extends ReturnType<typeof createCallbackSendsSlice> {}

export function createCallbackSendsSlice(
  { client, change, run, succeeds, runCancelable }: SliceTools<CallbackSendsSlice>,
  { get }: OtherSlices,
) {
  return {
    onConnectionChange: {
      does: 'keep',
      because: 'callbacks are replayed and forwarded by the app, to any URL',
    } as const,
    sending: idle,
    targets: null as readonly ForwardState[] | null,
    targetsRequest: idle,
    async replay(request: SendRequest): Promise<CallbackSend | undefined> {
      const sent = await runCancelable('sending', (signal) => client.sends.replay(request, { signal }), {
        canceledText: 'The target may have received the callback already.',
      });
      // A canceled one is in the list, too.
      const { selectedId, select } = get().callbacks;
      if (selectedId === request.id) void select(request.id);
      return sent;
    },
    /** The newest replay of many; null before. It goes on while no screen shows it. */
    run: null as ReplayRunState | null,
    replaying: idle,
    loadRun: oneAtATime(async (): Promise<void> => change(await client.sends.replayRun())),
    startReplay: (input: Parameters<typeof client.sends.startReplay>[0]): Promise<boolean> =>
      succeeds('replaying', () => client.sends.startReplay(input)),
    controlReplay: (action: 'stop' | 'continue' | 'dismiss') =>
      run('replaying', () => client.sends.controlReplay({ action })),
    /** Null until they are read: what was read before may have changed elsewhere. */
    loadTargets(): Promise<void> {
      change({ targets: null });
      return run('targetsRequest', async () => change(await client.sends.forwardTargets()));
    },
    replaceTargets: (targets: readonly ForwardTarget[], newSecrets: Record<string, string>): Promise<boolean> =>
      succeeds('targetsRequest', async () =>
        change(await client.sends.replaceForwardTargets({ targets: [...targets], newSecrets })),
      ),
  };
}
