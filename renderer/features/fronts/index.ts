import { lazy } from 'react';
import type { Feature } from '../../store/app-state.ts';
import type { SlicesOf } from '../../store/slice.ts';
import { selectMonitorReads, setFrontTerms } from '../monitors/selectors.ts';
import { createFrontsSlice, termsByMonitor } from './fronts-slice.ts';

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
    if (selectMonitorReads(state) !== selectMonitorReads(before)) void state.fronts.load();
    if (state.fronts.items !== before.fronts.items) setFrontTerms(state, termsByMonitor(state.fronts.items));
  },
};
