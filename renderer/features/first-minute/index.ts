import type { Feature } from '../../store/app-state.ts';
import type { SlicesOf } from '../../store/slice.ts';
import { selectMonitors } from '../monitors/selectors.ts';
import { FirstMinuteCard, FirstMinuteStatus } from './FirstMinute.tsx';
import { createFirstMinuteSlice } from './first-minute-slice.ts';

const slices = { firstMinute: createFirstMinuteSlice };
declare module '../../store/app-state.ts' {
  interface AppState extends SlicesOf<typeof slices> {}
}

export const firstMinute: Feature = {
  slices,
  parts: { 'forecast foot': FirstMinuteCard, status: FirstMinuteStatus },
  commands: (store) => ({ 'help.start': () => store.getState().firstMinute.open() }),
  afterChange(state, before) {
    if (selectMonitors(state) !== selectMonitors(before)) state.firstMinute.openCallback();
  },
};
