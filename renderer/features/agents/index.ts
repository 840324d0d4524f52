import { lazy } from 'react';
import type { ConsentRequest } from '@rainbell/contract/app-rpc';
import type { Feature } from '../../store/app-state.ts';
import { idle } from '../../store/request.ts';
import type { SlicesOf, SliceTools } from '../../store/slice.ts';

interface ConsentsSlice extends ReturnType<typeof createConsentsSlice> {}

/** Changes that agents propose and that wait for the user's consent. */
function createConsentsSlice({ client, change, run }: SliceTools<ConsentsSlice>) {
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

const slices = { consents: createConsentsSlice };
declare module '../../store/app-state.ts' {
  interface AppState extends SlicesOf<typeof slices> {}
}

export const agents: Feature = {
  slices,
  dialogs: [
    {
      isOpen: (state) => state.consents.consents.length > 0,
      View: lazy(async () => ({ default: (await import('./ConsentDialog.tsx')).ConsentDialog })),
    },
  ],
  notices: { consents: (store) => void store.getState().consents.load() },
};
