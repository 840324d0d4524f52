import { lazy } from 'react';
import type { Feature } from '../../store/app-state.ts';
import type { SlicesOf } from '../../store/slice.ts';
import { selectServiceOffers } from '../monitors/selectors.ts';
import { createFrontsSlice } from './fronts-slice.ts';

const slices = { fronts: createFrontsSlice };
declare module '../../store/app-state.ts' {
  interface AppState extends SlicesOf<typeof slices> {}
}

export const fronts: Feature = {
  slices,
  dialogs: [
    {
      isOpen: (state) => state.fronts.dialog !== null,
      View: lazy(async () => ({ default: (await import('./FrontDialog.tsx')).FrontDialog })),
    },
  ],
  parts: { 'monitors top': lazy(async () => ({ default: (await import('./FrontLines.tsx')).FrontLines })) },
  afterChange(state, before) {
    // A new event may belong to a front.
    if (selectServiceOffers(state) !== selectServiceOffers(before)) void state.fronts.load();
  },
};
