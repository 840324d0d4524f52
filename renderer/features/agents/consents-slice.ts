// Changes that agents propose and that wait for the user's consent.
import type { ConsentRequest } from '@rainbell/contract/app-rpc';
import { idle } from '../../store/request.ts';
import type { SliceTools } from '../../store/slice.ts';

export interface ConsentsSlice extends ReturnType<typeof createConsentsSlice> {}

export function createConsentsSlice({ client, change, run }: SliceTools<ConsentsSlice>) {
  return {
    onConnectionChange: { does: 'keep', because: 'agents ask the app' } as const,
    /** Oldest first. */
    consents: [] as readonly ConsentRequest[],
    deciding: idle,
    async load(): Promise<void> {
      const result = await client.agents.consents().catch(() => undefined);
      if (result) change({ consents: result.consents });
    },
    decide: (id: string, isAllowed: boolean): Promise<unknown> =>
      run('deciding', () => client.agents.decide({ id, isAllowed })),
  };
}
