import { lazy } from 'react';
import type { Feature } from '../../store/app-state.ts';
import type { SlicesOf } from '../../store/slice.ts';
import { createRulesSlice } from './rules-slice.ts';

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
