import { lazy } from 'react';
import type { Feature } from '../../store/app-state.ts';
import type { SlicesOf } from '../../store/slice.ts';
import { createConsentsSlice } from './consents-slice.ts';

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
