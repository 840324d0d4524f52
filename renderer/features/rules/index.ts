import { lazy } from 'react';
import type { HeldRequest, HeldResponse, ReceiverRules } from '@rainbell/contract/app-rpc';
import type { Feature } from '../../store/app-state.ts';
import { idle } from '../../store/request.ts';
import type { SlicesOf, SliceTools } from '../../store/slice.ts';

interface RulesSlice extends ReturnType<typeof createRulesSlice> {}

/** How the receiver responds: the rules and the pause, as core stores them. */
function createRulesSlice({ client, change, run, succeeds }: SliceTools<RulesSlice>) {
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

const slices = { rules: createRulesSlice };
declare module '../../store/app-state.ts' {
  interface AppState extends SlicesOf<typeof slices> {}
}

export const rules: Feature = {
  slices,
  dialogs: [
    {
      isOpen: ({ rules }) => rules.isOpen && rules.values !== null,
      View: lazy(async () => ({ default: (await import('./RulesDialog.tsx')).RulesDialog })),
    },
  ],
  parts: {
    'receiver bar': lazy(async () => ({ default: (await import('./RulesButton.tsx')).RulesButton })),
    'callbacks top': lazy(async () => ({ default: (await import('./HeldRequests.tsx')).HeldRequests })),
  },
  commands: (store) => ({ 'callbacks.rules': () => store.getState().rules.open(true) }),
  notices: { 'held-requests': (store) => void store.getState().rules.loadHeld() },
  readFromApp: (state) => void state.rules.load(),
};
