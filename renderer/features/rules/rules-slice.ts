// What the receiver answers: the rules and the pause, as core keeps them.
import type { HeldRequest, HeldResponse, ReceiverRules } from '@rainbell/contract/app-rpc';
import { idle } from '../../store/request.ts';
import type { SliceTools } from '../../store/slice.ts';

export interface RulesSlice extends ReturnType<typeof createRulesSlice> {}

export function createRulesSlice({ client, change, run, succeeds }: SliceTools<RulesSlice>) {
  return {
    onConnectionChange: { does: 'keep', because: 'rules are settings of the receiver' } as const,
    values: null as ReceiverRules | null,
    request: idle,
    saving: idle,
    isOpen: false,
    /** Requests that wait for a manual response, oldest first. */
    held: [] as readonly HeldRequest[],
    responding: idle,
    open: (isOpen: boolean): void => change({ isOpen, saving: idle }),
    async loadHeld(): Promise<void> {
      const result = await client.rules.held().catch(() => undefined);
      if (result) change({ held: result.held });
    },
    respondToHeld: (callbackId: number, response: HeldResponse): Promise<boolean> =>
      succeeds('responding', () => client.rules.respondToHeld({ callbackId, ...response })),
    load: (): Promise<void> => run('request', async () => change({ values: await client.rules.get() })),
    replace: (wanted: ReceiverRules): Promise<boolean> =>
      succeeds('saving', async () => change({ values: await client.rules.replace(wanted) })),
  };
}
